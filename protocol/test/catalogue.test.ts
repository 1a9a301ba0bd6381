import { describe, expect, test } from 'vitest';
import {
  ACTION_PATTERNS,
  ACTION_TYPES,
  DATA_FIELDS,
  EVENT_GROUPS,
  EVENT_TYPES,
  type FieldTable,
  GATEWAY_TYPES,
  INTENTS,
  INTERACTION_TYPES,
  isEventType,
  isSnapshotType,
  LIMITS,
  QUIET_EXEMPT_TYPES,
  SHARD_TYPES,
  SNAPSHOT_TYPES,
} from '../src/index.ts';

describe('event types', () => {
  test('the numbers of the specification', () => {
    expect(INTERACTION_TYPES).toHaveLength(6);
    expect(ACTION_TYPES).toHaveLength(22);
    expect(GATEWAY_TYPES).toHaveLength(24);
    expect(SHARD_TYPES).toHaveLength(5);
    expect(EVENT_TYPES).toHaveLength(64);
    expect(new Set(EVENT_TYPES).size).toBe(64);
  });

  test.each([
    'interaction_slash',
    'event_message_create',
    'command_error',
    'error',
    'guild_join',
    'guild_leave',
    'shard_ready',
    'heartbeat',
    'guild_snapshot',
    'api_routes_snapshot',
  ])('%s has the name that the specification gives', (type) => {
    expect(isEventType(type)).toBe(true);
  });

  test.each(['', 'toString', '__proto__', 'constructor', 'ERROR', 'event_presence_update'])(
    '"%s" is none',
    (type) => {
      expect(isEventType(type)).toBe(false);
    },
  );

  test('every type has a group, and fields for its data', () => {
    expect(Object.keys(DATA_FIELDS).toSorted()).toEqual([...EVENT_TYPES].toSorted());
    for (const type of EVENT_TYPES) {
      expect(EVENT_GROUPS[type]).toBeTruthy();
      expect(Object.keys(DATA_FIELDS[type]).length).toBeGreaterThan(0);
    }
  });

  test('snapshots, and those of them that a quiet period lets through', () => {
    expect(EVENT_TYPES.filter(isSnapshotType)).toEqual([...SNAPSHOT_TYPES]);
    expect(QUIET_EXEMPT_TYPES).toEqual(['heartbeat', 'guild_snapshot']);
  });

  test('every action has a pattern', () => {
    expect(new Set(ACTION_PATTERNS.map(({ type }) => type))).toEqual(new Set(ACTION_TYPES));
    expect(ACTION_PATTERNS).toHaveLength(25);
  });

  test('intents are single bits', () => {
    for (const bit of Object.values(INTENTS)) expect(Math.log2(bit) % 1).toBe(0);
    expect(new Set(Object.values(INTENTS)).size).toBe(Object.keys(INTENTS).length);
  });
});

describe('fields of data', () => {
  const fields = EVENT_TYPES.flatMap((type) => {
    const table: FieldTable = DATA_FIELDS[type];
    return Object.entries(table).map(([name, field]) => ({ type, name, field }));
  });

  test('the fields that the specification names', () => {
    expect(DATA_FIELDS.interaction_slash).toMatchObject({
      commandName: { kind: 'string' },
      interactionKind: { kind: 'string' },
      success: { kind: 'boolean' },
      latencyMs: { kind: 'number', unit: 'ms' },
      shardId: { kind: 'integer' },
      timedOut: { kind: 'boolean' },
    });
    expect(Object.keys(DATA_FIELDS.heartbeat)).toEqual(
      expect.arrayContaining([
        'wsPingMs',
        'memoryMb',
        'guildCount',
        'voiceConnections',
        'cpuPercent',
      ]),
    );
    expect(Object.keys(DATA_FIELDS.guild_snapshot)).toEqual(
      expect.arrayContaining(['memberCount', 'onlineCount', 'name', 'locale']),
    );
  });

  test('names are camelCase, units stand in the name', () => {
    for (const { type, name, field } of fields) {
      expect(name, type).toMatch(/^[a-z][A-Za-z0-9]*$/);
      if (field.unit === 'ms') expect(name).toMatch(/Ms$/);
      if (field.unit === 'MB') expect(name).toMatch(/Mb$/);
      if (name.endsWith('Ms')) expect(field.unit, `${type}.${name}`).toBe('ms');
    }
  });

  test('every field says what it means and where it comes from', () => {
    for (const { type, name, field } of fields) {
      for (const text of [field.doc, field.js, field.py])
        expect(text, `${type}.${name}`).not.toBe('');
      if (field.values !== undefined) expect(field.kind).toBe('string');
      if (field.min !== undefined) expect(['integer', 'number']).toContain(field.kind);
    }
  });
});

describe('limits', () => {
  test('the numbers of the specification', () => {
    expect(LIMITS).toMatchObject({
      batchEventsMax: 500,
      batchBytesMax: 1024 * 1024,
      queueEventsMax: 5_000,
      flushIntervalMs: 5_000,
      highWaterEvents: 50,
      concurrentRequestsMax: 1,
      attemptsMax: 5,
      backoffBaseMs: 1_000,
      backoffCapMs: 30_000,
      quietDefaultMs: 300_000,
      shutdownTimeoutMs: 3_000,
      gatewayWindowMs: 60_000,
      snapshotIntervalMs: 60_000,
      apiRoutesIntervalMs: 300_000,
      apiRoutesMax: 10,
      shardOfflineAfterMs: 120_000,
      interactionTimeoutMs: 15_000,
      errorNameCharsMax: 200,
      errorMessageBytesMax: 2 * 1024,
      errorStackBytesMax: 8 * 1024,
      stringBytesMax: 4 * 1024,
      dataBytesMax: 16 * 1024,
    });
  });
});
