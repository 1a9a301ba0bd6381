import { DATA_FIELDS, EVENT_TYPES, LIMITS } from '@bot-analytics/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BufferPool } from '../../src/buffer-pool.ts';
import { readBatch, type Seen } from '../../src/ingest/read-batch.ts';
import { WordTable } from '../../src/ingest/usual/word-table.ts';
import { uuid } from '../harness.ts';

const NOW_MS = Date.UTC(2026, 5, 1);
const BOT = { botId: '018f3a6e-7a2b-7c3d-8e4f-0123456789ab', retentionDays: 90 };
const letter = (letters: string): fc.Arbitrary<string> => fc.constantFrom(...letters.split(''));

const pool = new BufferPool();

/** All that the two ways must agree on. */
function outcome(body: Buffer): unknown {
  const seen = readBatch({ body, bot: BOT, receivedAtMs: NOW_MS, pool });
  if (typeof seen === 'string') return seen;
  const { batch, report, batchId, sdk, received, skewMs } = seen;
  const { size } = batch;
  return {
    batchId,
    sdk,
    received,
    skewMs,
    rows: batch.rows.toString(),
    words: [...batch.words.subarray(0, size * 4)],
    indexes: [...batch.indexes.subarray(0, size)],
    ends: [...batch.ends.subarray(0, size)],
    snapshots: [...batch.snapshots],
    beats: batch.beats,
    rejected: report.rejected,
    rejectedByCode: Object.fromEntries(report.rejectedByCode),
    warnings: Object.fromEntries(report.warnings),
  };
}

/** White space behind the body changes nothing, but is not the SDKs' form, so the general way reads it. */
function expectSame(text: string | Buffer): void {
  const body = Buffer.from(text);
  expect(outcome(body)).toEqual(outcome(Buffer.concat([body, Buffer.from(' ')])));
}

const keys = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...new Set(EVENT_TYPES.flatMap((t) => Object.keys(DATA_FIELDS[t])))),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('content', '__proto__', 'constructor', 'options', 'token', '1', 'x'),
  },
);
const numbers = fc.oneof(
  fc.integer({ min: -5, max: 100_000 }),
  fc.double(),
  fc.integer({ min: -9_999, max: 9_999 }).map((n) => n / 10),
  fc.maxSafeInteger(),
);
const strings = fc.oneof(
  fc.string({ unit: letter('abc xyz019-:/{}[],'), maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    'é',
    '\u{1f600}',
    '\\',
    '"',
    '\n',
    '\u007f',
    'x'.repeat(LIMITS.stringBytesMax + 1),
  ),
);
const { data } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    numbers,
    strings,
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('data'),
  ),
  data: fc.dictionary(keys, tie('value'), { maxKeys: 6, noNullPrototype: true }),
}));

const snowflakes = fc.oneof(
  fc.constantFrom(
    '110000000000000001',
    '1',
    '9223372036854775807',
    '18446744073709551615',
    '0',
    '01',
    'x',
    null,
  ),
  fc.constant(undefined),
);
const events = fc.record({
  id: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 9_999 }).map((n) => uuid(n)) },
    fc.uuid({ version: 4 }),
    fc.constant('x'),
  ),
  type: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...EVENT_TYPES) },
    fc.constantFrom('', 'nothing'),
  ),
  ts: fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .integer({ min: -100_000, max: 100_000 })
        .map((n) => new Date(NOW_MS + n).toISOString()),
    },
    fc.constantFrom(
      '2026-05-31T10:00:00Z',
      '2026-05-31T10:00:00.000+00:00',
      '2026-02-30T10:00:00.000Z',
      '2020-01-01T00:00:00.000Z',
      '2031-01-01T00:00:00.000Z',
    ),
  ),
  guildId: snowflakes,
  channelId: snowflakes,
  userId: snowflakes,
  data,
});
const envelope = (list: readonly unknown[]): string =>
  JSON.stringify({
    batchId: uuid(77),
    sdk: { name: '@vendor/chat.js', version: '0.1.0' },
    sentAt: new Date(NOW_MS).toISOString(),
    events: list,
  });

test('whatever a batch holds, the SDKs’ form and the general way store and report the same', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 6 }), (list) => expectSame(envelope(list))),
    { numRuns: 400 },
  );
});

test('the same holds for text that no serialiser would write', () => {
  const mutation = fc.record({
    at: fc.nat(),
    remove: fc.integer({ min: 0, max: 3 }),
    insert: fc.constantFrom(
      '',
      ' ',
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '0',
      '-',
      '.',
      'e',
      '1e3',
      '\u00e9',
      'null',
      ',"x":{}',
      ',"data":{}',
      '\\u0041',
      '\n',
    ),
  });
  fc.assert(
    fc.property(
      fc.array(events, { minLength: 1, maxLength: 3 }),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      (list, mutations) => {
        let text = envelope(list);
        for (const { at, remove, insert } of mutations) {
          const place = at % text.length;
          text = text.slice(0, place) + insert + text.slice(place + remove);
        }
        expectSame(text);
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  ['a key twice', '{"shardId":1,"shardId":2}'],
  ['a key twice around an object that has it', '{"shardId":1,"guilds":{"shardId":2},"shardId":3}'],
  ['a content key hidden behind its double', '{"guilds":{"content":"a"},"guilds":1}'],
  [
    'numbers in other forms',
    '{"count":1.0,"shardId":1e2,"latencyMs":-0,"windowMs":0.0000001,"guilds":1E400}',
  ],
  [
    'numbers in shortest form',
    '{"count":1e+21,"latencyMs":0.5,"windowMs":1e-7,"guilds":12345678901234567}',
  ],
  ['numbers that are none', '{"count":01}'],
  ['white space', '{"count": 1}'],
  ['deep lists', `{"count":${'['.repeat(40)}${']'.repeat(40)}}`],
  ['a long list', `{"count":[${'1,'.repeat(9_000)}1]}`],
  ['an unfinished string', '{"commandName":"play}'],
  ['a control character', '{"commandName":"pl\u0001ay"}'],
])('%s', (_name, dataText) => {
  const [text] = [
    envelope([
      { id: uuid(1), type: 'event_message_create', ts: new Date(NOW_MS).toISOString(), data: 'D' },
    ]),
  ];
  expectSame(text.replace('"D"', dataText));
});

test.each([
  ['no events', envelope([])],
  ['more events than a batch may hold', envelope(Array.from({ length: 501 }, () => 1))],
  ['events twice', envelope([1]).replace('{"batchId"', '{"events":[],"batchId"')],
  ['events in a deeper object', envelope([]).replace('"sdk":{', '"sdk":{"a":1,"events":[],')],
  ['nothing before the events', '{,"events":[{}]}'],
  ['invalid UTF-8', Buffer.from(envelope([{ id: '\u00ff' }]), 'latin1')],
])('envelope: %s', (_name, text) => {
  expectSame(text);
});

test('a whole batch of the SDKs’ form is read without the parser', () => {
  const list = Array.from({ length: LIMITS.batchEventsMax }, (_, i) => ({
    id: uuid(i + 1),
    type: 'interaction_slash',
    ts: new Date(NOW_MS + i).toISOString(),
    guildId: '110000000000000001',
    data: { commandName: 'play', latencyMs: 40.5, success: true, errorCode: null, shardId: 0 },
  }));
  const body = Buffer.from(envelope(list));
  const parse = JSON.parse;
  const parsed: string[] = [];
  JSON.parse = (text: string): unknown => {
    parsed.push(text);
    return parse(text) as unknown;
  };
  try {
    const seen = readBatch({ body, bot: BOT, receivedAtMs: NOW_MS, pool }) as Seen;
    expect(seen.batch.size).toBe(LIMITS.batchEventsMax);
  } finally {
    JSON.parse = parse;
  }
  expect(parsed).toEqual([expect.not.stringContaining('events')]);
});

test('a word table knows its words and no others', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: letter('abcd_'), minLength: 1, maxLength: 6 }), {
        minLength: 1,
        maxLength: 60,
      }),
      fc.string({ unit: letter('abcd_'), maxLength: 8 }),
      (words, other) => {
        const table = new WordTable(words);
        for (const word of [...words, other]) {
          expect(table.find(Buffer.from(`xx"${word}":`), 3)).toBe(words.indexOf(word));
        }
      },
    ),
  );
});
