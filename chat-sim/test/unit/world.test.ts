import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/random.ts';
import { roleColors, seedWorld } from '../../src/world/seed.ts';
import {
  SNOWFLAKE,
  SnowflakeSource,
  guildSnowflake,
  makeSnowflake,
  shardOf,
  snowflakeMs,
} from '../../src/world/snowflake.ts';

import { platformTime } from '../../src/world/time.ts';

const NOW_MS = 1_795_000_000_000;

describe('ids', () => {
  test('carry their time and have 17 to 19 digits', () => {
    const times = fc.integer({ min: 1_451_606_400_000, max: 2_200_000_000_000 });
    fc.assert(
      fc.property(times, fc.nat(4_194_303), (unixMs, counter) => {
        const id = makeSnowflake(unixMs, counter);
        expect(id).toMatch(SNOWFLAKE);
        expect(id.length).toBeLessThanOrEqual(19);
        expect(snowflakeMs(id)).toBe(unixMs);
      }),
    );
  });

  test('never repeat, even in one millisecond', () => {
    const source = new SnowflakeSource(() => NOW_MS);
    const ids = new Set(Array.from({ length: 5000 }, () => source.next()));
    expect(ids.size).toBe(5000);
  });

  test.each([
    ['81384788765712384', 16, 2],
    ['81384788765712384', 7, 3],
    ['81384788765712384', 1, 0],
    [null, 16, 0],
  ])('guild %s of %i shards is on shard %i', (id, count, shardId) => {
    expect(shardOf(id, count)).toBe(shardId);
  });

  test('guilds spread evenly over the usual shard counts', () => {
    for (const count of [...Array.from({ length: 16 }, (_, index) => index + 1), 32, 64]) {
      fc.assert(
        fc.property(
          fc.nat(5000),
          fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
          (index, age) => {
            expect(shardOf(guildSnowflake(index, age), count)).toBe(index % count);
          },
        ),
        { numRuns: 20 },
      );
    }
  });
});

describe('the seeded world', () => {
  const options = { seed: 7, guilds: 12, membersPerGuild: [5, 30] } as const;
  const facts = (seed: number): string => {
    const { world, maker } = seedWorld({ ...options, seed });
    const guilds = [...world.guilds.values(), maker.make()];
    return JSON.stringify(guilds, (_, value: unknown) =>
      value instanceof Map ? [...(value as Map<string, unknown>)] : value,
    );
  };

  test('is the same for the same seed, later guilds included', () => {
    expect(facts(7)).toBe(facts(7));
    expect(facts(7)).not.toBe(facts(8));
  });

  test('has no id twice and is whole', () => {
    const { world } = seedWorld(options);
    const ids: string[] = [...world.users.keys(), ...world.guilds.keys()];
    for (const guild of world.guilds.values()) {
      ids.push(...guild.channels.keys(), ...[...guild.roles.keys()].slice(1));
      expect(guild.members.has(world.bot.id)).toBe(true);
      expect(guild.members.has(guild.facts.owner_id)).toBe(true);
      expect(guild.roles.has(guild.facts.id)).toBe(true);
      expect(guild.members.size).toBeGreaterThanOrEqual(6);
      expect(guild.members.size).toBeLessThanOrEqual(31);
    }
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^\d{17,19}$/);
  });
});

test('times and colours have the form of the platform', () => {
  expect(platformTime(NOW_MS)).toBe('2026-11-18T11:06:40.000000+00:00');
  const { world } = seedWorld({ seed: 1, guilds: 1, membersPerGuild: [1, 1] });
  const [guild] = world.guildList();
  expect(guild?.facts.joined_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  for (const { color, colors } of guild?.roles.values() ?? []) {
    expect(colors).toEqual(roleColors(color));
  }
});

describe('dice', () => {
  test('repeat with the seed and stay in range', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(1000), (seed, max) => {
        const [a, b] = [new Random(seed), new Random(seed)];
        for (let throwNumber = 0; throwNumber < 20; throwNumber += 1) {
          const value = a.int(0, max);
          expect(value).toBe(b.int(0, max));
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(max);
        }
      }),
    );
  });

  test('weights are kept', () => {
    const random = new Random(1);
    const seen = { often: 0, never: 0, rarely: 0 };
    for (let index = 0; index < 10_000; index += 1) {
      seen[random.weighted({ often: 9, never: 0, rarely: 1 })] += 1;
    }
    expect(seen.never).toBe(0);
    expect(seen.rarely).toBeGreaterThan(800);
    expect(seen.rarely).toBeLessThan(1200);
    expect(() => random.pick([])).toThrow(RangeError);
  });
});
