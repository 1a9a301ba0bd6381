import { expect, test } from 'vitest';
import { LONG, soak } from './soak/soak.ts';
import { faults } from './soak/table.ts';

/** The soak in small: everything once, and the troubles that need no new session. */
test('what chat-sim did is what the server stored, kind by kind', async () => {
  const result = await soak({
    ...LONG,
    sdk: 'js',
    durationMs: 0,
    shards: 1,
    guilds: 3,
    troubles: ['shard closed, resumes', 'four attempts fail with 503', 'server killed (SIGKILL)'],
  });
  expect(faults(result)).toEqual([]);
  expect(result.report.dropped).toMatchObject({ retries_exhausted: 0, overflow: 0 });
  // The comparison must not be empty.
  expect(result.stored['action_member_kick']).toBeGreaterThan(3);
  expect(result.stored['shard_resume']).toBe(1);
});
