import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { isObject, numberAt, objectAt, parseJson } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { OP, STEPS, inputOf } from './protocol.ts';
import type { ClientInput, ConnectionState } from './protocol.ts';
import type { FrameSink, Session } from './session.ts';

/** What a connection asks of the gateway it belongs to. */
export interface ConnectionHost {
  heartbeat(connection: Connection, seq: number | undefined): void;
  identify(connection: Connection, body: JsonObject): void;
  resume(connection: Connection, body: JsonObject): void;
  joinVoice(body: JsonObject): void;
  sendMembers(session: Session, body: JsonObject): void;
  ended(connection: Connection, code: number): void;
}

/** One client's WebSocket: reads commands and looks up in the table what to do. */
export class Connection {
  readonly sink: FrameSink;
  session: Session | undefined;
  /** Shard that the client named last, by an identify or a resume, accepted or not. */
  shardId: number | undefined;
  /** Set when a fault cut the TCP connection without a close frame. */
  killed = false;
  readonly #socket: WebSocket;
  readonly #tcp: Socket;
  readonly #host: ConnectionHost;
  #state: ConnectionState = 'greeted';

  constructor(socket: WebSocket, tcp: Socket, sink: FrameSink, host: ConnectionHost) {
    this.#socket = socket;
    this.#tcp = tcp;
    this.#host = host;
    this.sink = sink;
    socket.on('message', (data) => this.#receive(data));
    socket.on('close', (code) => this.#host.ended(this, code));
    // A reset connection is reported as an error and then as a close; the close is enough.
    socket.on('error', () => undefined);
  }

  command(op: number, d: unknown): void {
    this.sink.send(JSON.stringify({ t: null, s: null, op, d }));
  }

  /** The session is made or resumed: dispatches go to this socket now. */
  attach(session: Session): void {
    this.#state = 'identified';
    this.session = session;
    this.shardId = session.facts.shardId;
    session.attach(this.sink);
  }

  /** From here on dispatches wait for a resume: a closing socket would swallow them. */
  close(code: number, reason = ''): void {
    this.session?.detach(this.sink);
    this.#socket.close(code, reason);
  }

  /** The session is invalid: the client may identify or resume on this same connection. */
  release(): void {
    this.#state = 'greeted';
    this.session?.detach(this.sink);
    this.session = undefined;
  }

  /** Cuts the TCP connection: RST, no close frame. */
  kill(): void {
    this.killed = true;
    this.session?.detach(this.sink);
    this.#tcp.resetAndDestroy();
  }

  #receive(data: RawData): void {
    const body = Buffer.isBuffer(data) ? parseJson(data.toString('utf8')) : undefined;
    const readable = isObject(body);
    const input = readable ? inputOf(body['op']) : 'unreadable';
    this.#act(input, readable ? body : {});
  }

  #act(input: ClientInput, body: JsonObject): void {
    const step = STEPS[this.#state][input];
    const d = objectAt(body, 'd');
    switch (step) {
      case 'ack':
        return this.#host.heartbeat(this, numberAt(body, 'd'));
      case 'identify':
        return this.#host.identify(this, d);
      case 'resume':
        return this.#host.resume(this, d);
      case 'joinVoice':
        return this.#host.joinVoice(d);
      case 'sendMembers':
        return this.session === undefined ? undefined : this.#host.sendMembers(this.session, d);
      case 'ignore':
        return undefined;
      default:
        return this.close(step.close);
    }
  }

  /** First frame of every connection. */
  hello(heartbeatIntervalMs: number): void {
    this.command(OP.hello, { heartbeat_interval: heartbeatIntervalMs, _trace: [] });
  }
}
