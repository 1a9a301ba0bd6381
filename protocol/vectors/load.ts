import { readFileSync } from 'node:fs';

/** Who runs a case. */
export type Runner = 'sdk' | 'server';

/** One case of a vector file, its notation resolved. */
export interface VectorCase<In, Out> {
  readonly name: string;
  readonly in: In;
  readonly out: Out;
  readonly for?: readonly Runner[];
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const SURROGATES: Readonly<Record<string, string>> = { loneHigh: '\ud83d', loneLow: '\ude00' };
const NUMBERS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
};

/**
 * The cases of `protocol/vectors/<file>.json`, those of the other runner left out. The caller names
 * the types of `in` and `out`; the shape of every file is checked by the tests of `protocol/`.
 */
export function loadVectors<In, Out>(file: string, runner?: Runner): VectorCase<In, Out>[] {
  const text = readFileSync(new URL(`./${file}.json`, import.meta.url), 'utf8');
  const { cases } = JSON.parse(text) as { cases: VectorCase<Json, Json>[] };
  return cases
    .filter((one) => runner === undefined || one.for === undefined || one.for.includes(runner))
    .map((one) => ({ ...one, in: resolve(one.in) as In, out: resolve(one.out) as Out }));
}

/** Resolves the notation of README.md. */
function resolve(value: Json, parent?: object): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const element of value) list.push(resolve(element, list));
    return list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const tag = Object.hasOwn(value, '$') ? value['$'] : undefined;
  return typeof tag === 'string' ? special(tag, value, parent) : object(Object.entries(value));
}

function object(entries: readonly (readonly [Json, Json])[]): object {
  const made = {};
  for (const [key, value] of entries) {
    // Plain assignment would set the prototype for the key `__proto__`.
    Object.defineProperty(made, String(resolve(key)), {
      value: resolve(value, made),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return made;
}

function special(tag: string, value: { [key: string]: Json }, parent?: object): unknown {
  const prefix = typeof value['prefix'] === 'string' ? value['prefix'] : '';
  const count = Number(value['count'] ?? value['times'] ?? value['depth'] ?? 0);
  switch (tag) {
    case 'bigint':
      return BigInt(value['text'] as string);
    case 'repeat':
      return String(resolve(value['text'] ?? '')).repeat(count);
    case 'concat':
      return (value['parts'] as Json[]).map((part) => resolve(part)).join('');
    case 'nest':
      return nest(value, count);
    case 'items':
      return Array.from({ length: count }, () => resolve(value['value'] ?? null));
    case 'keys':
      return object(
        Array.from({ length: count }, (_, i) => [`${prefix}${i}`, value['value'] ?? null]),
      );
    case 'entries':
      return object(value['entries'] as [Json, Json][]);
    case 'circular':
      return parent;
    default: {
      const found = SURROGATES[tag] ?? NUMBERS[tag];
      if (found === undefined) throw new Error(`Unknown notation "${tag}"`);
      return found;
    }
  }
}

function nest(value: { [key: string]: Json }, depth: number): unknown {
  const wrap = (inner: unknown): unknown => (value['of'] === 'array' ? [inner] : { a: inner });
  const empty = value['of'] === 'array' ? [] : {};
  let made = value['leaf'] === undefined ? empty : wrap(resolve(value['leaf']));
  for (let level = 1; level < depth; level += 1) made = wrap(made);
  return made;
}
