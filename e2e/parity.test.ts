import { EVENT_TYPES } from '@bot-analytics/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { comparable, DIFFERENCES, typeOf } from './parity/compare.ts';
import { play, type Played } from './parity/play.ts';
import type { JsonObject } from './parity/values.ts';

/**
 * A discord.js and a discord.py bot play the same script on the same world; what their SDKs send may
 * differ only in the SDK's name and version, ids, times, and the listed {@link DIFFERENCES}.
 */
let js: Played;
let py: Played;

beforeAll(async () => {
  js = await play('js');
  py = await play('py');
});

/** Types that a run of seconds on this platform cannot make. */
const LEFT_OUT = ['api_routes_snapshot'];

describe('the same script in both languages', () => {
  test('every act was done', () => {
    expect(js.failed).toEqual([]);
    expect(py.failed).toEqual([]);
  });

  test('every type of event is compared', () => {
    const seen = new Set(js.sink.events().map(typeOf));
    expect(EVENT_TYPES.filter((type) => !seen.has(type))).toEqual(LEFT_OUT);
  });

  test.each(EVENT_TYPES.filter((type) => !LEFT_OUT.includes(type)))('%s', (type) => {
    const of = ({ sink, known }: Played): readonly string[] =>
      comparable(
        sink.events().filter((event) => typeOf(event) === type),
        known,
      );
    expect(of(py)).toEqual(of(js));
  });

  test('envelopes differ in the name and version of the SDK', () => {
    const shape = ({ sink }: Played): readonly string[] => [
      ...new Set(sink.batches.map((batch) => JSON.stringify(bare(batch)))),
    ];
    expect(shape(js)).toHaveLength(1);
    expect(shape(py)).toEqual(shape(js));
  });

  test('requests differ in the User-Agent', () => {
    const names = ['content-type', 'authorization'] as const;
    const shape = ({ sink }: Played): readonly string[] => [
      ...new Set(sink.headers.map((headers) => JSON.stringify(names.map((name) => headers[name])))),
    ];
    expect(shape(js)).toHaveLength(1);
    expect(shape(py)).toEqual(shape(js));
    expect(js.sink.headers[0]?.['user-agent']).toMatch(/^@vendor\/chat\.js\/\d+\.\d+\.\d+$/);
    expect(py.sink.headers[0]?.['user-agent']).toMatch(/^vendor-chat\.py\/\d+\.\d+\.\d+$/);
  });

  test('ids and times have the same form', () => {
    const id = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    for (const { sink } of [js, py]) {
      for (const { batchId, sentAt } of sink.batches) {
        expect(batchId).toMatch(id);
        expect(sentAt).toMatch(time);
      }
      for (const event of sink.events()) {
        expect(event['id']).toMatch(id);
        expect(event['ts']).toMatch(time);
      }
    }
  });

  test('every listed difference is one', () => {
    const texts = new Map<string, Set<string>>();
    const note = (sdk: string, { sink }: Played): void => {
      for (const event of sink.events()) {
        for (const { types, field } of DIFFERENCES.filter((one) => one.types.test(typeOf(event)))) {
          const key = `${sdk} ${String(types)} ${field}`;
          texts.set(key, (texts.get(key) ?? new Set()).add(JSON.stringify(valueAt(event, field))));
        }
      }
    };
    note('js', js);
    note('py', py);
    // A race need not show in every run.
    const certain = DIFFERENCES.filter(
      ({ field }) => !/guildCount|guildId|shardId|shardStatus|wsPingMs|eventLoopDelay/.test(field),
    );
    for (const { types, field } of certain) {
      const of = (sdk: string) =>
        [...(texts.get(`${sdk} ${String(types)} ${field}`) ?? [])].toSorted();
      expect(of('py'), `${String(types)} ${field}`).not.toEqual(of('js'));
    }
  });
});

/** The envelope without ids, times and the SDK's own name and version. */
function bare(batch: JsonObject): JsonObject {
  const { sdk } = batch;
  const sdkFields = typeof sdk === 'object' && sdk !== null ? Object.keys(sdk) : [];
  return { keys: Object.keys(batch), sdk: sdkFields };
}

function valueAt(event: JsonObject, field: string): unknown {
  const [first = '', second] = field.split('.');
  const value = event[first];
  if (second === undefined) return value;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)[second]
    : undefined;
}
