import { CONTENT_KEYS, NESTED_CONTENT_KEYS, PROTOTYPE_KEYS } from '@bot-analytics/protocol';

/** What a key of `data` calls for. */
export interface KeyRule {
  /** Carries message content or a secret wherever it stands. */
  readonly content: boolean;
  /** Could change an object's prototype. */
  readonly prototype: boolean;
  /** Keys that carry content in the elements of a list under this key. */
  readonly nested: ReadonlySet<string> | null;
  /** The key without case, `_` and `-`, as CONTENT_KEYS are written. */
  readonly plain: string;
}

const CONTENT = new Set<string>(CONTENT_KEYS);
const PROTOTYPE = new Set<string>(PROTOTYPE_KEYS);
const NESTED = new Map<string, ReadonlySet<string>>(
  Object.entries(NESTED_CONTENT_KEYS).map(([key, values]) => [key, new Set(values)]),
);

/** Real bots use about a hundred keys; the bound is for those who send others on purpose. */
const REMEMBERED_MAX = 10_000;
const remembered = new Map<string, KeyRule>();

function ruleFor(key: string): KeyRule {
  const plain = key.replace(/[_-]/g, '').toLowerCase();
  return {
    content: CONTENT.has(plain),
    prototype: PROTOTYPE.has(key),
    nested: NESTED.get(plain) ?? null,
    plain,
  };
}

/** The rule of a key, from memory where it was seen before. */
export function keyRule(key: string): KeyRule {
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const rule = ruleFor(key);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  if (key.length <= 100) remembered.set(key, rule);
  return rule;
}
