/** A parsed JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A parsed JSON object; a missing key reads as `undefined`. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string (kept as it is), or a whole number of so many digits that 2^53 may be exceeded. */
const LONG_INTEGERS = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Text → value; `undefined` when it is not JSON. Ids that came as numbers become text: discord.py
 * writes some that way, and a JavaScript number would round them.
 */
export function parseJson(text: string): Json | undefined {
  const exact = text.replaceAll(LONG_INTEGERS, (part) =>
    part.startsWith('"') ? part : `"${part}"`,
  );
  try {
    return JSON.parse(exact) as Json; // parse border: JSON.parse returns any
  } catch {
    return undefined;
  }
}

/** The object under `key`, or an empty one. */
export function objectAt(body: JsonObject, key: string): JsonObject {
  const value = body[key];
  return isObject(value) ? value : {};
}

/** The array under `key`, or an empty one. */
export function listAt(body: JsonObject, key: string): readonly Json[] {
  const value = body[key];
  return Array.isArray(value) ? value : [];
}

/** The objects of the array under `key`; other members are left out. */
export function objectsAt(body: JsonObject, key: string): readonly JsonObject[] {
  return listAt(body, key).filter(isObject);
}

/** The strings of the array under `key`; other members are left out. */
export function textsAt(body: JsonObject, key: string): readonly string[] {
  return listAt(body, key).filter((value) => typeof value === 'string');
}

export function textAt(body: JsonObject, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(body: JsonObject, key: string): number | undefined {
  const value = body[key];
  return typeof value === 'number' ? value : undefined;
}

export function booleanAt(body: JsonObject, key: string): boolean | undefined {
  const value = body[key];
  return typeof value === 'boolean' ? value : undefined;
}
