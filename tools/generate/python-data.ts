import type { Field, FieldTable } from '@bot-analytics/protocol';
import { dataShapes, upperFirst } from './shapes.ts';

/** Widest docstring line, so that with its indent it stays within 100 columns. */
const DOC_COLUMNS = 88;

const PYTHON_TYPES: Readonly<Record<Field['kind'], string>> = {
  string: 'str',
  boolean: 'bool',
  integer: 'int',
  number: 'float',
  iso: 'str',
  uuid: 'str',
  code: 'int | str',
  strings: 'list[str]',
  routes: 'list[RouteCount]',
  object: 'dict[str, Any]',
};

/**
 * A TypedDict for `data` of every shape, for the event and for the batch. Optional keys stand in a
 * subclass with `total=False`: `NotRequired` came with Python 3.11.
 */
export function typedDicts(): string {
  const aliases = new Map<string, string>();
  const shapes = dataShapes().map(({ name, fields, types }) =>
    typedDict(`${name}Data`, fields, docOf(types), aliases),
  );
  const literals = [...aliases].map(
    ([values, alias]) => `${alias}: TypeAlias = Literal[\n${values}\n]`,
  );
  return [...literals, '', '', ROUTE_COUNT, '', '', shapes.join('\n\n\n'), '', '', EVENT].join(
    '\n',
  );
}

const ROUTE_COUNT = `class RouteCount(TypedDict):
    """One row of an api_routes_snapshot."""

    method: str
    route: str
    count: int`;

const EVENT = `class _EventRequired(TypedDict):
    id: str
    type: EventType
    ts: str
    data: dict[str, Any]


class Event(_EventRequired, total=False):
    """One event on the wire; ids of the platform only where they apply."""

    guildId: str
    channelId: str
    userId: str


class Sdk(TypedDict):
    """Name and version of an SDK."""

    name: str
    version: str


class Batch(TypedDict):
    """Body of the ingestion call."""

    batchId: str
    sdk: Sdk
    sentAt: str
    events: list[Event]`;

function docOf(types: readonly string[]): string {
  if (types.length > 2) return `\`\`data\`\` of the ${types.length} types of its group.`;
  return `\`\`data\`\` of ${types.map((type) => `\`\`${type}\`\``).join(' and ')}.`;
}

function typedDict(
  name: string,
  fields: FieldTable,
  doc: string,
  aliases: Map<string, string>,
): string {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.optional === undefined);
  const optional = entries.filter(([, field]) => field.optional === true);
  const body = (list: typeof entries): string =>
    list.map(([key, field]) => member(key, field, aliases)).join('\n');
  if (optional.length === 0) {
    return `class ${name}(TypedDict):\n    """${doc}"""\n\n${body(required)}`;
  }
  return [
    `class _${name}Required(TypedDict):\n${body(required)}`,
    '',
    '',
    `class ${name}(_${name}Required, total=False):\n    """${doc}"""\n\n${body(optional)}`,
  ].join('\n');
}

function member(key: string, field: Field, aliases: Map<string, string>): string {
  const type = field.values === undefined ? PYTHON_TYPES[field.kind] : alias(key, field, aliases);
  const unit = field.unit === undefined ? '' : ` Unit: ${field.unit}.`;
  const nullable = field.nullable === true ? ' | None' : '';
  return `    ${key}: ${type}${nullable}\n    """${wrapped(`${field.doc}${unit}`)}"""\n`;
}

/** A named Literal for a closed set of values. */
function alias(key: string, field: Field, aliases: Map<string, string>): string {
  const values = (field.values ?? []).map((value) => `    ${JSON.stringify(value)},`).join('\n');
  const name = upperFirst(key);
  const known = aliases.get(values) ?? name;
  aliases.set(values, known);
  return known;
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > DOC_COLUMNS) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  if (lines.length === 1) return line;
  return `${lines.join('\n    ')}\n    `;
}
