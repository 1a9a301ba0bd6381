import { readFileSync } from 'node:fs';
import {
  ACTION_BODY_FIELDS,
  ACTION_PATTERNS,
  GATEWAY_KINDS,
  INTENTS,
  QUIET_EXEMPT_TYPES,
} from '@bot-analytics/protocol';

/**
 * The wire's tables as the bundle carries them: the same facts, read from `protocol/` at build time,
 * as one text each, of which most repeats itself, and without docs and Python columns. What the
 * tables come out as is compared with `protocol/` by a test.
 */
const text = (value) => JSON.stringify(value);

/** `kind bits dispatch`; a dispatch that is the kind in capitals is left out, intents are a sum. */
function gatewayRows() {
  return Object.entries(GATEWAY_KINDS).map(([type, { dispatch, intents }]) => {
    const kind = type.slice('event_'.length);
    const bits = intents.reduce((sum, name) => sum | INTENTS[name], 0);
    return dispatch === kind.toUpperCase() ? `${kind} ${bits}` : `${kind} ${bits} ${dispatch}`;
  });
}

const CATALOGUE = `
export const GATEWAY_KINDS = Object.fromEntries(
  ${text(gatewayRows().join(','))}.split(',').map((row) => {
    const [kind, intents, dispatch = kind.toUpperCase()] = row.split(' ');
    return ['event_' + kind, { intents, dispatch }];
  }),
);
export const GATEWAY_TYPES = Object.keys(GATEWAY_KINDS);
export const QUIET_EXEMPT_TYPES = ${text(QUIET_EXEMPT_TYPES)};
`;

const INTENT_TEST = `
import { GATEWAY_KINDS, GATEWAY_TYPES } from './catalogue.ts';
export const gatewayTypesFor = (bits) =>
  GATEWAY_TYPES.filter((type) => bits & GATEWAY_KINDS[type].intents);
`;

/** `type method path key`, the path without its anchors. */
function actionRows() {
  return ACTION_PATTERNS.map(({ type, method, path, bodyKey }) =>
    [type.slice('action_'.length), method, path.slice(1, -1), bodyKey].join(' ').trim(),
  );
}

const ACTION_TABLE = `= ${text(actionRows().join(','))}.split(',').map((row) => {
  const [type, method, path, bodyKey] = row.split(' ');
  return { type: 'action_' + type, method, path: '^' + path + '$', bodyKey };
})`;

function actions(id) {
  const source = readFileSync(id, 'utf8');
  return replaced(
    replaced(
      source,
      /= \[\n  \{ type[^;]*\] as const satisfies readonly ActionPattern\[\]/,
      ACTION_TABLE,
    ),
    /= \[\n  'nick'[^;]*\] as const/,
    `= ${text(ACTION_BODY_FIELDS.join(' '))}.split(' ')`,
  );
}

function replaced(source, pattern, by) {
  if (!pattern.test(source)) throw new Error(`the wire's table has another form: ${pattern}`);
  return source.replace(pattern, () => by);
}

/** Text of a module of `protocol/` for the bundle; null when it is taken as it is. */
export function wireTables(id) {
  const name = /\/protocol\/src\/([\w-]+)\.ts$/.exec(id)?.[1];
  if (name === 'catalogue') return CATALOGUE;
  if (name === 'intents') return INTENT_TEST;
  // Tables of the fields of `data`: the types were made of them, the code never asks.
  if (name === 'data') return 'export {};';
  return name === 'actions' ? actions(id) : null;
}
