import {
  ACTION_TYPES,
  GATEWAY_TYPES,
  INTERACTION_TYPES,
  type ActionType,
  type EventType,
  type GatewayType,
  type InteractionType,
} from './catalogue.ts';
import { ACTION_FIELDS, GATEWAY_FIELDS, INTERACTION_FIELDS } from './data/activity.ts';
import { ERROR_FIELDS, GUILD_FIELDS, SHARD_FIELDS } from './data/lifecycle.ts';
import { SNAPSHOT_FIELDS } from './data/snapshots.ts';
import type { DataOf, FieldTable } from './field.ts';

function each<T extends string, F extends FieldTable>(
  types: readonly T[],
  fields: F,
): Record<T, F> {
  return Object.fromEntries(types.map((type) => [type, fields])) as Record<T, F>;
}

/** The fields of `data` for every event type. */
export const DATA_FIELDS = {
  ...each<InteractionType, typeof INTERACTION_FIELDS>(INTERACTION_TYPES, INTERACTION_FIELDS),
  ...each<ActionType, typeof ACTION_FIELDS>(ACTION_TYPES, ACTION_FIELDS),
  ...each<GatewayType, typeof GATEWAY_FIELDS>(GATEWAY_TYPES, GATEWAY_FIELDS),
  ...SHARD_FIELDS,
  ...ERROR_FIELDS,
  ...GUILD_FIELDS,
  ...SNAPSHOT_FIELDS,
} as const satisfies Record<EventType, FieldTable>;

/** The type of `data` for every event type. */
export type EventData = { readonly [K in EventType]: DataOf<(typeof DATA_FIELDS)[K]> };
