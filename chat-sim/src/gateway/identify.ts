import { listAt, numberAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { ALL_INTENTS } from './intents.ts';
import { CLOSE } from './protocol.ts';

export interface IdentifyRules {
  /** Bot tokens that are let in; empty = any token. */
  readonly tokens: readonly string[];
  /** Intents the application may ask for. */
  readonly allowedIntents: number;
}

export type IdentifyVerdict =
  | { readonly ok: true; readonly token: string; readonly intents: number; readonly shard: Shard }
  | { readonly ok: false; readonly code: number };

export interface Shard {
  readonly id: number;
  readonly count: number;
}

/** Whether an identify is let in, and with which close code it is refused. First match wins. */
export function judgeIdentify(body: JsonObject, rules: IdentifyRules): IdentifyVerdict {
  const token = (textAt(body, 'token') ?? '').replace(/^Bot /, '');
  const intents = numberAt(body, 'intents');
  const shard = readShard(body);
  if (token === '' || (rules.tokens.length > 0 && !rules.tokens.includes(token))) {
    return { ok: false, code: CLOSE.authenticationFailed };
  }
  if (shard === undefined) return { ok: false, code: CLOSE.invalidShard };
  if (intents === undefined || intents < 0 || (intents & ~ALL_INTENTS) !== 0) {
    return { ok: false, code: CLOSE.invalidIntents };
  }
  if ((intents & ~rules.allowedIntents) !== 0) {
    return { ok: false, code: CLOSE.disallowedIntents };
  }
  return { ok: true, token, intents, shard };
}

function readShard(body: JsonObject): Shard | undefined {
  if (body['shard'] === undefined || body['shard'] === null) return { id: 0, count: 1 };
  const [id, count] = listAt(body, 'shard');
  if (typeof id !== 'number' || typeof count !== 'number') return undefined;
  return id >= 0 && id < count ? { id, count } : undefined;
}
