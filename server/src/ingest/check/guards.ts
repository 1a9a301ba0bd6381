import {
  DATA_FIELDS,
  EVENT_GROUPS,
  EVENT_TYPES,
  LIMITS,
  type EventType,
} from '@bot-analytics/protocol';
import { keyRule } from './key-rules.ts';
import { cutToBytes, cutToChars, repairText } from './text-guard.ts';

/** What the guards changed in one event's `data`; bits, because most events have none. */
export const CHANGES = {
  string_cut: 1,
  text_repaired: 2,
  content_stripped: 4,
  key_dropped: 8,
} as const;

type Cut = (text: string) => string;

/** How the top level of one event type's `data` differs from the levels below. */
interface TypeGuards {
  /** Fields of the catalogue: they stay although their name is one of CONTENT_KEYS. */
  readonly listed: ReadonlySet<string>;
  /** Own bounds instead of 4 KiB. */
  readonly cuts: ReadonlyMap<string, Cut>;
}

const cutString: Cut = (text) => cutToBytes(text, LIMITS.stringBytesMax);

/** Bounds of an error's texts. Spec: Serialisation guards. */
const ERROR_CUTS: ReadonlyMap<string, Cut> = new Map([
  ['name', (text: string) => cutToChars(text, LIMITS.errorNameCharsMax)],
  ['message', (text: string) => cutToBytes(text, LIMITS.errorMessageBytesMax)],
  ['stack', (text: string) => cutToBytes(text, LIMITS.errorStackBytesMax)],
]);

const GUARDS: ReadonlyMap<EventType, TypeGuards> = new Map(
  EVENT_TYPES.map((type) => [
    type,
    {
      listed: new Set(Object.keys(DATA_FIELDS[type])),
      cuts: EVENT_GROUPS[type] === 'errors' ? ERROR_CUTS : new Map<string, Cut>(),
    },
  ]),
);

type Json = Record<string, unknown>;

/**
 * Applies the guards to `data` as JSON.parse made it, in place, and returns the CHANGES bits.
 * `repair`: the body held `\u` escapes, so strings may hold lone surrogates or NUL.
 */
export function guardData(type: EventType, data: Json, repair: boolean): number {
  const guards = GUARDS.get(type);
  return guards === undefined ? 0 : guardObject(data, { guards, banned: null, repair });
}

interface Place {
  /** Set at the top level only. */
  readonly guards: TypeGuards | null;
  /** Keys that carry content here, beside those that always do: inside `options[]`, `components[]`. */
  readonly banned: ReadonlySet<string> | null;
  readonly repair: boolean;
}

function guardObject(object: Json, place: Place): number {
  let changes = place.repair ? repairKeys(object) : 0;
  for (const key of Object.keys(object)) {
    const rule = keyRule(key);
    if (rule.prototype) {
      delete object[key];
      changes |= CHANGES.key_dropped;
      continue;
    }
    const isContent = rule.content || (place.banned !== null && place.banned.has(rule.plain));
    if (isContent && place.guards?.listed.has(key) !== true) {
      delete object[key];
      changes |= CHANGES.content_stripped;
      continue;
    }
    changes |= guardProperty(object, key, place);
  }
  return changes;
}

function guardProperty(object: Json, key: string, place: Place): number {
  const value = object[key];
  if (typeof value === 'string') {
    const cut = place.guards?.cuts.get(key) ?? cutString;
    const short = cut(value);
    const kept = place.repair ? repairText(short) : short;
    if (kept !== value) object[key] = kept;
    return bitsOf(value, short, kept);
  }
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return guardList(value, keyRule(key).nested, place.repair);
  return guardObject(value as Json, { guards: null, banned: null, repair: place.repair });
}

function guardList(list: unknown[], banned: ReadonlySet<string> | null, repair: boolean): number {
  let changes = 0;
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (typeof value === 'string') {
      const short = cutString(value);
      const kept = repair ? repairText(short) : short;
      if (kept !== value) list[i] = kept;
      changes |= bitsOf(value, short, kept);
    } else if (Array.isArray(value)) {
      changes |= guardList(value, banned, repair);
    } else if (typeof value === 'object' && value !== null) {
      changes |= guardObject(value as Json, { guards: null, banned, repair });
    }
  }
  return changes;
}

function bitsOf(value: string, short: string, kept: string): number {
  return (short === value ? 0 : CHANGES.string_cut) | (kept === short ? 0 : CHANGES.text_repaired);
}

/** Keys are text as well. Order stays; of two keys that become equal the first stays. */
function repairKeys(object: Json): number {
  const entries = Object.entries(object);
  if (entries.every(([key]) => repairText(key) === key)) return 0;
  for (const [key] of entries) delete object[key];
  for (const [key, value] of entries) {
    const name = repairText(key);
    // A plain assignment to `__proto__` would set the prototype; the key goes in the next step.
    if (!Object.hasOwn(object, name)) {
      const property = { value, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(object, name, property);
    }
  }
  return CHANGES.text_repaired;
}
