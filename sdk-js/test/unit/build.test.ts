import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  ACTION_BODY_FIELDS,
  ACTION_PATTERNS,
  ACTION_TYPES,
  classifyAction,
  GATEWAY_KINDS,
  gatewayDispatchesFor,
  gatewayTypesFor,
  INTENTS,
  normalizeRoute,
  QUIET_EXEMPT_TYPES,
} from '@bot-analytics/protocol';
import { loadVectors } from '../../../protocol/vectors/load.ts';
import type * as Protocol from '@bot-analytics/protocol';
import { wireTables } from '../../build/wire-tables.mjs';

describe("the wire's tables in the bundle", () => {
  const textOf = (name: string): string | null =>
    wireTables(new URL(`../../../protocol/src/${name}.ts`, import.meta.url).pathname);
  const modules = ['catalogue', 'intents', 'actions', 'routes'].map((name) => textOf(name) ?? '');

  /** What these modules export, which are one scope in the bundle too. */
  const code = modules.join('\n').replaceAll(/^import .*$/gm, '');
  const names = [...code.matchAll(/export const (\w+)/g)].map(([, name = '']) => name);
  const script = `(() => { ${code.replaceAll('export const', 'const')}; return { ${names.join(',')} } })()`;
  const made = runInNewContext(script) as typeof Protocol;
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  test('gateway kinds are those of the protocol', () => {
    expect(plain(made.QUIET_EXEMPT_TYPES)).toEqual(QUIET_EXEMPT_TYPES);
    const types = (bits: number): readonly string[] =>
      made.gatewayDispatchesFor(bits).map(([type]) => type);
    for (const { in: given, out } of loadVectors<{ bits: number }, string[]>('intents', 'sdk')) {
      expect(types(given.bits)).toEqual(out);
    }
    for (const bits of [0, ...Object.values(INTENTS), 2 ** 31 - 1]) {
      expect(plain(made.gatewayDispatchesFor(bits))).toEqual(gatewayDispatchesFor(bits));
      expect(types(bits)).toEqual(gatewayTypesFor(bits));
    }
    expect(types(2 ** 31 - 1)).toEqual(Object.keys(GATEWAY_KINDS));
  });

  /** All texts that a pattern of an action stands for, one or two of each repetition. */
  function written(pattern: string): readonly string[] {
    const group = /\(([^()]*)\)(\??)/.exec(pattern);
    if (group === null) return [pattern];
    const [whole, inside = '', optional] = group;
    const choices = optional === '?' ? [...inside.split('|'), ''] : inside.split('|');
    return choices.flatMap((choice) =>
      written(pattern.slice(0, group.index) + choice + pattern.slice(group.index + whole.length)),
    );
  }
  const fits = ACTION_PATTERNS.flatMap(({ path }) => written(path.slice(1, -1)));
  const ids = [
    '12345678901234567',
    '12345678901234567890',
    '1234567890123456',
    '123456789012345678901',
    'x',
  ];
  const words = ['party:5566778899001122334', '%F0%9F%91%8D', '%40me', '@me', '12345678901234567'];
  const paths = fits.flatMap((path) =>
    ids.flatMap((id) => words.map((word) => path.replaceAll('S', id).replaceAll('[^/]+', word))),
  );
  const near = paths.flatMap((path) => [
    path,
    `/api/v10${path}?a=/1#b`,
    `https://example.com/api${path}`,
    `${path}/`,
    `/x${path}`,
    path.replace('/', '//'),
    path.replaceAll('@', '%40'),
    path.replace(/[^/]+$/, '%40meow'),
  ]);
  const methods = ['POST', 'PATCH', 'PUT', 'DELETE', 'GET', 'OPTIONS', 'post', ''];

  test('an action is what the protocol takes for it', () => {
    expect(plain(made.ACTION_BODY_FIELDS)).toEqual(ACTION_BODY_FIELDS);
    const found = new Set<string | null>();
    for (const url of new Set(near)) {
      for (const method of methods) {
        for (const keys of [[], ['nick'], ['nick', 'communication_disabled_until']]) {
          const type = classifyAction(method, url, keys);
          found.add(type);
          const ours = made.classifyAction(method, made.apiPath(url), keys) ?? null;
          if (ours !== type) expect([method, url, keys, ours]).toEqual([method, url, keys, type]);
        }
      }
    }
    expect([...found].filter((type) => type !== null).toSorted()).toEqual(ACTION_TYPES.toSorted());
    type In = { method: string; url: string; bodyKeys?: string[] };
    for (const { in: given, out } of loadVectors<In, string | null>('actions', 'sdk')) {
      const path = made.apiPath(given.url);
      expect(made.classifyAction(given.method, path, given.bodyKeys ?? []) ?? null).toBe(out);
    }
  });

  test('a route is what the protocol makes of it', () => {
    for (const url of near) {
      if (made.normalizeRoute(url) !== normalizeRoute(url)) {
        expect([url, made.normalizeRoute(url)]).toEqual([url, normalizeRoute(url)]);
      }
    }
    for (const { in: given, out } of loadVectors<{ url: string }, string>('routes', 'sdk')) {
      expect(made.normalizeRoute(given.url)).toBe(out);
    }
  });

  test('other modules are taken as they are', () => {
    expect(textOf('custom-id')).toBeNull();
    expect(textOf('limits')).toBeNull();
  });
});
