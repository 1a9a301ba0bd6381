import { DATA_FIELDS, EVENT_TYPES, type EventType, type FieldTable } from '@bot-analytics/protocol';

/** Event types whose `data` has the same fields. */
export interface DataShape {
  /** Name in schemas and Python: `Interaction`, `ShardReady`. */
  readonly name: string;
  readonly types: readonly EventType[];
  readonly fields: FieldTable;
}

/** Names of the shapes that several types share; other shapes take the name of their one type. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  interaction_slash: 'Interaction',
  action_message_send: 'Action',
  event_message_create: 'GatewayCounter',
  guild_join: 'GuildChange',
};

/** The shapes of `data` in catalogue order; types share a shape when they share the field table. */
export function dataShapes(): readonly DataShape[] {
  const byFields = new Map<FieldTable, EventType[]>();
  for (const type of EVENT_TYPES) {
    const fields: FieldTable = DATA_FIELDS[type];
    const types = byFields.get(fields);
    if (types === undefined) byFields.set(fields, [type]);
    else types.push(type);
  }
  return [...byFields].map(([fields, types]) => {
    const first = types[0] ?? '';
    return { name: SHARED_NAMES[first] ?? pascal(first), types, fields };
  });
}

/** `shard_ready` becomes `ShardReady`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `flushIntervalMs` becomes `FLUSH_INTERVAL_MS`. */
export function upperSnake(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();
}

/** `statusAnswer` becomes `StatusAnswer`. */
export function upperFirst(name: string): string {
  return name.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
