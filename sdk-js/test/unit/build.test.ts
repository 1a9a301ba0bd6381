import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  ACTION_BODY_FIELDS,
  ACTION_PATTERNS,
  ACTION_TYPES,
  classifyAction,
  DATA_FIELDS,
  EVENT_TYPES,
  GATEWAY_KINDS,
  gatewayDispatchesFor,
  gatewayTypesFor,
  INTENTS,
  normalizeRoute,
  QUIET_EXEMPT_TYPES,
} from '@bot-analytics/protocol';
import { loadVectors } from '../../../protocol/vectors/load.ts';
import type * as Protocol from '@bot-analytics/protocol';
import { toClosures } from '../../build/closures.mjs';
import { INTERNAL_NAMES } from '../../build/internal-names.mjs';
import { wireTables } from '../../build/wire-tables.mjs';
import { Analytics } from '../../src/index.ts';
import { MemorySink } from '../../src/testing.ts';

const SOURCE = new URL('../../src/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, SOURCE), 'utf8');
const words = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_$][\w$]*/g));
const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

describe('names that the build shortens', () => {
  test('none is on the wire', () => {
    const fields = Object.values(DATA_FIELDS).flatMap((table) => Object.keys(table));
    const wire = new Set<string>([...fields, ...EVENT_TYPES, ...ACTION_BODY_FIELDS]);
    for (const name of ['id', 'type', 'ts', 'guildId', 'channelId', 'userId', 'data'])
      wire.add(name);
    for (const name of ['batchId', 'sdk', 'sentAt', 'events', 'name', 'version']) wire.add(name);
    expect(INTERNAL_NAMES.filter((name) => wire.has(name))).toEqual([]);
  });

  test('none is in the public types', () => {
    const files = readdirSync(new URL('api/', SOURCE)).map((name) => read(`api/${name}`));
    const members = [Analytics, MemorySink].flatMap((one) =>
      Object.getOwnPropertyNames(one.prototype),
    );
    const known = new Set([
      ...words(withoutComments(files.join('\n'))),
      ...members,
      ...Object.keys(new MemorySink()),
    ]);
    // What `sendWithFetch` takes from an answer and gives to a request.
    for (const name of ['status', 'headers', 'get', 'text', 'method', 'body', 'redirect']) {
      known.add(name);
    }
    expect(INTERNAL_NAMES.filter((name) => known.has(name))).toEqual([]);
  });

  test('none is of the structure that copies of the package share', () => {
    const shared = words(withoutComments(read('process/member.ts')));
    expect(INTERNAL_NAMES.filter((name) => shared.has(name))).toEqual([]);
    for (const name of ['signals', 'rejections', 'members', 'remove']) {
      expect(INTERNAL_NAMES).not.toContain(name);
    }
  });

  test('none is of an object of the runtime that the SDK touches', () => {
    const touched = [
      Object,
      Array,
      String,
      Number,
      Map,
      Set,
      WeakMap,
      WeakSet,
      Promise,
      Date,
      Math,
      JSON,
      Reflect,
      RegExp,
      Buffer,
      URL,
      AbortSignal,
      AbortController,
      process,
      console,
      performance,
      crypto,
      Agent,
      ClientRequest,
      IncomingMessage,
      EventEmitter,
      Response,
      Headers,
      Error,
    ].flatMap((one) => (typeof one === 'function' ? [one, one.prototype as object] : [one]));
    const known = (name: string): boolean => touched.some((one) => name in one);
    expect(INTERNAL_NAMES.filter(known)).toEqual([]);
  });
});

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

describe('classes as closures', () => {
  const run = (code: string): unknown =>
    runInNewContext(`(() => { ${toClosures(code)}\nreturn result; })()`);

  test('fields, methods, getters, early return, self, and a parameter of the same name', () => {
    const code = `
      class Counter {
        #count = 0; #step; last = null;
        readonly = () => this.#count;
        constructor(step, start) {
          this.#step = step;
          const about = { step };
          if (start === undefined) return;
          this.#count = start + about.step - step;
        }
        get count() { return this.#count; }
        add(step = this.#step) { this.#count += step; this.last = step; return this; }
        async #later(value) { await null; return value; }
        later() { return [1].map((x) => this.#later(x)).length; }
      }
      function twice(counter) { return counter.add().add(5); }
      const a = twice(new Counter(2, 10));
      const result = [a.count, a.last, a.readonly(), a.later(), new Counter(1).count];`;
    expect(run(code)).toEqual([17, 5, 17, 1, 0]);
  });

  test('exported classes stay; a parent, a static or an unknown private member is refused', () => {
    expect(toClosures('class A { #x = 1 }\nexport { A };')).toContain('class A');
    expect(() => toClosures('class B {}\nclass A extends B {}')).toThrow('parent');
    expect(() => toClosures('class A { static x = 1 }')).toThrow('understood');
  });

  test('functions that need their own `this` or `arguments` stay', () => {
    const code =
      'function a() { return this; }\nfunction b() { return arguments; }\nconst result = 1;';
    expect(toClosures(code)).toContain('function a()');
    expect(toClosures(code)).toContain('function b()');
  });
});
