import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChatSim } from '../../src/index.ts';
import type { ChatSim, InteractionRecord } from '../../src/index.ts';
import { PythonBot, requireDiscordPy } from './python-bot.ts';
import type { Line } from './python-bot.ts';

let sim: ChatSim;
let bot: PythonBot;

function line(event: string, facts?: Line, count?: number): Promise<void> {
  return bot.until(event, facts, count);
}

beforeAll(requireDiscordPy);

describe('plain client', () => {
  let guildId: string;

  beforeAll(async () => {
    sim = await startChatSim({ seed: 11, guilds: 2, interactionDeadlineMs: 1500 });
    [guildId = ''] = sim.world.guilds.keys();
    bot = new PythonBot(sim, 'plain');
    await line('ready', { guilds: 2 });
  });

  afterAll(async () => {
    const code = await bot.stop();
    await sim.stop();
    expect([code, bot.seen('closed').length]).toEqual([0, 1]);
  });

  const USES: readonly [
    name: string,
    use: () => InteractionRecord,
    handled: Line,
    expected: Partial<InteractionRecord>,
  ][] = [
    [
      'slash command',
      () => sim.users.slash({ command: 'ping', guildId }),
      { kind: 'slash', seen: 'ping' },
      { responseKind: 'reply' },
    ],
    [
      'slash command in a direct message',
      () => sim.users.slash({ command: 'weather', options: { place: 'dm' }, guildId: null }),
      { kind: 'slash', seen: 'dm' },
      { responseKind: 'reply', shardId: 0 },
    ],
    [
      'deferred, edited, followed up, deleted',
      () => sim.users.slash({ command: 'report', guildId }),
      { kind: 'slash', seen: 'report' },
      { responseKind: 'defer', edits: 1, followUps: 1, deletes: 1 },
    ],
    [
      'suggestions',
      () => sim.users.autocomplete({ command: 'weather', options: { place: 'har' }, guildId }),
      { kind: 'autocomplete', seen: 'har' },
      { responseKind: 'autocomplete' },
    ],
    [
      'a message with components',
      () => sim.users.slash({ command: 'vote', guildId }),
      { kind: 'slash', seen: 'vote' },
      { responseKind: 'reply' },
    ],
    [
      'button',
      () => sim.users.button({ customId: 'vote:yes' }),
      { kind: 'button' },
      { responseKind: 'update' },
    ],
    [
      'select menu',
      () => sim.users.select({ customId: 'vote:when', values: ['today'] }),
      { kind: 'select', seen: ['today'] },
      { responseKind: 'defer_update' },
    ],
    [
      'form shown',
      () => sim.users.slash({ command: 'feedback', guildId }),
      { kind: 'slash', seen: 'feedback' },
      { responseKind: 'modal' },
    ],
    [
      'form submitted',
      () => sim.users.modal({ customId: 'feedback', fields: { text: 'Good' }, guildId }),
      { kind: 'modal', seen: 'Good' },
      { responseKind: 'reply' },
    ],
    [
      'message menu',
      () => sim.users.messageMenu({ command: 'Bookmark', guildId }),
      { kind: 'context_menu', seen: 'See here.' },
      { responseKind: 'reply' },
    ],
  ];

  test.each(USES)('%s', async (_, use, handled, expected) => {
    const record = await sim.settled(use());
    expect(record).toMatchObject({ outcome: 'answered', responseKind: expected.responseKind });
    await line('handled', handled);
    expect(record).toMatchObject(expected);
  });

  test('user menu', async () => {
    const record = await sim.settled(sim.users.userMenu({ command: 'User info', guildId }));
    await line('handled', { kind: 'context_menu', seen: record.userId });
    expect(record).toMatchObject({ kind: 'context_menu', outcome: 'answered' });
  });

  test('an answer after the deadline is refused with 10062', async () => {
    const record = await sim.settled(sim.users.slash({ command: 'late', guildId }));
    expect(record.outcome).toBe('unanswered');
    await line('refused', { code: 10062 });
    expect(record.lateAnswers).toBe(1);
  });

  test('REST calls of the actions', async () => {
    sim.resetLedger();
    sim.users.slash({ command: 'work', guildId });
    await line('handled', { kind: 'slash', seen: 'work' });
    const { rest } = sim.ledger();
    const bad = Object.entries(rest).filter(([, byStatus]) =>
      Object.keys(byStatus).some((status) => !status.startsWith('2')),
    );
    expect(bad).toEqual([]);
    expect(rest).toMatchObject({
      'POST /guilds/{id}/roles': { 200: 1 },
      'PUT /guilds/{id}/members/{id}/roles/{id}': { 204: 1 },
      'DELETE /guilds/{id}/members/{id}/roles/{id}': { 204: 1 },
      'PATCH /guilds/{id}/members/{id}': { 200: 2 },
      'PUT /channels/{id}/messages/pins/{id}': { 204: 1 },
      'PUT /channels/{id}/messages/{id}/reactions/{emoji}/@me': { 204: 1 },
      'POST /channels/{id}/messages/bulk-delete': { 204: 1 },
      'POST /webhooks/{id}/{token}': { 200: 2 },
      'POST /channels/{id}/invites': { 200: 1 },
      'PUT /guilds/{id}/bans/{id}': { 204: 1 },
      'DELETE /guilds/{id}/bans/{id}': { 204: 1 },
    });
  });

  test.each(['rate-limit-bucket', 'rate-limit-shared', 'rate-limit-global'] as const)(
    '%s is waited for',
    async (kind) => {
      const route = '/channels/{id}/messages';
      const before = bot.seen('sent').length;
      sim.restFaults.add({ kind, route, times: 1, retryAfterSeconds: 0.1 });
      sim.users.slash({ command: 'send', guildId });
      await line('sent', {}, before + 1);
      expect(sim.ledger().faults[kind]).toBe(1);
    },
  );

  test.each([
    ['rate-limit-edge', 429],
    ['forbidden', 403],
  ] as const)('%s is an error', async (kind, status) => {
    sim.restFaults.add({ kind, route: '/channels/{id}/messages', times: 1 });
    sim.users.slash({ command: 'send', guildId });
    await line('refused', { status });
  });

  test('every gateway kind reaches the client', async () => {
    sim.events.messageCreate({ content: 'from here on', guildId });
    await line('message', { content: 'from here on' });
    const from = bot.seen('dispatch').length;
    sim.resetLedger();
    sim.events.messageCreate({ content: 'canary', guildId });
    sim.events.messageUpdate({ guildId });
    sim.events.messageDelete({ guildId });
    sim.events.messageBulkDelete({ guildId });
    sim.events.reactionAdd({ guildId });
    sim.events.reactionRemove({ guildId });
    sim.events.memberJoin({ guildId });
    sim.events.memberLeave({ guildId });
    sim.events.memberUpdate({ guildId });
    sim.events.memberBan({ guildId });
    sim.events.memberUnban({ guildId });
    sim.events.channelCreate({ guildId });
    sim.events.channelUpdate({ guildId });
    sim.events.channelDelete({ guildId });
    sim.events.threadCreate({ guildId });
    sim.events.threadDelete({ guildId });
    sim.events.roleCreate({ guildId });
    sim.events.roleUpdate({ guildId });
    sim.events.roleDelete({ guildId });
    sim.events.voiceStateUpdate({ guildId });
    sim.events.inviteCreate({ guildId });
    sim.events.inviteDelete({ guildId });
    sim.events.guildUpdate({ guildId });
    sim.events.automodAction({ guildId });
    await line('message', { content: 'canary' });
    const sent = sim.ledger().dispatches[0] ?? {};
    const total = Object.values(sent).reduce((sum, count) => sum + count, 0);
    await line('dispatch', {}, from + total);
    const heard: Record<string, number> = {};
    for (const { name } of bot.seen('dispatch').slice(from)) {
      if (typeof name === 'string') heard[name] = (heard[name] ?? 0) + 1;
    }
    expect(heard).toEqual(sent);
    expect(Object.keys(sent)).toHaveLength(24);
    expect(bot.errors).not.toContain('Traceback');
  });

  test('close 4000: resumes and gets what it missed', async () => {
    sim.gateway.close({ code: 4000 });
    sim.events.messageCreate({ content: 'missed', guildId });
    await line('resumed');
    await line('message', { content: 'missed' });
    expect(bot.seen('message', { content: 'missed' })).toHaveLength(1);
    expect(sim.ledger().shards[0]).toMatchObject({ resumes: 1 });
  });

  test('outage, join and leave', async () => {
    sim.guilds.outage(guildId);
    await line('guild_unavailable', { id: guildId });
    sim.guilds.restore(guildId);
    await line('guild_available', { id: guildId });
    const { id } = sim.guilds.join().facts;
    await line('guild_join', { id });
    sim.guilds.leave(id);
    await line('guild_remove', { id });
    expect(bot.seen('guild_join')).toHaveLength(1);
  });

  test('op 9, not resumable: identifies anew', async () => {
    const before = bot.seen('ready').length;
    sim.gateway.invalidSession({ resumable: false });
    await line('ready', {}, before + 1);
  });
});

describe('two shards', () => {
  beforeAll(async () => {
    sim = await startChatSim({ seed: 12, guilds: 4, shards: 2 });
    bot = new PythonBot(sim, 'sharded');
    await line('ready', { guilds: 4 });
  });

  afterAll(async () => {
    await bot.stop();
    await sim.stop();
  });

  test('each shard is ready and gets its own guilds', async () => {
    await line('shard_ready', { shard: 0 });
    await line('shard_ready', { shard: 1 });
    const [first = '', second = ''] = sim.world.guilds.keys();
    sim.events.messageCreate({ guildId: first, content: 'on 0' });
    sim.events.messageCreate({ guildId: second, content: 'on 1' });
    await line('message', { content: 'on 0', shard: 0 });
    await line('message', { content: 'on 1', shard: 1 });
    const record = await sim.settled(sim.users.slash({ command: 'ping', guildId: second }));
    expect(record).toMatchObject({ shardId: 1, outcome: 'answered' });
  });

  test.each([
    ['close 4000', () => sim.gateway.close({ code: 4000, shardId: 1 })],
    ['op 7', () => sim.gateway.reconnect({ shardId: 1 })],
  ])('%s on one shard: that one resumes', async (_, fault) => {
    const before = bot.seen('shard_resumed', { shard: 1 }).length;
    fault();
    await line('shard_resumed', { shard: 1 }, before + 1);
    expect(bot.seen('shard_resumed', { shard: 0 })).toHaveLength(0);
  });
});
