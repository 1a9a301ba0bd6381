/** What can be missing, with the platform's JSON error code for it. */
export const UNKNOWN = {
  channel: { code: 10003, message: 'Unknown Channel' },
  guild: { code: 10004, message: 'Unknown Guild' },
  invite: { code: 10006, message: 'Unknown Invite' },
  member: { code: 10007, message: 'Unknown Member' },
  message: { code: 10008, message: 'Unknown Message' },
  role: { code: 10011, message: 'Unknown Role' },
  user: { code: 10013, message: 'Unknown User' },
  webhook: { code: 10015, message: 'Unknown Webhook' },
  ban: { code: 10026, message: 'Unknown Ban' },
  interaction: { code: 10062, message: 'Unknown interaction' },
  command: { code: 10063, message: 'Unknown application command' },
} as const satisfies Record<string, { code: number; message: string }>;

export type ThingKind = keyof typeof UNKNOWN;

/** A request the platform refuses; REST answers it as `{code, message}` with this status. */
export class PlatformError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.name = 'PlatformError';
    this.status = status;
    this.code = code;
  }
}

/** Something with this id is not there: status 404 and the platform's code for its kind. */
export class NotFound extends PlatformError {
  constructor(kind: ThingKind, id: string) {
    super(404, UNKNOWN[kind].code, UNKNOWN[kind].message);
    this.name = 'NotFound';
    this.cause = `${kind} ${id}`;
  }
}
