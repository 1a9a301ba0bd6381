import { SESSION_ABSOLUTE_MS } from './records.ts';

/**
 * Name of the session cookie. Over https the `__Host-` prefix makes browsers insist on Secure, on the
 * whole path and on this very host, so no neighbour on a sub-domain can plant one.
 */
export function cookieName(secure: boolean): string {
  return secure ? '__Host-bot_analytics' : 'bot_analytics';
}

/** `Set-Cookie` of a new session; an empty secret takes the cookie away. */
export function sessionCookie(secret: string, secure: boolean): string {
  const maxAgeS = secret === '' ? 0 : SESSION_ABSOLUTE_MS / 1_000;
  const parts = [
    `${cookieName(secure)}=${secret}`,
    'Path=/',
    `Max-Age=${maxAgeS}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
}

/** The secret in a `Cookie` header. The first one of the name counts. RFC 6265, 5.4. */
export function readSessionCookie(header: string | undefined, secure: boolean): string | undefined {
  const start = `${cookieName(secure)}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(start));
  return pair?.trim().slice(start.length);
}
