import { describe, expect, test } from 'vitest';
import { addressOf } from '../../src/api/routes.ts';
import {
  fullCount,
  megabytes,
  milliseconds,
  percent,
  plural,
  share,
  shortCount,
} from '../../src/format/numbers.ts';
import { duration, relative, stopwatch, zoneCity } from '../../src/format/time.ts';
import { placeOfAddress } from '../../src/public/place.ts';
import { destinations, matching } from '../../src/shell/keyboard/palette-view.ts';
import { readShortcut } from '../../src/shell/keyboard/shortcuts.ts';
import { inAppAddress } from '../../src/shell/link-clicks.ts';
import { patchSearch } from '../../src/shell/patch-search.ts';
import { readPreferences } from '../../src/shell/preferences.ts';
import { parseSearch, stringifySearch } from '../../src/shell/search.ts';
import { makeBot } from '../mock/fleet.ts';

test.each([
  [milliseconds(84), '84 ms'],
  [milliseconds(3.94), '3.9 ms'],
  [milliseconds(9_999), '9,999 ms'],
  [milliseconds(12_340), '12.3 s'],
  [milliseconds(null), '–'],
  [megabytes(1_083.4), '1,083 MB'],
  [percent(35.14), '35.1 %'],
  [percent(130), '130.0 %'],
  [fullCount(184_203), '184,203'],
  [shortCount(9_999), '9,999'],
  [share(22, 100), '22 %'],
  [share(0, 100), '0 %'],
  [share(1, 100_000), '< 0.1 %'],
  [share(3, 0), '–'],
  [plural(1, 'shard'), '1 shard'],
  [plural(13, 'shard'), '13 shards'],
  [duration(42_000), '42 s'],
  [duration(48 * 60_000), '48 min'],
  [duration(26 * 3_600_000), '26 h'],
  [duration(72 * 3_600_000), '3 d'],
  [relative(0, 1_000), 'just now'],
  [relative(0, 48 * 60_000), '48 min ago'],
  [relative(3_600_000, 0), 'in 1 h'],
  [stopwatch(42_900), '0:42'],
  [stopwatch(725_000), '12:05'],
  [zoneCity('America/New_York'), 'New York'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});

test('counts above 9,999 are short', () => {
  expect(shortCount(1_240_000)).toMatch(/^1\.24m$/i);
});

test('addresses of the API', () => {
  expect(addressOf('shardHistory', { bot: 'a b', shard: 3 }, { from: '1', to: undefined })).toEqual(
    {
      method: 'GET',
      url: '/v1/bots/a%20b/shards/3/history?from=1',
    },
  );
  expect(addressOf('keyRevoke', { keyId: 'x' })).toEqual({ method: 'DELETE', url: '/v1/keys/x' });
});

describe('search of an address', () => {
  test('goes there and back without quotes', () => {
    const search = { q: '113', open: 'c3,c4', from: '2026-11-21T00:00:00.000Z' };
    expect(parseSearch(stringifySearch(search))).toEqual(search);
    expect(stringifySearch({ open: 'c3,c4', show: undefined, q: '' })).toBe('?open=c3,c4');
    expect(stringifySearch({})).toBe('');
  });

  test('a patch takes members away', () => {
    const before: { a?: string; b?: string } = { a: '1', b: '2' };
    expect(patchSearch(before, { a: undefined })).toEqual({ b: '2' });
  });
});

describe('clicks on links', () => {
  const click = {
    defaultPrevented: false,
    button: 0,
    metaKey: false,
    ctrlKey: false,
    shiftKey: false,
    altKey: false,
  };
  const link = { href: 'http://here/b/1?x=1#y', target: '', hasDownload: false };
  test.each([
    [click, link, '/b/1?x=1#y'],
    [{ ...click, ctrlKey: true }, link, null],
    [{ ...click, button: 1 }, link, null],
    [{ ...click, defaultPrevented: true }, link, null],
    [click, { ...link, target: '_blank' }, null],
    [click, { ...link, hasDownload: true }, null],
    [click, { ...link, href: 'http://elsewhere/b/1' }, null],
    [click, { ...link, href: 'http://here/v1/public/x/badge.svg' }, null],
  ])('%#', (given, to, address) => {
    expect(inAppAddress(given, to, 'http://here')).toBe(address);
  });
});

describe('shortcuts', () => {
  const press = { key: 'g', ctrlKey: false, metaKey: false, altKey: false, typing: false };
  const on = { afterG: false, single: true };
  test.each([
    [press, on, 'wait'],
    [
      { ...press, key: 's' },
      { ...on, afterG: true },
      { do: 'go', section: 'status' },
    ],
    [
      { ...press, key: 'a' },
      { ...on, afterG: true },
      { do: 'go', section: 'activity' },
    ],
    [{ ...press, key: 's' }, on, null],
    [{ ...press, key: '/' }, on, { do: 'find' }],
    [{ ...press, key: '/', typing: true }, on, null],
    [{ ...press, key: '2' }, on, { do: 'range', index: 1 }],
    [{ ...press, key: '?' }, { ...on, single: false }, null],
    [
      { ...press, key: 'k', ctrlKey: true, typing: true },
      { ...on, single: false },
      { do: 'palette' },
    ],
  ])('%j', (given, state, action) => {
    expect(readShortcut(given, state)).toEqual(action);
  });

  test('the palette finds by any words, the present bot first', () => {
    const bots = [makeBot('1', 'Parrot', 0), makeBot('2', 'Night Owl', 0)];
    const all = destinations(bots, '2');
    expect(all[0]).toEqual({ label: 'Night Owl: Status', href: '/b/2/status' });
    expect(matching(all, 'usage owl').map(({ label }) => label)).toEqual(['Night Owl: API usage']);
    expect(matching(all, 'parrot activity').map(({ href }) => href)).toEqual(['/b/1/activity']);
    expect(matching(all, 'zebra')).toEqual([]);
  });
});

test.each([
  [null, { theme: 'auto', shortcuts: true }],
  ['{"theme":"dark","shortcuts":false}', { theme: 'dark', shortcuts: false }],
  ['{"theme":"pink"}', { theme: 'auto', shortcuts: true }],
  ['not json', { theme: 'auto', shortcuts: true }],
  ['7', { theme: 'auto', shortcuts: true }],
])('stored preferences %j', (text, preferences) => {
  expect(readPreferences(text)).toEqual(preferences);
});

test.each([
  ['/p/tok', { token: 'tok', section: 'status', shard: null }],
  ['/p/tok/status', { section: 'status' }],
  ['/p/tok/113?range=7d', { section: 'shard', shard: 113, search: { range: '7d' } }],
  ['/p/tok/api', { section: 'api' }],
])('public address %s', (address, place) => {
  expect(placeOfAddress(address)).toMatchObject(place);
});

test.each(['/p/', '/p/tok/else', '/b/1/status', '/p/a/b/c'])('%s is no public page', (address) => {
  expect(placeOfAddress(address)).toBeNull();
});
