import type { EventType } from '@bot-analytics/protocol';
import type { AnalyticsState, Drop } from '../../src/api/stats.ts';
import type { Send } from '../../src/api/send.ts';
import type { EventInput } from '../../src/event/encode.ts';
import { Transport } from '../../src/core/transport.ts';
import { UuidSource } from '../../src/event/uuid.ts';
import { HandEnv } from './hand-env.ts';
import { ScriptSend, type Step } from './script-send.ts';

/** A transport on a hand-turned clock with a scripted server. */
export interface Rig {
  readonly env: HandEnv;
  readonly server: ScriptSend;
  readonly transport: Transport;
  readonly drops: Drop[];
  readonly states: AnalyticsState[];
  /** Enqueues one event; `n` goes into its data. */
  put(n: number, type?: EventType, extra?: Partial<EventInput>): void;
  /** Enqueues `count` events numbered from `from`. */
  putMany(count: number, from?: number, type?: EventType): void;
}

export function rig(steps: readonly Step[] = [], send?: Send): Rig {
  const env = new HandEnv();
  const server = new ScriptSend();
  server.steps.push(...steps);
  const drops: Drop[] = [];
  const states: AnalyticsState[] = [];
  const transport = new Transport({
    url: 'http://127.0.0.1:1/v1/events',
    headers: { Authorization: 'Bearer secret-key' },
    requestTimeoutMs: 10_000,
    flushIntervalMs: 5_000,
    send: send ?? server.send,
    env,
    ids: new UuidSource(env),
    onDrop: (drop) => drops.push(drop),
    onStateChange: (state) => states.push(state),
  });
  const put: Rig['put'] = (n, type = 'action_message_send', extra = {}) => {
    transport.enqueue({ type, tsMs: env.wallMs, data: { n }, ...extra });
  };
  const putMany: Rig['putMany'] = (count, from = 0, type = 'action_message_send') => {
    for (let n = from; n < from + count; n += 1) put(n, type);
  };
  return { env, server, transport, drops, states, put, putMany };
}

/** Numbers from `from` to `to`, both included. */
export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
