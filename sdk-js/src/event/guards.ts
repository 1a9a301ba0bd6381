import { LIMITS, PROTOTYPE_KEYS } from '@bot-analytics/protocol';
import { text } from '../core/read.ts';
import { cutToBytes, cutToChars, repairText, utf8Bytes } from './text.ts';

/** `data` as JSON text, within the guards. Spec: Serialisation guards. */
export interface GuardedData {
  readonly json: string;
  /** Something was cut, replaced or removed. */
  readonly changed: boolean;
}

interface Walk {
  /** Objects between the root and the present value; a value among them is circular. */
  readonly ancestors: object[];
  /** Values so far. */
  nodes: number;
  /** Code units of keys and texts so far: the JSON has at least as many bytes. */
  units: number;
  changed: boolean;
}

/** Cuts a text to its bound. */
type Cut = (text: string) => string;
type Cuts = Readonly<Record<string, Cut | null>>;
type Copy = Record<string, unknown>;

const cutString: Cut = (text) => cutToBytes(text, LIMITS.stringBytesMax);
const ERROR_CUTS: Cuts = {
  __proto__: null,
  name: (text) => cutToChars(text, LIMITS.errorNameCharsMax),
  message: (text) => cutToBytes(text, LIMITS.errorMessageBytesMax),
  stack: (text) => cutToBytes(text, LIMITS.errorStackBytesMax),
};

// Kept from load time: a patched global must not break or change what is sent.
const { stringify } = JSON;
const { create, getPrototypeOf, hasOwn, keys, setPrototypeOf } = Object;
const PLAIN: unknown = Object.prototype;
/** Prototype of copies: a `toJSON` that a bot put onto every object is not theirs. */
const NOTHING: object = create(null);
const FORBIDDEN: readonly string[] = PROTOTYPE_KEYS;
/** No event has so many keys; more of them take time to look at. */
const PLAIN_KEYS_MAX = 100;
const BOXES = [String, Number, Boolean, BigInt];

/**
 * Writes `data` as JSON. Never throws. Values that JSON cannot hold are removed (null in arrays),
 * BigInt becomes text, invalid numbers null, lone surrogates U+FFFD; texts are cut on a code point
 * border; over 16 KiB the keys are kept in order while they fit. transport.md C16.
 *
 * @param isError the top-level `name`, `message` and `stack` have the bounds of an error payload
 */
export function guardData(data: object, isError: boolean): GuardedData {
  try {
    if (isPlain(data as Copy)) {
      const json = stringify(data);
      // NUL and lone surrogates are written as \u escapes, and little else is. A third of the bound
      // is safe without counting bytes.
      if (json.length * 3 <= LIMITS.dataBytesMax && !json.includes('\\u')) {
        return { json, changed: false };
      }
    }
  } catch {
    // What throws is left out below.
  }
  return guardForeign(data, isError);
}

/** Nothing of it needs a guard: what the SDK itself puts together mostly is so, and is not copied. */
function isPlain(data: Copy): boolean {
  let count = 0;
  for (const name in data) {
    count += 1;
    const value = data[name];
    const fine =
      typeof value === 'string'
        ? value.length <= LIMITS.errorNameCharsMax
        : typeof value === 'number'
          ? Math.abs(value) <= Number.MAX_SAFE_INTEGER
          : typeof value === 'boolean' || value === null || value === undefined;
    if (!fine || name.length > LIMITS.errorNameCharsMax || count > PLAIN_KEYS_MAX) return false;
  }
  return (
    getPrototypeOf(data) === PLAIN &&
    !('toJSON' in data) &&
    !FORBIDDEN.some((name) => hasOwn(data, name))
  );
}

/** Copies what may be sent, and writes the copy. */
function guardForeign(data: object, isError: boolean): GuardedData {
  const walk: Walk = { ancestors: [data], nodes: 0, units: 0, changed: false };
  let copy: Copy = create(NOTHING);
  try {
    copy = copyRecord(data, walk, isError ? ERROR_CUTS : undefined);
  } catch {
    walk.changed = true;
  }
  const json = stringify(copy);
  return utf8Bytes(json) <= LIMITS.dataBytesMax
    ? { json, changed: walk.changed }
    : { json: stringify(startOf(copy)), changed: true };
}

/** The first keys of `copy` that fit into the bound together. */
function startOf(copy: Copy): Copy {
  const kept: Copy = create(NOTHING);
  let bytes = 1;
  for (const key of keys(copy)) {
    const single: Copy = create(NOTHING);
    single[key] = copy[key];
    // Its braces make room for a comma or the last brace.
    bytes += utf8Bytes(stringify(single)) - 1;
    if (bytes > LIMITS.dataBytesMax) break;
    kept[key] = copy[key];
  }
  return kept;
}

function copyRecord(record: object, walk: Walk, cuts?: Cuts): Copy {
  const copy: Copy = create(NOTHING);
  // for-in with a break: `Object.keys` of 200,000 keys costs more than the rest of the walk.
  for (const name in record) {
    if (!hasOwn(record, name)) continue;
    if (isFull(walk)) break;
    const key = repairText(name);
    // Keys that are repaired can become equal.
    if (cutString(name) !== name || FORBIDDEN.includes(key) || key in copy) {
      walk.changed = true;
      continue;
    }
    const value = copyProperty(record, name, walk, cuts?.[name] ?? cutString);
    if (value === undefined) continue;
    copy[key] = value;
    walk.units += key.length;
  }
  return copy;
}

function copyArray(list: readonly unknown[], walk: Walk): unknown[] {
  const copy: unknown[] = [];
  for (let at = 0; at < list.length && !isFull(walk); at += 1) {
    copy.push(copyProperty(list, at, walk, cutString));
  }
  setPrototypeOf(copy, NOTHING);
  return copy;
}

/** There is no room for more, or enough was looked at. */
function isFull(walk: Walk): boolean {
  const full = walk.nodes >= LIMITS.dataNodesMax || walk.units > LIMITS.dataBytesMax;
  if (full) walk.changed = true;
  return full;
}

/** The copy of one property, undefined when it is removed. */
function copyProperty(owner: object, name: PropertyKey, walk: Walk, cut: Cut): unknown {
  const depth = walk.ancestors.length;
  try {
    const value: unknown = Reflect.get(owner, name);
    const copy = copied(value, walk, cut);
    // An absent optional field is no loss.
    if (copy === undefined && value !== undefined) walk.changed = true;
    return copy;
  } catch {
    walk.changed = true;
    return undefined;
  } finally {
    walk.ancestors.length = depth;
  }
}

/** What may be sent of a value; undefined when nothing. */
function copied(value: unknown, walk: Walk, cut: Cut): unknown {
  walk.nodes += 1;
  switch (typeof value) {
    case 'string':
      return copyText(value, walk, cut);
    case 'number':
      // Readers of JSON round larger integers.
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${BigInt(value)}` : value;
    case 'bigint':
      return copyText(`${value}`, walk, cut);
    case 'object':
      return value === null ? null : copyObject(value, walk, cut);
    case 'boolean':
      return value;
    case 'undefined':
    case 'function':
    case 'symbol':
      return undefined;
  }
}

function copyText(text: string, walk: Walk, cut: Cut): string {
  const short = cut(text);
  if (short !== text) walk.changed = true;
  const sent = repairText(short);
  walk.units += sent.length;
  return sent;
}

function copyObject(value: object, walk: Walk, cut: Cut): unknown {
  const { ancestors } = walk;
  // Checked before anything of the value runs: its own code could recurse without end.
  if (ancestors.length >= LIMITS.dataDepthMax || ancestors.includes(value)) return undefined;
  ancestors.push(value);
  if (Array.isArray(value)) return copyArray(value, walk);
  const prototype: unknown = getPrototypeOf(value);
  const isClass = prototype !== PLAIN && prototype !== null;
  if (isClass) {
    if (value instanceof Error) {
      // None of them can be enumerated; what is no text is the bot's own.
      const { name, message, stack } = value;
      const texts = Object.entries({ name, message, stack }).filter(([, part]) => text(part));
      return copyRecord(Object.fromEntries(texts), walk, ERROR_CUTS);
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return undefined;
    if (BOXES.some((box) => value instanceof box)) return copied(value.valueOf(), walk, cut);
  }
  // A `toJSON` that a bot put onto every object is not asked.
  if (isClass || hasOwn(value, 'toJSON')) {
    const toJson: unknown = Reflect.get(value, 'toJSON');
    if (typeof toJson === 'function') return copied(Reflect.apply(toJson, value, ['']), walk, cut);
  }
  return copyRecord(value, walk);
}
