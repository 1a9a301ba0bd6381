import { createHash } from 'node:crypto';
import type { LoginRow } from '../store/queries/logins.ts';

/** `token`: exchanged once for a session; `session`: what the cookie stands for. */
type LoginKind = 'token' | 'session';

/** A login token or a session, without its secret. */
export interface Login {
  /** SHA-256 of the secret, hex. */
  readonly hash: string;
  readonly kind: LoginKind;
  readonly createdAtMs: number;
  /** Absolute end. */
  readonly expiresAtMs: number;
  readonly lastSeenAtMs: number;
  /** Used up, or logged out. */
  readonly endedAtMs: number | null;
  /** The highest wins. */
  readonly version: number;
}

/** server.md T12. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
export const SESSION_ABSOLUTE_MS = 30 * 86_400_000;
/** A use is written at most this often; the idle time is that much longer at most. */
export const SEEN_EVERY_MS = 600_000;

/** 256 bits, as text for a cookie or an address. */
export const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** What is stored of a secret. It has full entropy, so a fast hash is right. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether a record still opens anything. */
export function isLive(login: Login, nowMs: number): boolean {
  if (login.endedAtMs !== null || nowMs >= login.expiresAtMs) return false;
  return login.kind === 'token' || nowMs - login.lastSeenAtMs < SESSION_IDLE_MS;
}

/** When a session ends if it is not used any more. */
export function sessionEndMs(login: Login): number {
  return Math.min(login.expiresAtMs, login.lastSeenAtMs + SESSION_IDLE_MS);
}

export function loginFromRow(row: LoginRow): Login {
  return {
    hash: row.hash,
    kind: row.kind,
    createdAtMs: Number(row.created_ms),
    expiresAtMs: Number(row.expires_ms),
    lastSeenAtMs: Number(row.last_seen_ms),
    endedAtMs: row.ended_ms === null ? null : Number(row.ended_ms),
    version: Number(row.version),
  };
}

/** Values in the order of INSERT_COLUMNS.logins. */
export function loginValues(login: Login): (string | number | null)[] {
  return [
    login.hash,
    login.kind,
    login.createdAtMs,
    login.expiresAtMs,
    login.lastSeenAtMs,
    login.endedAtMs,
    login.version,
  ];
}
