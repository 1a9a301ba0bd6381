import { EventEmitter } from 'node:events';
import { GATEWAY_KINDS, gatewayTypesFor } from '@bot-analytics/protocol';
import { gatewayCounters } from '../../sdk-js/src/collect/gateway-counters.ts';
import { realEnv } from '../../sdk-js/src/core/env.ts';
import { guarded, listen } from '../../sdk-js/src/discord/hooks.ts';

/** Cost of a dispatch that is only counted: an emitter with the SDK's listener against one without. */
const ROUNDS = 2_000_000;

function run(withSdk: boolean): number {
  const ws = new EventEmitter();
  const counters = gatewayCounters(realEnv(), () => undefined);
  const onFault = (): void => undefined;
  for (const type of withSdk ? gatewayTypesFor(0xffffff) : []) {
    const run = (_packet: unknown, shardId: unknown): void =>
      counters.dispatch(type, Number(shardId));
    listen(ws, GATEWAY_KINDS[type].dispatch, guarded(onFault, run));
  }
  const packet = { id: '1' };
  const startedMs = performance.now();
  for (let n = 0; n < ROUNDS; n += 1) ws.emit('MESSAGE_CREATE', packet, n & 15);
  return ((performance.now() - startedMs) / ROUNDS) * 1e6;
}

run(true);
run(false);
const best = (withSdk: boolean): number => Math.min(...[1, 2, 3, 4, 5].map(() => run(withSdk)));
process.stdout.write(`${JSON.stringify({ withNs: best(true), withoutNs: best(false) })}\n`);
