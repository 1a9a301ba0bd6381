import {
  ACTION_BODY_FIELDS,
  ACTION_PATTERNS,
  API_PATH_STEPS,
  GATEWAY_KINDS,
  INTENTS,
  QUIET_EXEMPT_TYPES,
  ROUTE_STEPS,
} from '@bot-analytics/protocol';

/**
 * The wire's tables as the bundle carries them: the same facts, read from `protocol/` at build time,
 * as one text each, of which most repeats itself, and without docs and Python columns. What comes
 * of them is compared with `protocol/` by a test.
 */
const text = (value) => JSON.stringify(value);
const table = (rows) => text(rows.map((row) => row.join(' ')).join(';'));

/** `kind bits dispatch`; a dispatch that is the kind in capitals is left out, intents are a sum. */
function gatewayRows() {
  return Object.entries(GATEWAY_KINDS).map(([type, { dispatch, intents }]) => {
    const kind = type.slice('event_'.length);
    const bits = intents.reduce((sum, name) => sum | INTENTS[name], 0);
    return dispatch === kind.toUpperCase() ? [kind, bits] : [kind, bits, dispatch.toLowerCase()];
  });
}

const CATALOGUE = `
export const tableOf = (text) => text.split(';').map((row) => row.split(' '));
export const GATEWAY = tableOf(${table(gatewayRows())});
export const QUIET_EXEMPT_TYPES = ${text(QUIET_EXEMPT_TYPES)};
`;

const INTENT_TEST = `
import { GATEWAY } from './catalogue.ts';
export const gatewayDispatchesFor = (bits) =>
  GATEWAY.filter(([, intents]) => bits & intents).map(([kind, , dispatch = kind]) => [
    'event_' + kind,
    dispatch.toUpperCase(),
  ]);
`;

/** Steps that a path goes through before it is compared: the encoded names are for all patterns. */
const ENCODED = ROUTE_STEPS.find(({ pattern }) => pattern.includes('%40'));
const PATH_STEPS = [
  ...API_PATH_STEPS.map((pattern) => [pattern, '']),
  [ENCODED.pattern, ENCODED.by],
];

/** `type method+path key`, 0 for a snowflake; the path has no anchors and no encoded names. */
function actionRows() {
  return ACTION_PATTERNS.map(({ type, method, path, bodyKey = [] }) =>
    [
      type.slice('action_'.length),
      method +
        path
          .slice(1, -1)
          .replaceAll(/\|%40\w+/g, '')
          .replaceAll('S', '0')
          .replaceAll('(@me)', '@me'),
    ].concat(bodyKey),
  );
}

const ACTIONS = `
import { tableOf } from './catalogue.ts';
export const ACTION_BODY_FIELDS = tableOf(${table([ACTION_BODY_FIELDS])})[0];
export const replacer = (steps) => {
  const list = tableOf(steps).map(([pattern, by]) => [new RegExp(pattern, 'g'), by]);
  return (path) => list.reduce((text, [regex, by]) => text.replace(regex, by), path);
};
export const apiPath = replacer(${table(PATH_STEPS)});
const PATTERNS = tableOf(${table(actionRows())}).map(([type, path, bodyKey]) => [
  'action_' + type,
  new RegExp('^' + path.replaceAll('0', '[0-9]{17,20}') + '$'),
  bodyKey,
]);
/** Takes what \`apiPath\` made. */
export const classifyAction = (method, path, keys) =>
  PATTERNS.find(
    ([, regex, bodyKey]) => regex.test(method + path) && (!bodyKey || keys.includes(bodyKey)),
  )?.[0];
`;

const ROUTES = `
import { apiPath, replacer } from './actions.ts';
const clean = replacer(${table(ROUTE_STEPS.filter((step) => step !== ENCODED).map(({ pattern, by }) => [pattern, by]))});
export const normalizeRoute = (url) => clean(apiPath(url));
`;

const MODULES = {
  catalogue: CATALOGUE,
  intents: INTENT_TEST,
  actions: ACTIONS,
  routes: ROUTES,
  // Tables of the fields of \`data\`: the types were made of them, the code never asks.
  data: 'export {};',
};

/** Text of a module of `protocol/` for the bundle; null when it is taken as it is. */
export function wireTables(id) {
  const name = /\/protocol\/src\/([\w-]+)\.ts$/.exec(id)?.[1];
  return MODULES[name] ?? null;
}
