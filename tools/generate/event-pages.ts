import {
  ACTION_BODY_FIELDS,
  ACTION_PATTERNS,
  type ActionPattern,
  EVENT_GROUPS,
  EVENT_TYPES,
  type EventGroup,
  type EventType,
  type Field,
  GATEWAY_KINDS,
  type GatewayKind,
  INTENTS,
  LIMITS,
  QUIET_EXEMPT_TYPES,
  ROUTE_STEPS,
} from '@bot-analytics/protocol';
import { code, grouped, page, table } from './markdown.ts';
import { dataShapes } from './shapes.ts';

const CATALOGUE = '`protocol/src/catalogue.ts`';

/** What stands above the table of each group. */
const GROUP_DOCS: Readonly<Record<EventGroup, readonly [title: string, text: string]>> = {
  interactions: ['Interactions', 'A user did something to the bot. One event per interaction.'],
  actions: [
    'Actions',
    'The bot called the REST API of the platform. One event per call, when it settled. The answer to an interaction is none of them: the interaction carries it. Patterns: [actions](actions.md).',
  ],
  discord_events: [
    'Gateway counters',
    'What happened on the platform, counted by kind and shard in windows of 60 s. A kind is counted when any of its intents is on.',
  ],
  shards: ['Shards', 'Life of a gateway connection.'],
  errors: ['Errors', 'Failures in the code of the bot.'],
  guilds: ['Guilds', 'The bot was added to a guild or removed from one.'],
  snapshots: [
    'Snapshots',
    'State at intervals. Not stored as events and not counted toward the quota.',
  ],
};

export function eventsPage(): string {
  const groups = (Object.keys(GROUP_DOCS) as EventGroup[]).flatMap((group) => {
    const types = EVENT_TYPES.filter((type) => EVENT_GROUPS[type] === group);
    const [title, text] = GROUP_DOCS[group];
    return [
      `## ${title} (${types.length})`,
      text,
      group === 'discord_events' ? gateway() : list(types),
    ];
  });
  return page('Event types', CATALOGUE, [
    `The closed set of ${EVENT_TYPES.length} types. The server rejects any other (\`unknown_type\`). Fields of \`data\`: [data fields](data-fields.md).`,
    ...groups,
    '## In a quiet period',
    `After a 429 everything waits but ${QUIET_EXEMPT_TYPES.map(code).join(' and ')}, which are still sent.`,
  ]);
}

function list(types: readonly EventType[]): string {
  return types.map((type) => `- [\`${type}\`](data-fields.md#${anchorOf(type)})`).join('\n');
}

function gateway(): string {
  const rows = Object.entries(GATEWAY_KINDS).map(([type, kind]: [string, GatewayKind]) => [
    code(type),
    code(kind.dispatch),
    kind.intents.map((name) => `${name} (${grouped(INTENTS[name])})`).join(', '),
    `${code(kind.js)}${kind.cachedOnly === true ? ' (cached objects only, so the dispatch is counted)' : ''}`,
    code(kind.py),
  ]);
  return table(['type', 'dispatch', 'intents (bit)', 'discord.js', 'discord.py'], rows);
}

export function dataFieldsPage(): string {
  const shapes = dataShapes().flatMap(({ name, types, fields }) => [
    `## ${name}`,
    `${types.map(code).join(', ')}`,
    table(
      ['field', 'type', 'meaning', 'discord.js', 'discord.py'],
      Object.entries(fields).map(([key, field]) => [
        code(key),
        typeOf(field),
        field.doc,
        field.js,
        field.py,
      ]),
    ),
  ]);
  return page('Fields of `data`', '`protocol/src/data/`', [
    'An SDK writes every field of its type unless it is marked optional. `null` means: known to be unknown, never 0. Message content, option values and field texts are in none of them.',
    `Bounds: a string ${grouped(LIMITS.stringBytesMax)} UTF-8 bytes, all of \`data\` ${grouped(LIMITS.dataBytesMax)}; in errors \`name\` ${LIMITS.errorNameCharsMax} code points, \`message\` ${grouped(LIMITS.errorMessageBytesMax)} and \`stack\` ${grouped(LIMITS.errorStackBytesMax)} bytes.`,
    ...shapes,
  ]);
}

function anchorOf(type: EventType): string {
  return (dataShapes().find(({ types }) => types.includes(type))?.name ?? '').toLowerCase();
}

function typeOf(field: Field): string {
  const values = field.values?.map(code).join(', ');
  const kind = field.kind === 'code' ? 'integer or string' : field.kind;
  return [
    values === undefined ? kind : `one of ${values}`,
    field.unit === undefined ? '' : ` (${field.unit})`,
    field.nullable === true ? ' or null' : '',
    field.optional === true ? ', optional' : '',
  ].join('');
}

export function actionsPage(): string {
  const rows = (ACTION_PATTERNS as readonly ActionPattern[]).map((row) => [
    code(row.type),
    row.method,
    code(row.path),
    row.bodyKey === undefined ? '' : `with body key ${code(row.bodyKey)}`,
  ]);
  return page('Actions', '`protocol/src/actions.ts`', [
    'How a call of the REST API becomes an action. The pattern is matched with the path without `/api/vN` and query; `S` stands for a snowflake (17 to 20 digits). The first match wins; no route of the platform fits two types.',
    table(['type', 'method', 'path', ''], rows),
    'A call to `/interactions/S/TOKEN/callback` is no action: the interaction event carries it.',
    '## Names of changed properties',
    `\`data.fields\` holds names, never values, and only these: ${ACTION_BODY_FIELDS.map(code).join(', ')}.`,
    '## Routes',
    '`api_routes_snapshot` holds routes without ids, tokens, codes and emojis. Steps, in this order:',
    table(
      ['pattern', 'becomes'],
      ROUTE_STEPS.map(({ pattern, by }) => [code(pattern), code(by)]),
    ),
  ]);
}
