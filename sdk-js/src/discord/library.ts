/**
 * What is read by name of the library's objects and of the platform's packets, inside listeners that
 * may throw: a part that is missing costs that one signal. Everything else goes through
 * `core/read.ts`.
 */

/** A listener; what it takes is what the library gives. */
export type Listener = (...args: never[]) => void;

/** An event emitter of Node.js or of the library's REST object. */
export interface Emitter {
  prependListener(event: string | symbol, listener: Listener): unknown;
  removeListener(event: string | symbol, listener: Listener): unknown;
  listenerCount(event: string | symbol): number;
  getMaxListeners(): number;
  setMaxListeners(count: number): unknown;
}

/** READY, GUILD_CREATE and GUILD_DELETE. */
export interface GuildPacket {
  readonly id: string;
  readonly unavailable?: boolean;
  readonly guilds: readonly { readonly id: string }[];
}

/** The data of a command, or one of its options. */
export interface CommandData {
  readonly name?: string;
  readonly type?: number;
  readonly options?: readonly CommandData[];
}

/** INTERACTION_CREATE. */
export interface InteractionPacket {
  readonly id?: string;
  readonly type?: number;
  readonly data?: CommandData & { readonly component_type?: number; readonly custom_id?: string };
  readonly guild_id?: string;
  readonly channel?: { readonly id?: string };
  readonly channel_id?: string;
  readonly member?: { readonly user?: { readonly id?: string } };
  readonly user?: { readonly id?: string };
}

/** The first part of a `response` event. */
export interface AttemptRequest {
  readonly method: string;
  readonly path: string;
}

/** The second part of a `response` event; in old versions with a `statusCode` and plain headers. */
export interface AttemptResponse {
  readonly status?: number;
  readonly statusCode: number;
  readonly headers: { get?(name: string): string | null };
}
