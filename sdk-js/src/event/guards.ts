import { LIMITS, PROTOTYPE_KEYS } from '@bot-analytics/protocol';
import { isoOfDate } from './iso.ts';
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
  nodes: number;
  changed: boolean;
}

/** Cuts a text to its bound. */
type Cut = (text: string) => string;

const cutString: Cut = (text) => cutToBytes(text, LIMITS.stringBytesMax);
const ERROR_CUTS: ReadonlyMap<string, Cut> = new Map<string, Cut>([
  ['name', (text) => cutToChars(text, LIMITS.errorNameCharsMax)],
  ['message', (text) => cutToBytes(text, LIMITS.errorMessageBytesMax)],
  ['stack', (text) => cutToBytes(text, LIMITS.errorStackBytesMax)],
]);

// Kept from load time: a patched global must not break or change what is sent.
const stringify = JSON.stringify;
const { keys: keysOf, getPrototypeOf } = Object;
const isArray = Array.isArray;

const FORBIDDEN: ReadonlySet<string> = new Set(PROTOTYPE_KEYS);
/** Printable ASCII without `"` and `\`: such a text is its own JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** JSON of keys that were seen: the events of a type have the same. Saves 0.4 us of an event. */
const PLAIN_KEYS = new Map<string, string>();
const KNOWN_MAX = 500;
const KNOWN_CHARS_MAX = 100;
/** As long as this fits into the bound even if every code unit took 3 bytes. */
const SAFE_UNITS = Math.floor((LIMITS.dataBytesMax - 1) / 3);

/**
 * Writes `data` as JSON. Never throws. Values that JSON cannot hold are removed (null in arrays),
 * BigInt becomes text, invalid numbers null, lone surrogates U+FFFD; texts are cut on a code point
 * border; over 16 KiB the keys are kept in order while they fit. transport.md C16.
 *
 * @param isError the top-level `name`, `message` and `stack` have the bounds of an error payload
 */
export function guardData(data: object, isError: boolean): GuardedData {
  const walk: Walk = { ancestors: [data], nodes: 0, changed: false };
  let names: readonly string[];
  try {
    names = keysOf(data);
  } catch {
    return { json: '{}', changed: true };
  }
  const keys = new KeyWriter(data, walk);
  let json = '{';
  // Lengths after each key; only those near the bound can matter.
  const ends: number[] = [];
  for (const name of names) {
    const key = keys.write(name);
    if (key === undefined) continue;
    const cut = isError ? (ERROR_CUTS.get(name) ?? cutString) : cutString;
    const value = writeProperty(data, name, walk, cut);
    if (value === undefined) continue;
    json += json.length === 1 ? `${key}:${value}` : `,${key}:${value}`;
    if (json.length < SAFE_UNITS) ends[0] = json.length;
    else ends.push(json.length);
    // No later key can fit either: the text has more code units than the bound has bytes.
    if (json.length > LIMITS.dataBytesMax) break;
  }
  if (json.length < SAFE_UNITS) return { json: `${json}}`, changed: walk.changed };
  return fit(json, ends, walk.changed);
}

/** The longest start of `json` at one of `ends` that fits with its closing brace. */
function fit(json: string, ends: readonly number[], changed: boolean): GuardedData {
  const whole = `${json}}`;
  if (utf8Bytes(whole) <= LIMITS.dataBytesMax) return { json: whole, changed };
  for (let at = ends.length - 2; at >= 0; at -= 1) {
    const part = `${json.slice(0, ends[at])}}`;
    if (utf8Bytes(part) <= LIMITS.dataBytesMax) return { json: part, changed: true };
  }
  return { json: '{}', changed: true };
}

/** The JSON of one property, undefined when it is removed. */
function writeProperty(owner: object, name: string, walk: Walk, cut: Cut): string | undefined {
  try {
    const value: unknown = Reflect.get(owner, name);
    const json = write(value, walk, cut);
    // An absent optional field is no loss.
    if (json === undefined && value !== undefined) walk.changed = true;
    return json;
  } catch {
    walk.changed = true;
    return undefined;
  }
}

function write(value: unknown, walk: Walk, cut: Cut): string | undefined {
  walk.nodes += 1;
  if (walk.nodes > LIMITS.dataNodesMax) return undefined;
  switch (typeof value) {
    case 'string':
      return writeText(value, walk, cut);
    case 'number':
      return writeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return writeText(String(value), walk, cut);
    case 'object':
      return value === null ? 'null' : writeObject(value, walk, cut);
    case 'undefined':
    case 'function':
    case 'symbol':
      return undefined;
  }
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? `"${BigInt(value)}"`
    : `${value}`;
}

function writeText(text: string, walk: Walk, cut: Cut): string {
  const short = cut(text);
  if (short.length !== text.length) walk.changed = true;
  if (PLAIN.test(short)) return `"${short}"`;
  return stringify(repairText(short));
}

/** Writes the keys of one object: repaired, none twice, none that could change a prototype. */
class KeyWriter {
  readonly #owner: object;
  readonly #walk: Walk;
  /** Keys written so far; kept from the first repaired key on, since only that can make a double. */
  #written: Set<string> | undefined;

  constructor(owner: object, walk: Walk) {
    this.#owner = owner;
    this.#walk = walk;
  }

  /** The key as JSON text, undefined when it goes with its value. */
  write(name: string): string | undefined {
    if (this.#written === undefined) {
      const known = PLAIN_KEYS.get(name);
      if (known !== undefined) return known;
      if (name.length <= KNOWN_CHARS_MAX && PLAIN.test(name) && !FORBIDDEN.has(name)) {
        const json = `"${name}"`;
        if (PLAIN_KEYS.size < KNOWN_MAX) PLAIN_KEYS.set(name, json);
        return json;
      }
    }
    const key = this.#repair(name);
    if (key === undefined) this.#walk.changed = true;
    return key;
  }

  #repair(name: string): string | undefined {
    if (cutString(name).length !== name.length) return undefined;
    const key = repairText(name);
    if (FORBIDDEN.has(key)) return undefined;
    if (key !== name || this.#written !== undefined) {
      this.#written ??= new Set(keysBefore(this.#owner, name));
      if (this.#written.has(key)) return undefined;
      this.#written.add(key);
    }
    return stringify(key);
  }
}

function keysBefore(owner: object, name: string): readonly string[] {
  const names = keysOf(owner);
  return names.slice(0, names.indexOf(name));
}

function writeObject(value: object, walk: Walk, cut: Cut): string | undefined {
  // Checked before anything of the value runs: its own code could recurse without end.
  if (walk.ancestors.length >= LIMITS.dataDepthMax || walk.ancestors.includes(value)) {
    return undefined;
  }
  walk.ancestors.push(value);
  try {
    return writeBranch(value, walk, cut);
  } catch {
    return undefined;
  } finally {
    walk.ancestors.pop();
  }
}

function writeBranch(value: object, walk: Walk, cut: Cut): string | undefined {
  if (isArray(value)) return writeArray(value, walk);
  const prototype: unknown = getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    if (value instanceof Date) return writeDate(value);
    if (value instanceof Error) return writeError(value, walk);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return undefined;
    if (isBoxed(value)) return write(value.valueOf(), walk, cut);
  }
  const toJson = toJsonOf(value, prototype);
  if (typeof toJson === 'function') return write(Reflect.apply(toJson, value, ['']), walk, cut);
  return writeRecord(value, walk);
}

/** A `toJSON` of the value's own or its class; one that a bot put onto every object is not asked. */
function toJsonOf(value: object, prototype: unknown): unknown {
  const plain = prototype === Object.prototype || prototype === null;
  return plain && !Object.hasOwn(value, 'toJSON') ? undefined : Reflect.get(value, 'toJSON');
}

function isBoxed(value: object): boolean {
  return (
    value instanceof String ||
    value instanceof Number ||
    value instanceof Boolean ||
    value instanceof BigInt
  );
}

function writeDate(date: Date): string {
  const text = isoOfDate(date);
  return text === null ? 'null' : `"${text}"`;
}

/** An Error inside `data`: name, message and stack, which are not enumerable, with their bounds. */
function writeError(error: Error, walk: Walk): string {
  const parts: string[] = [];
  for (const [name, cut] of ERROR_CUTS) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string') parts.push(`"${name}":${writeText(value, walk, cut)}`);
  }
  return `{${parts.join(',')}}`;
}

function writeArray(list: readonly unknown[], walk: Walk): string {
  let json = '[';
  for (let at = 0; at < list.length; at += 1) {
    if (walk.nodes >= LIMITS.dataNodesMax || json.length > LIMITS.dataBytesMax) {
      walk.changed = true;
      break;
    }
    const item = writeProperty(list, `${at}`, walk, cutString) ?? 'null';
    json += at === 0 ? item : `,${item}`;
  }
  return `${json}]`;
}

function writeRecord(record: object, walk: Walk): string {
  const keys = new KeyWriter(record, walk);
  let json = '{';
  // for-in with a break: `Object.keys` of 200,000 keys costs more than the rest of the walk.
  for (const name in record) {
    if (!Object.hasOwn(record, name)) continue;
    if (walk.nodes >= LIMITS.dataNodesMax || json.length > LIMITS.dataBytesMax) {
      walk.changed = true;
      break;
    }
    const key = keys.write(name);
    if (key === undefined) continue;
    const value = writeProperty(record, name, walk, cutString);
    if (value !== undefined) json += json.length === 1 ? `${key}:${value}` : `,${key}:${value}`;
  }
  return `${json}}`;
}
