import { describe, expect, test } from 'vitest';
import type { Heartbeat } from '../../../src/status/presence.ts';
import {
  judgeGateway,
  sumRepeats,
  traceHeartbeat,
  type GatewayTrace,
} from '../../../src/status/gateway.ts';
import { beat, T0 } from './heartbeats.ts';

/** A heartbeat a minute with these changes. */
function traceOf(changes: readonly Partial<Heartbeat>[], everyMs = 60_000): GatewayTrace {
  let trace: GatewayTrace | undefined;
  for (const [i, change] of changes.entries()) {
    trace = traceHeartbeat(trace, beat(change), T0 + i * everyMs);
  }
  if (trace === undefined) throw new Error('no readings');
  return trace;
}

const pings = (...values: (number | null)[]): Partial<Heartbeat>[] =>
  values.map((wsPingMs) => ({ wsPingMs }));
const moving = traceOf(pings(80, 81, 84, 79, 83, 90, 85, 81));
const judge = (trace: GatewayTrace, siblings: GatewayTrace[]) =>
  judgeGateway(trace, sumRepeats([trace, ...siblings]));

describe('a frozen ping', () => {
  test.each([
    // Siblings that never repeat: chance 0.01, so four repeats.
    [pings(84, 84), null],
    [pings(84, 84, 84, 84), null],
    [pings(84, 84, 84, 84, 84), 'ping_frozen'],
    [pings(84, 84, 84, 84, 84, 85), null],
    [pings(80, 81, 84, 84, 84, 84, 84), 'ping_frozen'],
    [pings(null, null), null],
  ])('%j beside a moving sibling: %s', (changes, expected) => {
    expect(judge(traceOf(changes), [moving])).toBe(expected);
  });

  test('a single shard is never called frozen: there is nothing to compare with', () => {
    expect(judge(traceOf(pings(84, 84, 84, 84, 84, 84, 84, 84)), [])).toBe(null);
  });

  test('siblings that repeat by nature ask for a longer run', () => {
    // 4 of 7 pairs repeat: 0.571^28 = 1.6e-7, 0.571^29 = 8.9e-8.
    const calm = traceOf(pings(20, 20, 20, 21, 21, 20, 20, 21));
    expect(judge(traceOf(pings(...Array(29).fill(20))), [calm])).toBe(null);
    expect(judge(traceOf(pings(...Array(30).fill(20))), [calm])).toBe('ping_frozen');
  });

  test('when every shard stands still the platform is slow to ask, and nobody is frozen', () => {
    const still = () => traceOf(pings(...Array(12).fill(84)));
    expect(judge(still(), [still(), still()])).toBe(null);
  });

  test('readings closer than the platform measures do not count as repeats', () => {
    expect(judge(traceOf(pings(...Array(12).fill(84)), 10_000), [moving])).toBe(null);
    expect(judge(traceOf(pings(...Array(21).fill(84)), 10_000), [moving])).toBe('ping_frozen');
  });

  test('a change between two samples ends the run', () => {
    const frozen = traceOf(pings(84, 84, 84, 84, 84));
    expect(judge(frozen, [moving])).toBe('ping_frozen');
    const moved = traceHeartbeat(frozen, beat({ wsPingMs: 85 }), frozen.sampledAtMs + 10_000);
    expect(judge(moved, [moving])).toBe(null);
  });
});

describe('a silent gateway', () => {
  const down = { shardStatus: 'disconnected', wsPingMs: null } as const;

  test.each([
    [[down], null],
    [[down, down], null],
    [[down, down, down], 'gateway_silent'],
    [[down, {}, down], null],
    [[{}, down, down, down], 'gateway_silent'],
    [pings(null, null, null), 'gateway_silent'],
    [Array(3).fill({ shardStatus: undefined, wsPingMs: undefined }), null],
    [[{ shardStatus: 'resuming' }, { shardStatus: 'connecting' }, down], 'gateway_silent'],
  ] as const)('%j a minute apart: %s', (changes, expected) => {
    expect(judge(traceOf(changes), [])).toBe(expected);
  });

  test('a restarted process gets its own two minutes', () => {
    const old = traceOf([down, down, down]);
    const fresh = traceHeartbeat(old, beat({ ...down, instanceId: 'new' }), old.arrivedAtMs + 1);
    expect(judge(fresh, [])).toBe(null);
  });
});
