import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockHolder, prepareDirectory, StartRefused } from '../src/store/directory.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'engine-directory-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function prepare(dataDir: string, socket = 'e.sock'): ReturnType<typeof prepareDirectory> {
  return prepareDirectory(dataDir, join(root, socket));
}

test('a new directory is made, marked and recognised', () => {
  const dataDir = join(root, 'new');
  const first = prepare(dataDir);
  expect(first.storePath).toBe(join(dataDir, 'store'));
  expect(readFileSync(first.configPath, 'utf8')).toContain('<fsync_after_insert>1<');
  expect(prepare(dataDir)).toEqual(first);
});

test('a directory of something else is refused and left as it is', () => {
  const dataDir = join(root, 'foreign');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'notes.txt'), 'mine');
  expect(() => prepare(dataDir)).toThrow(/holds files of something else: choose an empty/);
  expect(() => readFileSync(join(dataDir, 'engine.json'))).toThrow('ENOENT');
});

test.each(['{"format":2}', '{}', 'not json'])('a marker of another version: %s', (marker) => {
  writeFileSync(join(root, 'engine.json'), marker);
  expect(() => prepare(root)).toThrow(/was written by another version/);
});

test('a file in the place of the directory', () => {
  const dataDir = join(root, 'file');
  writeFileSync(dataDir, '');
  expect(() => prepare(dataDir)).toThrow(/cannot be written \(EEXIST\): give this user/);
});

test('a socket path that the system would cut', () => {
  expect(() => prepare(join(root, 'a'), 'x'.repeat(120))).toThrow(StartRefused);
});

test('who holds the lock', () => {
  expect(lockHolder(root)).toBeUndefined();
  writeFileSync(join(root, 'status'), 'PID: 4711\nStarted at: 2026-01-01 00:00:00\n');
  expect(lockHolder(root)).toBe(4711);
});
