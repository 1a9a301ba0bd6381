import type { Session as SessionAnswer } from '@bot-analytics/protocol/read-api';
import type { Reading } from '../reading.ts';
import { sessionCookie } from '../sessions/cookie.ts';
import { sessionEndMs, type Login } from '../sessions/records.ts';
import { ApiError } from './problem.ts';
import type { Handlers } from './routes.ts';
import type { Visitors } from './visitors.ts';

/** A link that the command line makes: long enough to open it. */
const LOGIN_TOKEN_MS = 15 * 60_000;

/** Login to the dashboard with a one-time link. server.md T12. */
export function sessionHandlers(
  { sessions, publicUrl, loginLink }: Reading,
  visitors: Visitors,
): Handlers {
  const describe = (session: Login): SessionAnswer => ({
    expiresAt: new Date(sessionEndMs(session)).toISOString(),
    publicUrl: publicUrl(),
  });
  return {
    async sessionCreate({ request, reply, body }) {
      // Another site must not log a visitor in to a session that it knows.
      if (!visitors.isFromOurPage(request)) throw new ApiError('origin_refused');
      const made = await sessions.exchange(body.token);
      if (made === undefined) throw visitors.wrongToken(request, 'login_required');
      void reply.header('set-cookie', sessionCookie(made.secret, visitors.isSecure()));
      return describe(made.session);
    },
    async sessionGet({ principal }) {
      if (principal?.kind !== 'session') throw new ApiError('login_required');
      return describe(principal.session);
    },
    async sessionEnd({ principal, reply }) {
      if (principal?.kind !== 'session') throw new ApiError('login_required');
      await sessions.end(principal.session);
      void reply.header('set-cookie', sessionCookie('', visitors.isSecure()));
      return null;
    },
    async loginTokenCreate() {
      const { url, expiresAtMs } = await loginLink(LOGIN_TOKEN_MS);
      return { url, expiresAt: new Date(expiresAtMs).toISOString() };
    },
  };
}
