import { EVENT_TYPES, GATEWAY_TYPES, SNAPSHOT_TYPES } from '@bot-analytics/protocol/catalogue';
import type { StoredEvent } from '@bot-analytics/protocol/read-api';
import { describe, expect, test } from 'vitest';
import { readActivitySearch } from '../../src/pages/activity/search.ts';
import {
  activityView,
  eventsOf,
  FILTERS,
  median,
  outcomeOf,
  queryOf,
  ROWS_MAX,
  rowOf,
} from '../../src/pages/activity/view-model.ts';
import { makeEvents } from '../mock/activity.ts';

const NOW = new Date(2026, 10, 21, 12, 3, 10).getTime();
const GROUPS = FILTERS.flatMap(({ value }) => (value === 'all' ? [] : [value]));

function event(type: string, data: StoredEvent['data'] = {}, atMs = NOW): StoredEvent {
  const id = '01990000-0000-7000-8000-000000000001';
  const ts = new Date(atMs).toISOString();
  return { id, type, ts, guildId: null, channelId: null, userId: null, data };
}
const words = (type: string, data: StoredEvent['data']) => rowOf(event(type, data), NOW).what;

describe('what an event was', () => {
  test.each([
    ['interaction_slash', { commandName: 'play' }, '/play'],
    ['interaction_slash', { commandName: 'config set' }, '/config set'],
    ['interaction_button', { commandName: 'ticket-{id}' }, 'button ticket-{id}'],
    ['interaction_select', { commandName: 'colour' }, 'select menu colour'],
    ['interaction_modal', { commandName: 'appeal' }, 'form appeal'],
    ['interaction_context_menu', { commandName: 'Report' }, 'context menu Report'],
    ['interaction_autocomplete', { commandName: 'play' }, 'suggestions for /play'],
    ['interaction_slash', {}, '/?'],
    ['action_message_send', {}, 'sent a message'],
    ['action_webhook_send', { via: 'followup' }, 'sent a follow-up'],
    ['action_webhook_send', { via: 'webhook' }, 'sent a message by webhook'],
    ['action_message_bulk_delete', { count: 40 }, 'deleted 40 messages in bulk'],
    ['action_message_bulk_delete', {}, 'deleted messages in bulk'],
    ['action_member_ban', { count: 1 }, 'banned 1 member'],
    ['action_member_ban', {}, 'banned a member'],
    ['action_member_timeout', { cleared: true }, 'lifted a timeout'],
    ['action_member_timeout', { cleared: false }, 'timed a member out'],
    ['event_message_create', { count: 12 }, '12 messages'],
    ['event_message_create', { count: 1 }, '1 message'],
    ['event_member_join', { count: 1_200 }, '1,200 members joined'],
    [
      'shard_disconnect',
      { code: 1_006, willReconnect: true },
      'shard disconnected (1006: the connection broke)',
    ],
    ['shard_resume', { replayedEvents: 12 }, 'shard resumed, 12 events replayed'],
    [
      'command_error',
      { name: 'TypeError', commandName: 'play', interactionKind: 'slash' },
      'error in /play: TypeError',
    ],
    [
      'command_error',
      { name: 'TypeError', commandName: 'ticket-{id}', interactionKind: 'button' },
      'error in ticket-{id}: TypeError',
    ],
    ['error', { name: 'RangeError' }, 'error: RangeError'],
    ['guild_join', { name: 'Parrot Fans', memberCount: 120 }, 'joined Parrot Fans, 120 members'],
    ['guild_leave', { name: null, memberCount: null }, 'left a guild'],
    ['a_type_of_tomorrow', {}, 'a_type_of_tomorrow'],
  ])('%s %j: %s', (type, data, text) => {
    expect(words(type, data)).toBe(text);
  });

  test('every stored type has words of its own, never its name', () => {
    const stored = EVENT_TYPES.filter((type) => !SNAPSHOT_TYPES.some((one) => one === type));
    for (const type of stored) expect(words(type, { count: 2 })).not.toContain('_');
    const counters = GATEWAY_TYPES.map((type) => words(type, { count: 2 }));
    expect(new Set(counters).size).toBe(24);
  });
});

describe('how it came out', () => {
  test.each([
    ['interaction_slash', { success: true, timedOut: false }, 'ok', 'OK'],
    ['interaction_slash', { success: false, timedOut: true }, 'timed-out', 'Timed out'],
    ['interaction_slash', { success: false, errorCode: 10_062 }, 'failed', 'Failed 10062'],
    [
      'action_dm_open',
      { success: false, errorCode: 50_007, status: 403 },
      'failed',
      'Failed 50007',
    ],
    ['action_dm_open', { success: false, errorCode: null, status: 403 }, 'failed', 'Failed 403'],
    ['action_dm_open', { success: false, errorCode: 'ECONNRESET' }, 'failed', 'Failed ECONNRESET'],
    ['action_dm_open', { success: false }, 'failed', 'Failed'],
    ['error', { code: null }, 'failed', 'Error'],
    ['command_error', { code: 50_013 }, 'failed', 'Error 50013'],
    ['event_message_create', { count: 3 }, 'none', '–'],
  ])('%s %j: %s, %s', (type, data, kind, word) => {
    expect(outcomeOf(event(type, data))).toEqual({ kind, word });
  });
});

describe('a row', () => {
  test('has time, latency, shard and guild; a dash where there is none', () => {
    const full = event('interaction_slash', { commandName: 'play', latencyMs: 84, shardId: 0 });
    expect(rowOf({ ...full, guildId: '81384788765712384' }, NOW)).toMatchObject({
      time: '12:03:10',
      latency: '84 ms',
      shard: '0',
      guildId: '81384788765712384',
      detail: null,
    });
    expect(rowOf(event('error', { message: 'boom', shardId: null }), NOW)).toMatchObject({
      latency: '–',
      shard: '–',
      guildId: '–',
      detail: 'boom',
    });
  });

  test('of another day says which', () => {
    const row = rowOf(event('error', {}, NOW - 86_400_000), NOW);
    expect(row.time).toMatch(/20.*, 12:03:10$/);
  });
});

describe('figures', () => {
  const interaction = (data: StoredEvent['data']) => event('interaction_slash', data);

  test('are of the interactions among the rows, and say so', () => {
    const view = activityView(
      [
        interaction({ success: true, latencyMs: 30, timedOut: false }),
        interaction({ success: true, latencyMs: 10, timedOut: false }),
        interaction({ success: true, latencyMs: 20, timedOut: false }),
        interaction({ success: false, latencyMs: null, timedOut: true }),
        // Neither counts as an interaction, whatever its outcome.
        event('action_message_send', { success: false, latencyMs: 9_000 }),
        event('event_message_create', { count: 9 }, NOW - 70_000),
      ],
      NOW,
    );
    expect(view.scope).toBe('Figures of the 6 newest events only: 12:02:00 to 12:03:10.');
    expect(view.figures.map(({ label, value, help }) => [label, value, help])).toEqual([
      ['Interactions', '4', 'among 6 events shown'],
      ['Success rate', '75 %', '1 failed, 1 of them timed out'],
      ['p50 latency', '20 ms', 'of 3 interactions with an answer'],
    ]);
  });

  test.each([
    [[{ success: true }], 'none failed'],
    [[{ success: true }, { success: false, timedOut: false }], '1 failed'],
    [[], 'no interaction shown'],
  ])('failures of %j: %s', (all, text) => {
    const { figures } = activityView(all.map(interaction), NOW);
    expect(figures.find(({ key }) => key === 'success')?.help).toBe(text);
  });

  test('without interactions are dashes, not zeroes', () => {
    const { figures } = activityView([event('error')], NOW);
    expect(figures.map(({ value }) => value)).toEqual(['0', '–', '–']);
  });

  test.each([
    [[], null],
    [[5], 5],
    [[100, 9], 9],
    [[100, 9, 20], 20],
  ])('median of %j is %s', (values, middle) => {
    expect(median(values)).toBe(middle);
  });
});

describe('the filter', () => {
  test('asks for every stored type in exactly one group', () => {
    const asked = GROUPS.flatMap((group) => (queryOf(group).type ?? '').split(','));
    const stored = EVENT_TYPES.filter((type) => !SNAPSHOT_TYPES.some((one) => one === type));
    expect(asked.toSorted()).toEqual([...stored].toSorted());
    // What the events route takes as `type`.
    for (const group of GROUPS) expect((queryOf(group).type ?? '').length).toBeLessThan(2_000);
    expect(queryOf(undefined)).toEqual({ order: 'newest', limit: ROWS_MAX });
  });

  test('keeps the events of its group, in their order', () => {
    const events = makeEvents(NOW, 22);
    const shown = eventsOf(events, 'gateway');
    expect(shown.map(({ type }) => type)).toEqual([
      'event_message_create',
      'event_reaction_add',
      'event_message_create',
      'event_reaction_add',
    ]);
    expect(eventsOf(events, undefined)).toBe(events);
  });

  test('in the address, unknown ones are left out', () => {
    expect(readActivitySearch({ show: 'errors' })).toEqual({ show: 'errors' });
    expect(readActivitySearch({ show: 'everything' })).toEqual({});
  });
});
