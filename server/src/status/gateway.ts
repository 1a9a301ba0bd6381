import { LIMITS } from '@bot-analytics/protocol';
import type { UNRESPONSIVE } from '@bot-analytics/protocol/read-api';
import type { Heartbeat } from './presence.ts';

/** Why an online shard does not respond to the platform; null: it does, or nobody can tell. */
export type Unresponsive = (typeof UNRESPONSIVE)[number] | null;

/** What is remembered of the readings of one shard; bounded, whatever the SDK sends. */
export interface GatewayTrace {
  readonly instanceId: string | undefined;
  /** Ping of the last sample. */
  readonly pingMs: number | null;
  /** Arrival of the last sample, Unix ms. Samples lie at least SAMPLE_MS apart. */
  readonly sampledAtMs: number;
  /** Samples in a row that repeated the ping before them, to the last digit. */
  readonly run: number;
  /** The last 16 pairs of samples, newest in bit 0: 1 = the ping was repeated. */
  readonly repeatedBits: number;
  /** How many of the 16 bits hold a pair. */
  readonly pairs: number;
  /** Arrival of the first of the readings in a row without a working gateway; null: it works. */
  readonly silentSinceMs: number | null;
  readonly arrivedAtMs: number;
}

/** The platform is asked for a ping every 41 s, so closer readings repeat by nature. */
const SAMPLE_MS = 50_000;
const PAIRS_MAX = 16;
/** Pairs of the siblings that a judgement needs. */
const SIBLING_PAIRS_MIN = 5;
/**
 * Least chance of a natural repeat that is assumed, though fractions of a ms hardly ever repeat: with
 * CHANCE_MAX, no run under 4 repeats (4 minutes at the default interval) is called frozen.
 */
const REPEAT_CHANCE_MIN = 0.01;
/**
 * A run is called frozen when chance alone makes it less often than this: under one wrong mark in
 * three days for 2,000 shards that are judged once a minute. Decision 0071.
 */
const CHANCE_MAX = 1e-7;

/** Takes one heartbeat in. */
export function traceHeartbeat(
  trace: GatewayTrace | undefined,
  beat: Heartbeat,
  arrivedAtMs: number,
): GatewayTrace {
  const same = trace !== undefined && trace.instanceId === beat.instanceId;
  const known = same ? trace : undefined;
  const { shardStatus, wsPingMs: pingMs = null } = beat;
  // An SDK that does not tell its connection is not blamed for the ping that it leaves out as well.
  const silent = shardStatus !== undefined && (shardStatus !== 'ready' || pingMs === null);
  const silentSinceMs = silent ? (known?.silentSinceMs ?? arrivedAtMs) : null;
  const base = { instanceId: beat.instanceId, silentSinceMs, arrivedAtMs };
  if (known === undefined || known.pingMs === null || pingMs === null) {
    const { pairs = 0, repeatedBits = 0 } = known ?? {};
    return { ...base, pingMs, sampledAtMs: arrivedAtMs, run: 0, repeatedBits, pairs };
  }
  if (arrivedAtMs - known.sampledAtMs < SAMPLE_MS) {
    // A changed ping ends a run at once; a repeated one waits for the next sample.
    const run = pingMs === known.pingMs ? known.run : 0;
    return { ...known, ...base, run };
  }
  const repeated = pingMs === known.pingMs;
  return {
    ...base,
    pingMs,
    sampledAtMs: arrivedAtMs,
    run: repeated ? known.run + 1 : 0,
    repeatedBits: ((known.repeatedBits << 1) | (repeated ? 1 : 0)) & 0xffff,
    pairs: Math.min(PAIRS_MAX, known.pairs + 1),
  };
}

/** Repeats among the last pairs of a shard, or of several. */
export interface Repeats {
  readonly repeated: number;
  readonly pairs: number;
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Adds up the pairs of many shards, so that each is compared with the others at no extra cost. */
export function sumRepeats(traces: Iterable<GatewayTrace>): Repeats {
  let repeated = 0;
  let pairs = 0;
  for (const trace of traces) {
    repeated += ones(trace.repeatedBits);
    pairs += trace.pairs;
  }
  return { repeated, pairs };
}

/**
 * Judges an online shard. `all` is the sum over the online shards of the bot, this one included.
 *
 * gateway_silent: every reading of 2 minutes or more was "not ready" or without a ping.
 * ping_frozen: the same ping to the last digit, so often in a row that the siblings' own rate of
 * repeats makes it less likely than one in ten million. A bot of one shard has no siblings to compare.
 */
export function judgeGateway(trace: GatewayTrace, all: Repeats): Unresponsive {
  const { silentSinceMs, arrivedAtMs, run } = trace;
  if (silentSinceMs !== null && arrivedAtMs - silentSinceMs >= LIMITS.shardOfflineAfterMs) {
    return 'gateway_silent';
  }
  const pairs = all.pairs - trace.pairs;
  if (run === 0 || pairs < SIBLING_PAIRS_MIN) return null;
  const repeated = all.repeated - ones(trace.repeatedBits);
  const chance = Math.max(REPEAT_CHANCE_MIN, repeated / pairs);
  return chance ** run <= CHANCE_MAX ? 'ping_frozen' : null;
}
