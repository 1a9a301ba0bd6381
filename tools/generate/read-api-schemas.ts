import * as readApi from '@bot-analytics/protocol/read-api';
import { z } from 'zod';
import type { Schema } from './json-schema.ts';
import { upperFirst } from './shapes.ts';

/** Every schema of the read API with its name: exported ones by their export, others by their route. */
const NAMES = new Map<z.ZodType, string>();
for (const [name, value] of Object.entries(readApi)) {
  if (value instanceof z.ZodType && /^[A-Z]/.test(name)) NAMES.set(value, name);
}
for (const [name, route] of Object.entries(readApi.ROUTES) as [string, readApi.Route][]) {
  if (route.answer !== 'text' && route.status !== 204) named(`${name}Answer`, route.answer);
  if (route.body !== null) named(`${name}Body`, route.body);
}

/** The name of a schema; `otherwise` when no export names it. */
export function named(otherwise: string, schema: z.ZodType): string {
  const known = NAMES.get(schema) ?? upperFirst(otherwise);
  NAMES.set(schema, known);
  return known;
}

/** All of them as JSON Schema, sorted by name, that refer to each other below `refs`. */
export function schemas(refs: string): Readonly<Record<string, Schema>> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of NAMES) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    uri: (id) => `${refs}${id}`,
    override: readable,
  }).schemas;
  return Object.fromEntries(
    Object.entries(made)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [name, plain(schema)]),
  );
}

/** One schema that no other refers to. */
export function inline(schema: z.ZodType): Schema {
  return plain(z.toJSONSchema(schema, { override: readable }));
}

/** Leaves out what `format` or the type says anyway: a pattern of 300 characters, the bound 2^53 - 1. */
function readable({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Without what only a document of its own has. */
function plain(schema: object): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => !['$schema', '$id', 'id', '~standard'].includes(key)),
  );
}
