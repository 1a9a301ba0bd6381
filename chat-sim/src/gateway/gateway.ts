import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Env } from '../env.ts';
import { booleanAt, numberAt, textAt, textsAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Ledger } from '../ledger.ts';
import type { Random } from '../random.ts';
import { guildCreatePayload, presence, readyApplication, selfPayload } from '../world/payloads.ts';
import { shardOf } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import { Connection } from './connection.ts';
import type { ConnectionHost } from './connection.ts';
import { GatewayFaults } from './faults.ts';
import { judgeIdentify } from './identify.ts';
import { INTENT, intentsAllow } from './intents.ts';
import { CLOSE, OP } from './protocol.ts';
import { Session } from './session.ts';
import type { SessionFacts } from './session.ts';
import { compressionOf, openSink } from './wire.ts';

/** Members in one GUILD_MEMBERS_CHUNK, as on the platform. */
const MEMBERS_PER_CHUNK = 1000;

/** After these the client starts a new session: the old one is worth nothing. */
const SESSION_ENDING: ReadonlySet<number> = new Set([
  CLOSE.normal,
  CLOSE.goingAway,
  CLOSE.authenticationFailed,
  CLOSE.invalidSeq,
  CLOSE.sessionTimedOut,
  CLOSE.invalidShard,
  CLOSE.shardingRequired,
  CLOSE.invalidApiVersion,
  CLOSE.invalidIntents,
  CLOSE.disallowedIntents,
]);

export interface GatewaySettings {
  readonly tokens: readonly string[];
  /** May be changed while running: later identifies are judged by it. */
  allowedIntents: number;
  readonly heartbeatIntervalMs: number;
  readonly resumeWindowMs: number;
  readonly guildCreateDelayMs: number;
  /** Known once the server listens. */
  gatewayUrl: string;
}

export interface GatewayParts {
  readonly env: Env;
  readonly world: World;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly settings: GatewaySettings;
}

/** Where a dispatch goes. */
export interface Target {
  /** `null` = direct messages: shard 0. */
  readonly guildId: string | null;
  /** Sent to sessions without the MessageContent intent. */
  readonly contentFree?: object;
  /** Passes whatever the intents, for example a change of the bot's own member. */
  readonly always?: boolean;
  /** Called when it waited for a resume that never came. */
  readonly onLost?: () => void;
}

/** A session as tests see it. */
export type SessionView = SessionFacts & { readonly connected: boolean };

/** All gateway connections and sessions of the bot. */
export class Gateway implements ConnectionHost {
  readonly faults = new GatewayFaults();
  /** Called when a client asks to join or leave a voice channel. */
  onVoice: (guildId: string, channelId: string | null) => void = () => undefined;
  readonly #listeners = new Set<() => void>();
  readonly #parts: GatewayParts;
  readonly #connections = new Set<Connection>();
  readonly #sessions = new Map<string, Session>();
  /** Shard of every session there ever was: a refused resume still names its shard. */
  readonly #shardBySession = new Map<string, number>();

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  accept(socket: WebSocket, tcp: Socket, address: URL): void {
    const sink = openSink(socket, compressionOf(address));
    const connection = new Connection(socket, tcp, sink, this);
    this.#connections.add(connection);
    connection.hello(this.#parts.settings.heartbeatIntervalMs);
  }

  /** Calls back after each READY and RESUMED; returns the way to stop that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends to every session of the right shard whose intents allow it. */
  dispatch(name: string, data: object, target: Target): void {
    let json: string | undefined;
    let contentFree: string | undefined;
    let heard = false;
    for (const session of this.#sessions.values()) {
      const { shardId, shardCount, intents } = session.facts;
      if (shardOf(target.guildId, shardCount) !== shardId) continue;
      const allowed =
        target.always === true || intentsAllow(name, target.guildId !== null, intents);
      if (!allowed) continue;
      heard = true;
      if (target.contentFree !== undefined && (intents & INTENT.messageContent) === 0) {
        session.dispatch(name, (contentFree ??= JSON.stringify(target.contentFree)), target.onLost);
      } else session.dispatch(name, (json ??= JSON.stringify(data)), target.onLost);
    }
    if (!heard) this.#parts.ledger.unheard(name);
  }

  /**
   * GUILD_CREATE with as many members as each session's intents allow. `joined`: the bot is new in
   * the guild; else the guild was announced as unavailable before, and says that it no longer is.
   */
  dispatchGuildCreate(guildId: string, joined: boolean): void {
    for (const session of this.#sessions.values()) {
      const { shardId, shardCount } = session.facts;
      if (shardOf(guildId, shardCount) === shardId) this.#sendGuildCreate(session, guildId, joined);
    }
  }

  /** Sessions that exist, connected or waiting for a resume. */
  sessions(): SessionView[] {
    return [...this.#sessions.values()].map((session) => ({
      ...session.facts,
      connected: session.connected,
    }));
  }

  /** Shard of the newest session that carries this guild; `null` when nobody is connected. */
  shardFor(guildId: string | null): number | null {
    let found: number | null = null;
    for (const { facts } of this.#sessions.values()) {
      if (shardOf(guildId, facts.shardCount) === facts.shardId) found = facts.shardId;
    }
    return found;
  }

  /** Identified connections of a shard, or of all shards. */
  connections(shardId: number | undefined): Connection[] {
    return [...this.#connections].filter(
      ({ session }) =>
        session !== undefined && (shardId === undefined || session.facts.shardId === shardId),
    );
  }

  /** Op 9 on a live connection. Not resumable: the session is gone at once. */
  invalidate(connection: Connection, resumable: boolean): void {
    const { session } = connection;
    if (session === undefined) return;
    this.#parts.ledger.shard(session.facts.shardId).invalidSessions += 1;
    connection.command(OP.invalidSession, resumable);
    connection.release();
    if (resumable) this.#expireLater(session);
    else this.#discard(session);
  }

  /** Ends all connections, for the end of the platform's own life. */
  stop(): void {
    for (const connection of this.#connections) connection.close(CLOSE.goingAway);
    for (const session of this.#sessions.values()) this.#discard(session);
  }

  heartbeat(connection: Connection, seq: number | undefined): void {
    const { session } = connection;
    if (session !== undefined) {
      this.#parts.ledger.shard(session.facts.shardId).heartbeats += 1;
      if (seq !== undefined) session.acknowledge(seq);
    }
    if (this.faults.acksWithheld(session?.facts.shardId)) return;
    connection.command(OP.heartbeatAck, null);
  }

  identify(connection: Connection, body: JsonObject): void {
    const { ledger, random, settings } = this.#parts;
    const verdict = judgeIdentify(body, settings);
    if (!verdict.ok) return connection.close(verdict.code);
    const { token, intents, shard } = verdict;
    connection.shardId = shard.id;
    const refusal = this.faults.takeIdentifyRefusal(shard.id);
    if (refusal === 'invalid-session') return connection.command(OP.invalidSession, false);
    if (refusal !== undefined) return connection.close(refusal);
    const facts = {
      id: random.hex(32),
      token,
      shardId: shard.id,
      shardCount: shard.count,
      intents,
    };
    this.#discardWaiting(facts);
    const session = new Session(facts, ledger);
    this.#sessions.set(facts.id, session);
    this.#shardBySession.set(facts.id, shard.id);
    connection.attach(session);
    ledger.shard(shard.id).connects += 1;
    ledger.shard(shard.id).identifies += 1;
    this.#sendReady(session);
    this.#changed();
  }

  resume(connection: Connection, body: JsonObject): void {
    const { ledger } = this.#parts;
    const sessionId = textAt(body, 'session_id') ?? '';
    const session = this.#sessions.get(sessionId);
    const seq = numberAt(body, 'seq') ?? -1;
    const token = (textAt(body, 'token') ?? '').replace(/^Bot /, '');
    const good = session?.facts.token === token && session.canReplayFrom(seq);
    connection.shardId = this.#shardBySession.get(sessionId);
    const shardId = connection.shardId ?? 0;
    if (session === undefined || !good || this.faults.takeResumeRefusal(shardId)) {
      if (session !== undefined) this.#discard(session);
      ledger.shard(shardId).resumesRefused += 1;
      return connection.command(OP.invalidSession, false);
    }
    for (const other of this.#connections) {
      if (other.session === session) other.close(CLOSE.sessionTimedOut);
    }
    connection.attach(session);
    ledger.shard(shardId).connects += 1;
    ledger.shard(shardId).resumes += 1;
    session.replay(seq);
    session.dispatch('RESUMED', '{"_trace":[]}');
    this.#changed();
  }

  joinVoice(body: JsonObject): void {
    this.onVoice(textAt(body, 'guild_id') ?? '', textAt(body, 'channel_id') ?? null);
  }

  /** Answers op 8 with GUILD_MEMBERS_CHUNK, by user ids or by the start of the name. */
  sendMembers(session: Session, body: JsonObject): void {
    const guild = this.#parts.world.guilds.get(textAt(body, 'guild_id') ?? '');
    if (guild === undefined) return;
    const single = textAt(body, 'user_ids');
    const ids = single === undefined ? textsAt(body, 'user_ids') : [single];
    const query = textAt(body, 'query') ?? '';
    const limit = numberAt(body, 'limit') ?? 0;
    const matching = [...guild.members.values()].filter(({ user }) =>
      ids.length > 0 ? ids.includes(user.id) : user.username.startsWith(query),
    );
    const found = limit === 0 ? matching : matching.slice(0, limit);
    const chunks = Math.max(1, Math.ceil(found.length / MEMBERS_PER_CHUNK));
    for (let index = 0; index < chunks; index += 1) {
      const members = found.slice(index * MEMBERS_PER_CHUNK, (index + 1) * MEMBERS_PER_CHUNK);
      const withPresences = booleanAt(body, 'presences') === true;
      const chunk = {
        guild_id: guild.facts.id,
        members,
        chunk_index: index,
        chunk_count: chunks,
        not_found: ids.filter((id) => !guild.members.has(id)),
        ...(withPresences ? { presences: members.map(({ user }) => presence(guild, user)) } : {}),
        ...(body['nonce'] === undefined ? {} : { nonce: body['nonce'] }),
      };
      session.dispatch('GUILD_MEMBERS_CHUNK', JSON.stringify(chunk));
    }
  }

  ended(connection: Connection, code: number): void {
    this.#connections.delete(connection);
    const { session, shardId } = connection;
    if (shardId === undefined) return;
    this.#parts.ledger.disconnect(shardId, connection.killed ? 'killed' : code);
    session?.detach(connection.sink);
    // A session that was resumed on another connection is not touched by the end of this one.
    if (session === undefined || session.connected) return;
    if (SESSION_ENDING.has(code)) this.#discard(session);
    else this.#expireLater(session);
  }

  /** A new session of a shard ends those that wait for a resume: nobody will come for them. */
  #discardWaiting({ shardId, shardCount, token }: SessionFacts): void {
    for (const session of this.#sessions.values()) {
      const { facts, connected } = session;
      const same = facts.shardId === shardId && facts.shardCount === shardCount;
      if (same && !connected && facts.token === token) this.#discard(session);
    }
  }

  #expireLater(session: Session): void {
    this.#parts.env.after(this.#parts.settings.resumeWindowMs, () => {
      if (!session.connected) this.#discard(session);
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #discard(session: Session): void {
    if (this.#sessions.delete(session.facts.id)) session.discard();
  }

  #sendReady(session: Session): void {
    const { world, settings, env } = this.#parts;
    const { id, shardId, shardCount } = session.facts;
    const ids = [...world.guilds.keys()].filter((guild) => shardOf(guild, shardCount) === shardId);
    const ready = {
      v: 10,
      user: selfPayload(world),
      guilds: ids.map((guild) => ({ id: guild, unavailable: true })),
      session_id: id,
      resume_gateway_url: settings.gatewayUrl,
      session_type: 'normal',
      shard: [shardId, shardCount],
      application: readyApplication(world),
      private_channels: [],
      relationships: [],
      presences: [],
      user_settings: {},
      geo_ordered_rtc_regions: [],
      _trace: [],
    };
    session.dispatch('READY', JSON.stringify(ready));
    const send = (guildId: string): void => {
      if (this.#sessions.get(id) !== session) return;
      if (world.guilds.get(guildId)?.available === true) {
        this.#sendGuildCreate(session, guildId, false);
      }
    };
    ids.forEach((guildId, index) => {
      if (settings.guildCreateDelayMs === 0) send(guildId);
      else env.after(settings.guildCreateDelayMs * (index + 1), () => send(guildId));
    });
  }

  #sendGuildCreate(session: Session, guildId: string, joined: boolean): void {
    const { world } = this.#parts;
    if (!intentsAllow('GUILD_CREATE', true, session.facts.intents)) return;
    const withPresences = (session.facts.intents & INTENT.guildPresences) !== 0;
    const payload = guildCreatePayload(world.guild(guildId), world.bot.id, withPresences);
    const announced = joined ? payload : { ...payload, unavailable: false };
    session.dispatch('GUILD_CREATE', JSON.stringify(announced));
  }
}
