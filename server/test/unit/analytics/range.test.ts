import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hoursOf, parseRange, parseTime } from '../../../src/analytics/range.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 30);
const DAY = 86_400_000;
const RULE = { defaultMs: DAY, maxMs: 400 * DAY };
const range = (from?: string, to?: string) => parseRange({ from, to }, RULE, NOW);

describe('a time', () => {
  test.each([
    ['2026-11-21T12:30:00.000Z', NOW],
    ['2026-11-21T12:30:00Z', NOW],
    ['2026-11-21T12:30Z', NOW],
    ['2026-11-21T13:30:00+01:00', NOW],
    [String(NOW), NOW],
    ['0', 0],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
  ])('%s', (text, ms) => expect(parseTime(text)).toBe(ms));

  test.each([
    '',
    'now',
    '2026-11-21',
    '2026-11-21T12:30:00',
    '2026-02-30T00:00:00Z',
    '2026-06-31T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-21T25:00:00Z',
    '+012026-11-21T12:30:00Z',
    "2026-11-21T12:30:00Z'; DROP TABLE events",
    '1e9',
    '9999999999999999',
    '１２',
  ])('%j is none', (text) => expect(parseTime(text)).toBeUndefined());
});

describe('a range', () => {
  test('defaults to the last day', () => {
    expect(range()).toEqual({ fromMs: NOW - DAY, toMs: NOW });
    expect(range(undefined, String(NOW - DAY))).toEqual({ fromMs: NOW - 2 * DAY, toMs: NOW - DAY });
    expect(range(String(NOW - 5))).toEqual({ fromMs: NOW - 5, toMs: NOW });
  });

  test('of 400 days is the longest', () => {
    expect(range(String(NOW - 400 * DAY))).toEqual({ fromMs: NOW - 400 * DAY, toMs: NOW });
    expect(range(String(NOW - 400 * DAY - 1))).toHaveProperty('problem');
  });

  test.each([
    ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    [String(NOW), String(NOW)],
    [String(NOW), String(NOW - 1)],
    ['0001-01-01T00:00:00Z', '0001-02-01T00:00:00Z'],
    ['2199-01-01T00:00:00Z', '2199-02-01T00:00:00Z'],
    ['x', undefined],
    [undefined, 'x'],
  ])('from %s to %s is refused', (from, to) => expect(range(from, to)).toHaveProperty('problem'));

  test('that a share link may not see is refused', () => {
    const rule = { ...RULE, earliestMs: NOW - 31 * DAY };
    expect(parseRange({ from: String(NOW - 31 * DAY) }, rule, NOW)).toHaveProperty('fromMs');
    expect(parseRange({ from: String(NOW - 31 * DAY - 1) }, rule, NOW)).toEqual({
      problem: 'The range starts more than 31 days ago.',
    });
  });

  test('whatever the text, a range that passes is within its bounds', () => {
    const text = fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String));
    const iso = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    fc.assert(
      fc.property(fc.oneof(text, iso), fc.oneof(text, iso), (from, to) => {
        const result = range(from, to);
        if ('problem' in result) return;
        expect(result.toMs - result.fromMs).toBeGreaterThan(0);
        expect(result.toMs - result.fromMs).toBeLessThanOrEqual(RULE.maxMs);
        expect(hoursOf(result).length).toBeLessThanOrEqual(9_601);
      }),
    );
  });
});

test('every hour that a range touches is there once', () => {
  const at = (minutes: number) => Date.UTC(2026, 10, 21, 12, minutes);
  expect(hoursOf({ fromMs: at(0), toMs: at(60) })).toEqual([at(0)]);
  expect(hoursOf({ fromMs: at(59), toMs: at(61) })).toEqual([at(0), at(60)]);
  expect(hoursOf({ fromMs: at(30), toMs: at(31) })).toEqual([at(0)]);
});
