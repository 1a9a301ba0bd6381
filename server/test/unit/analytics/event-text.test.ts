import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCursor, writeCursor } from '../../../src/analytics/cursor.ts';
import {
  CSV_HEADER,
  csvCell,
  csvLine,
  ndjsonLine,
  type EventRecord,
} from '../../../src/analytics/event-text.ts';

const EVENT: EventRecord = {
  id: '0193f0a0-0000-7000-8000-000000000001',
  type: 'interaction_slash',
  tsMs: Date.UTC(2026, 10, 21, 12, 0, 0, 7),
  guildId: '18446744073709551615',
  channelId: null,
  userId: '5',
  data: '{"commandName":"play, \\"it\\"","latencyMs":-1.5}',
};

/** A plain reader of RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== '\r\n') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

test('an NDJSON line holds the fields in their order and the data as it was stored', () => {
  expect(ndjsonLine(EVENT)).toBe(
    '{"id":"0193f0a0-0000-7000-8000-000000000001","type":"interaction_slash",' +
      '"ts":"2026-11-21T12:00:00.007Z","guildId":"18446744073709551615","channelId":null,' +
      '"userId":"5","data":{"commandName":"play, \\"it\\"","latencyMs":-1.5}}\n',
  );
});

test('an NDJSON line is one line even when the stored text has several', () => {
  const line = ndjsonLine({ ...EVENT, data: '{\r\n  "a": "x\\ny"\n}' });
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(JSON.parse(line)).toMatchObject({ data: { a: 'x\ny' } });
});

test('a CSV row reads back as it was', () => {
  expect(readCsv(CSV_HEADER + csvLine(EVENT))).toEqual([
    ['id', 'type', 'ts', 'guildId', 'channelId', 'userId', 'data'],
    [EVENT.id, EVENT.type, '2026-11-21T12:00:00.007Z', EVENT.guildId, '', '5', EVENT.data],
  ]);
});

describe('a cell that a spreadsheet would run', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\0=1',
    '"=1+1"',
    "'=1",
    '＝1',
    '＋1',
    '－1',
    '＠x',
  ])('%j gets an apostrophe', (text) => {
    expect(readCsv(`${csvCell(text)}\r\n`)).toEqual([[`'${text}`]]);
  });

  test.each(['a=1', '1', '{"a":"=1"}', 'ä', '2026-11-21T12:00:00.000Z', ''])('%j stays', (text) => {
    expect(readCsv(`${csvCell(text)}\r\n`)).toEqual([[text]]);
  });

  test('no text comes out as a formula, and none is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [[cell = ''] = []] = readCsv(`${csvCell(text)}\r\n`);
        expect(cell === text || cell === `'${text}`).toBe(true);
        expect(/^["']?[=+\-@\t\r\n\0＝＋－＠]/.test(cell) && !cell.startsWith("'")).toBe(false);
      }),
    );
  });
});

test('a cursor reads back, and nothing else is one', () => {
  const cursor = { tsMs: EVENT.tsMs, id: EVENT.id };
  expect(readCursor(writeCursor(cursor))).toEqual(cursor);
  for (const text of ['', 'x', '%00', Buffer.from('1.2').toString('base64url')]) {
    expect(readCursor(text)).toBeUndefined();
  }
  fc.assert(fc.property(fc.string(), (text) => readCursor(text) === undefined));
});
