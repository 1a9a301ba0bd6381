import { GatewayDispatchEvents, GatewayIntentBits, Routes } from 'discord-api-types/v10';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ACTION_PATTERNS,
  ACTION_TYPES,
  type ActionPattern,
  classifyAction,
  GATEWAY_KINDS,
  INTENTS,
  normalizeRoute,
  SNOWFLAKE_PATTERN,
} from '../src/index.ts';

/** Every route of the platform as an independent package describes it, with `values` as parameters. */
function routesWith(values: readonly string[]): readonly { name: string; path: string }[] {
  const makers = Object.entries(Routes) as unknown as [string, (...args: string[]) => string][];
  return makers.flatMap(([name, make]) =>
    [make.length, values.length].map((count) => ({
      name: `${name}(${count})`,
      path: make.call(Routes, ...values.slice(0, count)),
    })),
  );
}

const IDS = [
  '112233445566778899',
  '223344556677889900',
  '1334455667788990011',
  '44556677889900112',
];
const ROUTES = routesWith(IDS);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PATTERNS = (ACTION_PATTERNS as readonly ActionPattern[]).map((pattern) => ({
  ...pattern,
  regex: new RegExp(pattern.path.replaceAll('S', SNOWFLAKE_PATTERN)),
}));

describe('against discord-api-types', () => {
  test('there are routes to look at', () => {
    expect(ROUTES.length).toBeGreaterThan(200);
  });

  test('no route with any method fits two actions, but a timeout is also a member update', () => {
    for (const { name, path } of ROUTES) {
      for (const method of METHODS) {
        const fitting = PATTERNS.filter((one) => one.method === method && one.regex.test(path));
        const types = new Set(fitting.map(({ type }) => type));
        if (types.has('action_member_timeout')) types.delete('action_member_update');
        expect(types.size, `${method} ${name} ${path}`).toBeLessThanOrEqual(1);
      }
    }
  });

  test('every action is a route of the platform', () => {
    const found = new Set(
      ROUTES.flatMap(({ path }) =>
        METHODS.flatMap((method) => [
          classifyAction(method, path),
          classifyAction(method, path, ['communication_disabled_until']),
        ]),
      ),
    );
    expect(found).toEqual(new Set([...ACTION_TYPES, null]));
  });

  test('GET is never an action', () => {
    for (const { path } of ROUTES) expect(classifyAction('GET', path)).toBeNull();
  });

  test('no id is left in any route, and no fixed word is taken for a secret', () => {
    for (const { name, path } of ROUTES) {
      const route = normalizeRoute(path);
      expect(route, name).not.toMatch(/[0-9]{17,20}/);
      const words = new Set(path.split(/[/?]/).filter((word) => /^[a-z-]+$/.test(word)));
      for (const word of words) expect(word.length, word).toBeLessThan(40);
    }
  });

  test('intents and dispatch names are the platform’s', () => {
    for (const [name, bit] of Object.entries(INTENTS)) {
      expect(GatewayIntentBits[name as keyof typeof GatewayIntentBits], name).toBe(bit);
    }
    const dispatches: readonly string[] = Object.values(GatewayDispatchEvents);
    for (const { dispatch } of Object.values(GATEWAY_KINDS)) expect(dispatches).toContain(dispatch);
    expect(new Set(Object.values(GATEWAY_KINDS).map(({ dispatch }) => dispatch)).size).toBe(24);
  });
});

describe('properties', () => {
  /** What may stand in a path segment: no slash, no query, no fragment. */
  const segment = fc.stringMatching(/^[A-Za-z0-9_.~%:@!$&'()*+,;=-]{12,120}$/);
  const prefix = fc.constantFrom('', '/api', '/api/v10', 'https://discord.com/api/v10', '/proxy');
  const suffix = fc.constantFrom('', '?wait=true', '#x', '?a=/b/c');
  const shapes = fc.constantFrom(
    (t: string) => `/interactions/${IDS[0]}/${t}/callback`,
    (t: string) => `/interactions/${IDS[0]}/${t}`,
    (t: string) => `/webhooks/${IDS[0]}/${t}`,
    (t: string) => `/webhooks/${IDS[0]}/${t}/slack`,
    (t: string) => `/webhooks/${IDS[0]}/${t}/messages/@original`,
    (t: string) => `/webhooks/${IDS[0]}/${t}/messages/${IDS[1]}`,
    (t: string) => `/invites/${t}`,
    (t: string) => `/guilds/templates/${t}`,
    (t: string) => `/guilds/${IDS[0]}/templates/${t}`,
    (t: string) => `/channels/${IDS[0]}/messages/${IDS[1]}/reactions/${t}/@me`,
  );

  test('a token in any route with tokens, codes or emojis never survives', () => {
    fc.assert(
      fc.property(prefix, shapes, segment, suffix, (before, shape, token, after) => {
        expect(normalizeRoute(`${before}${shape(token)}${after}`)).not.toContain(token);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a long token at any parameter of any route never survives', () => {
    const token = fc.stringMatching(/^[A-Za-z0-9_-]{40,120}$/);
    fc.assert(
      fc.property(token, (secret) => {
        for (const { path } of routesWith([secret, secret, secret, secret])) {
          expect(normalizeRoute(path)).not.toContain(secret);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('whatever the input, nothing throws, no query is left and an action is one of the 22', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.array(fc.string()),
        (m, url, keys) => {
          const type = classifyAction(m, url, keys);
          expect(type === null || ACTION_TYPES.includes(type)).toBe(true);
          const route = normalizeRoute(`/${url}`);
          expect(route).not.toMatch(/[?#]/);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
