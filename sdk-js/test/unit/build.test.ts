import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  ACTION_BODY_FIELDS,
  ACTION_PATTERNS,
  DATA_FIELDS,
  EVENT_TYPES,
  GATEWAY_KINDS,
  INTENTS,
  QUIET_EXEMPT_TYPES,
} from '@bot-analytics/protocol';
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

/** Runs the text of a module that imports nothing; returns what it exports. */
function exportsOf(code: string): Record<string, unknown> {
  const names = [...code.matchAll(/export const (\w+)/g)].map(([, name = '']) => name);
  const script = `(() => { ${code.replaceAll('export const', 'const')}; return { ${names.join(',')} } })()`;
  return JSON.parse(JSON.stringify(runInNewContext(script))) as Record<string, unknown>;
}

describe("the wire's tables in the bundle", () => {
  const path = (name: string): string =>
    new URL(`../../../protocol/src/${name}.ts`, import.meta.url).pathname;

  test('gateway kinds are those of the protocol', () => {
    const made = exportsOf(wireTables(path('catalogue')) ?? '');
    const expected = Object.fromEntries(
      Object.entries(GATEWAY_KINDS).map(([type, { dispatch, intents }]) => [
        type,
        { dispatch, intents: String(intents.reduce((bits, name) => bits | INTENTS[name], 0)) },
      ]),
    );
    expect(made['GATEWAY_KINDS']).toEqual(expected);
    expect(made['GATEWAY_TYPES']).toEqual(Object.keys(GATEWAY_KINDS));
    expect(made['QUIET_EXEMPT_TYPES']).toEqual(QUIET_EXEMPT_TYPES);
  });

  test('patterns and body keys of actions are those of the protocol', () => {
    const code = wireTables(path('actions')) ?? '';
    const table = (name: string): string =>
      new RegExp(`${name} = ([\\s\\S]*?);\\n(?:\\n|$)`).exec(code)?.[1] ?? '';
    const made = (name: string): unknown => exportsOf(`export const it = ${table(name)};`)['it'];
    expect(made('ACTION_PATTERNS')).toEqual(ACTION_PATTERNS);
    expect(made('ACTION_BODY_FIELDS')).toEqual(ACTION_BODY_FIELDS);
  });

  test('another form of the source is noticed', () => {
    expect(() => wireTables('/tmp/none/protocol/src/actions.ts')).toThrow();
    expect(wireTables(path('routes'))).toBeNull();
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
