import { RANGE_LIMITS, type Route, ROUTES } from '@bot-analytics/protocol/read-api';
import { code, grouped, page, table } from './markdown.ts';
import { mediaTypes } from './media-types.ts';
import { named, schemas } from './read-api-schemas.ts';
import type { Schema } from './json-schema.ts';

export function readApiPage(): string {
  const routes = Object.entries(ROUTES) as [string, Route][];
  return page('Read and management API', '`protocol/src/read-api.ts`', [
    'JSON; errors are [problem documents](errors.md). Callers: `read` is a read key (`Authorization: Bearer bar_…`) for its own bot, `admin` the token in the data directory, `session` the cookie of the dashboard, `share` the token of a share link in the path, `anyone` needs nothing. Machine-readable: [openapi.json](../../protocol/generated/openapi.json). The call that takes events is on its own page: [ingest](ingest.md).',
    table(
      ['route', 'callers', 'answer'],
      routes.map(([name, route]) => [
        `[\`${route.method} ${route.path}\`](#${name.toLowerCase()})`,
        route.callers.join(', '),
        route.doc,
      ]),
    ),
    '## Bounds',
    table(
      ['name', 'value'],
      Object.entries(RANGE_LIMITS).map(([name, value]) => [code(name), grouped(value)]),
    ),
    '## Routes',
    ...routes.flatMap(([name, route]) => section(name, route)),
    '## Shapes',
    ...Object.entries(schemas('#/')).flatMap(([name, schema]) => [
      `### ${name}`,
      `\`\`\`\n${shape(schema, '')}\n\`\`\``,
    ]),
  ]);
}

function section(name: string, route: Route): readonly string[] {
  const parts = [`### ${name}`, `\`${route.method} ${route.path}\`: ${route.doc}.`];
  if (route.params.length > 0) {
    parts.push(
      table(
        ['parameter', 'in', '', 'meaning'],
        route.params.map((param) => [
          code(param.name),
          param.in,
          param.required ? 'required' : 'optional',
          param.doc,
        ]),
      ),
    );
  }
  if (route.body !== null) parts.push(`Body: ${link(named(`${name}Body`, route.body))}.`);
  parts.push(`Answer ${route.status}${answer(name, route)}.`);
  if (route.errors.length > 0) parts.push(`Errors: ${route.errors.map(code).join(', ')}.`);
  return parts;
}

function answer(name: string, route: Route): string {
  if (route.status === 204) return ' without a body';
  const types = mediaTypes(route).map(code).join(', ');
  if (route.answer === 'text') return ` as ${types}`;
  return `: ${link(named(`${name}Answer`, route.answer))}, as ${types}`;
}

const link = (name: string): string => `[${name}](#${name.toLowerCase()})`;

/** A schema in a short notation: `{ field: type  // meaning }`. */
function shape(schema: Schema, indent: string): string {
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return typeName(schema, indent);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const lines = Object.entries(properties as Record<string, Schema>).map(([key, value]) => {
    const about = typeof value['description'] === 'string' ? `  // ${value['description']}` : '';
    const mark = required.includes(key) ? '' : '?';
    return `${indent}  ${key}${mark}: ${typeName(value, `${indent}  `)}${about}`;
  });
  return ['{', ...lines, `${indent}}`].join('\n');
}

function typeName(schema: Schema, indent: string): string {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return reference.replace('#/', '');
  const union = schema['anyOf'];
  if (Array.isArray(union)) {
    return (union as Schema[]).map((one) => typeName(one, indent)).join(' | ');
  }
  const values = schema['enum'];
  if (Array.isArray(values)) {
    return values.length > 12
      ? 'one of a closed set'
      : values.map((one) => JSON.stringify(one)).join(' | ');
  }
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (schema['type'] === 'array') return `[${typeName(schema['items'] as Schema, indent)}]`;
  if (schema['properties'] !== undefined) return shape(schema, indent);
  const plain = schema['format'] ?? schema['type'];
  return typeof plain === 'string' ? plain : 'any';
}
