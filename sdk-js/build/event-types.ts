import {
  DATA_FIELDS,
  EVENT_GROUPS,
  EVENT_TYPES,
  type EventType,
  type Field,
  type FieldTable,
} from '@bot-analytics/protocol';

/** Event types that share one table of fields. */
interface Shape {
  readonly name: string;
  readonly fields: FieldTable;
  readonly types: readonly EventType[];
}

const SCALARS: Readonly<Record<Field['kind'], string>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  iso: 'string',
  uuid: 'string',
  code: 'number | string',
  strings: 'readonly string[]',
  routes: 'readonly RouteCount[]',
  object: 'Readonly<Record<string, unknown>>',
};

const GROUP_NAMES: Readonly<Record<string, string>> = {
  interactions: 'InteractionData',
  actions: 'ActionData',
  discord_events: 'GatewayCounterData',
  guilds: 'GuildChangeData',
};

const HEAD = `// Written by build/event-types.ts from protocol/; a test compares the two.

/** One row of an api_routes_snapshot. */
export interface RouteCount {
  readonly method: string;
  /** Route without ids, tokens, codes and emojis. */
  readonly route: string;
  readonly count: number;
}
`;

const TAIL = `
/** The closed set of event types. */
export type EventType = keyof EventData;

/** One event of type \`T\`. */
export interface EventOf<T extends EventType> {
  /** UUIDv7, assigned when the event is enqueued; never changes. */
  readonly id: string;
  readonly type: T;
  /** When it occurred: ISO 8601, UTC. */
  readonly ts: string;
  readonly guildId?: string;
  readonly channelId?: string;
  readonly userId?: string;
  readonly data: EventData[T];
}

/** An event whose \`type\` tells the type of its \`data\`. */
export type AnalyticsEvent = { readonly [T in EventType]: EventOf<T> }[EventType];
`;

function shapes(): readonly Shape[] {
  const byTable = new Map<FieldTable, EventType[]>();
  for (const type of EVENT_TYPES) {
    const table: FieldTable = DATA_FIELDS[type];
    byTable.set(table, [...(byTable.get(table) ?? []), type]);
  }
  return [...byTable].map(([fields, types]) => ({ name: nameOf(types), fields, types }));
}

function nameOf(types: readonly EventType[]): string {
  const [first = 'heartbeat'] = types;
  const pascal = first.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return GROUP_NAMES[EVENT_GROUPS[first]] ?? `${pascal}Data`;
}

function fieldType(field: Field): string {
  const value = field.values?.map((one) => `'${one}'`).join(' | ') ?? SCALARS[field.kind];
  return field.nullable === true ? `${value} | null` : value;
}

function fieldLine(name: string, field: Field): string {
  const unit = field.unit === undefined ? '' : ` Unit: ${field.unit}.`;
  const mark = field.optional === true ? '?' : '';
  return `  /** ${field.doc}${unit} */\n  readonly ${name}${mark}: ${fieldType(field)};`;
}

function shapeText({ name, fields, types }: Shape): string {
  const rows = Object.entries(fields).map(([field, spec]) => fieldLine(field, spec));
  const of =
    types.length > 3 ? `${types[0]} and its ${types.length - 1} relatives` : types.join(', ');
  return `\n/** \`data\` of ${of}. */\nexport interface ${name} {\n${rows.join('\n')}\n}\n`;
}

/** Text of `src/api/events.ts`: the wire's types without a reference to `protocol/`. */
export function eventTypesText(): string {
  const all = shapes();
  const map = all.flatMap(({ name, types }) => types.map((type) => `  readonly ${type}: ${name};`));
  return [
    HEAD,
    ...all.map(shapeText),
    `\n/** \`data\` by event type. */\nexport interface EventData {\n${map.join('\n')}\n}\n`,
    TAIL,
  ].join('');
}
