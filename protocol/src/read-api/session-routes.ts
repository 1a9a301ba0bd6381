import { z } from 'zod';
import { iso, Session } from '../read-api-shapes.ts';
import { NoContent, none, type Route } from './route.ts';

/** Login to the dashboard. */
export const SESSION_ROUTES = {
  sessionCreate: {
    ...none,
    method: 'POST',
    path: '/v1/session',
    callers: ['anyone'],
    body: z.strictObject({ token: z.string().max(200) }),
    answer: Session,
    status: 201,
    errors: ['login_required', 'too_many_requests', 'origin_refused', 'store_unavailable'],
    doc: 'Exchanges a one-time login token for a session cookie',
  },
  sessionGet: {
    ...none,
    method: 'GET',
    path: '/v1/session',
    callers: ['session'],
    answer: Session,
    status: 200,
    errors: ['login_required', 'store_unavailable'],
    doc: 'The session of the caller',
  },
  sessionEnd: {
    ...none,
    method: 'DELETE',
    path: '/v1/session',
    callers: ['session'],
    answer: NoContent,
    status: 204,
    errors: ['login_required', 'store_unavailable'],
    doc: 'Logs out',
  },
  loginTokenCreate: {
    ...none,
    method: 'POST',
    path: '/v1/login-tokens',
    callers: ['admin'],
    answer: z.object({ url: z.string().describe('Opens the dashboard once'), expiresAt: iso }),
    status: 201,
    errors: ['key_unknown', 'store_unavailable'],
    doc: 'Makes a one-time login link',
  },
} as const satisfies Record<string, Route>;
