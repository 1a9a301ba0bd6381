import { LIMITS } from '@bot-analytics/protocol';
import { Status, StatusDelta } from '@bot-analytics/protocol/read-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heartbeat, TestServer, until, type BotKeys } from '../harness.ts';

const server = new TestServer();
const INSTANCE = '0193f0a0-0000-7000-8000-00000000c0de';
beforeAll(async () => {
  await server.start();
});
afterAll(() => server.stop());

interface Seen {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** Reads a stream of server-sent events until it is closed. */
class Stream {
  readonly events: Seen[] = [];
  readonly #abort = new AbortController();
  text = '';
  ended = false;
  status = 0;
  headers = new Headers();

  async open(path: string, headers: Record<string, string>): Promise<this> {
    const { signal } = this.#abort;
    const response = await fetch(server.server.address + path, { headers, signal });
    this.status = response.status;
    this.headers = response.headers;
    void this.#read(response).catch(() => undefined);
    return this;
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      this.text += decoder.decode(chunk, { stream: true });
      const blocks = this.text.split('\n\n');
      this.text = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
        if (field('event') === '') continue;
        this.events.push({
          event: field('event'),
          id: field('id'),
          data: JSON.parse(field('data')),
        });
      }
    }
    this.ended = true;
  }

  close(): void {
    this.#abort.abort();
  }
}

const reader = (bot: BotKeys) => ({ authorization: `Bearer ${bot.readKey}` });
const statusOf = async (bot: BotKeys) =>
  (await server.call('GET', `/v1/bots/${bot.botId}/status`, { key: bot.readKey })).body;

describe('the status route', () => {
  test('shows a heartbeat at once, and grey two minutes after the last, by the clock of the server', async () => {
    const bot = await server.createBot();
    expect(await statusOf(bot)).toMatchObject({ online: 0, total: 0, clusters: [] });
    // The bot's own clock is an hour slow: only the arrival counts.
    const ts = new Date(Date.now() - 3_600_000).toISOString();
    const beat = { ...heartbeat(0, { shardCount: 1, guildCount: 12, voiceConnections: 3 }), ts };
    expect((await server.send(bot.apiKey, [beat])).status).toBe(200);
    const online = await statusOf(bot);
    expect(Status.parse(online)).toEqual(online);
    expect(online).toMatchObject({
      offlineAfterMs: LIMITS.shardOfflineAfterMs,
      online: 1,
      total: 1,
      shardCount: 1,
      clusters: [
        {
          clusterId: null,
          shards: [
            { state: 'online', wsPingMs: 41.5, memoryMb: 120, guildCount: 12, voiceConnections: 3 },
          ],
        },
      ],
    });
    server.env.offsetMs += LIMITS.shardOfflineAfterMs;
    const offline = await statusOf(bot);
    expect(offline).toMatchObject({
      online: 0,
      total: 1,
      clusters: [{ shards: [{ state: 'offline', wsPingMs: null, guildCount: 12 }] }],
    });
    expect(offline.clusters[0].shards[0].lastHeartbeatAt).toBe(
      online.clusters[0].shards[0].lastHeartbeatAt,
    );
  });

  test('groups shards by cluster', async () => {
    const bot = await server.createBot();
    const beats = [0, 1, 2, 3].map((shard) => heartbeat(shard, { clusterId: String(shard >> 1) }));
    await server.send(bot.apiKey, beats);
    const { clusters, shardCount } = await statusOf(bot);
    expect(shardCount).toBe(4);
    expect(
      clusters.map((c: { clusterId: string; online: number; total: number }) => [
        c.clusterId,
        c.online,
        c.total,
      ]),
    ).toEqual([
      ['0', 2, 2],
      ['1', 2, 2],
    ]);
  });

  test('is compressed when it is large', async () => {
    const bot = await server.createBot();
    const small = await server.call('GET', `/v1/bots/${bot.botId}/status`, { key: bot.readKey });
    expect(small.headers.get('content-encoding')).toBeNull();
    await server.send(
      bot.apiKey,
      Array.from({ length: 200 }, (_, shard) => heartbeat(shard)),
    );
    const large = await server.call('GET', `/v1/bots/${bot.botId}/status`, { key: bot.readKey });
    expect(large.headers.get('content-encoding')).toBe('gzip');
    expect(Number(large.headers.get('content-length'))).toBeLessThan(6_000);
    expect(large.body).toMatchObject({ total: 200, online: 200 });
  });

  test('marks a shard whose ping stands still, after a restart too', async () => {
    const bot = await server.createBot();
    const beats = async (minutes: number) => {
      for (let i = 0; i < minutes; i++) {
        server.env.offsetMs += 60_000;
        const base = { shardCount: 3, shardStatus: 'ready', instanceId: INSTANCE };
        await server.send(bot.apiKey, [
          heartbeat(0, { ...base, wsPingMs: 55.5 }),
          heartbeat(1, { ...base, wsPingMs: 40 + Math.sin(server.env.offsetMs) }),
          heartbeat(2, { ...base, shardStatus: 'disconnected', wsPingMs: null }),
        ]);
      }
    };
    const marks = async () =>
      (await statusOf(bot)).clusters[0].shards.map(
        (shard: { unresponsive: string | null }) => shard.unresponsive,
      );
    await beats(2);
    expect(await marks()).toEqual([null, null, null]);
    await beats(4);
    expect(await marks()).toEqual(['ping_frozen', null, 'gateway_silent']);
    await server.server.stop();
    await server.start();
    expect(await marks()).toEqual(['ping_frozen', null, 'gateway_silent']);
  });

  test('is what it was after a restart, for shards that are silent for days too', async () => {
    const bot = await server.createBot();
    await server.send(bot.apiKey, [heartbeat(0), heartbeat(1)]);
    server.env.offsetMs += 3 * 86_400_000;
    await server.send(bot.apiKey, [heartbeat(2), heartbeat(3)]);
    const before = await statusOf(bot);
    expect(before).toMatchObject({ online: 2, total: 4 });
    await server.server.stop();
    await server.start();
    const after = await statusOf(bot);
    expect({ ...after, generatedAt: '' }).toEqual({ ...before, generatedAt: '' });
  });
});

describe('the stream', () => {
  test('begins with the whole status, tells changes within 2 s, and goes on after a break', async () => {
    const bot = await server.createBot();
    await server.send(bot.apiKey, [heartbeat(0)]);
    const path = `/v1/bots/${bot.botId}/status/stream`;
    const stream = await new Stream().open(path, reader(bot));
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('content-encoding')).toBe('gzip');
    expect(stream.headers.get('cache-control')).toContain('no-store');
    await until('a snapshot', () => stream.events.length === 1);
    expect(stream.events[0]?.event).toBe('snapshot');
    expect(Status.parse(stream.events[0]?.data)).toEqual(stream.events[0]?.data);

    const sentAt = performance.now();
    await server.send(bot.apiKey, [heartbeat(0, { wsPingMs: 77 })]);
    await until('a delta', () => stream.events.length === 2);
    expect(performance.now() - sentAt).toBeLessThan(2_000);
    const delta = stream.events[1];
    expect(delta?.event).toBe('delta');
    expect(StatusDelta.parse(delta?.data)).toEqual(delta?.data);
    expect(delta?.data).toMatchObject({ online: 1, shards: [{ shardId: 0, wsPingMs: 77 }] });
    stream.close();

    await server.send(bot.apiKey, [heartbeat(0, { wsPingMs: 78 })]);
    const again = await new Stream().open(path, {
      ...reader(bot),
      'last-event-id': delta?.id ?? '',
    });
    await until('the missed delta', () => again.events.length > 0);
    expect(again.events.map((event) => event.event)).toEqual(['delta']);
    expect(again.events[0]?.data).toMatchObject({ shards: [{ wsPingMs: 78 }] });
    again.close();
    await until('no stream is open', () => openStreams() === 0);
  });

  test('tells that a shard went silent, though nothing arrives', async () => {
    const bot = await server.createBot();
    await server.send(bot.apiKey, [heartbeat(0)]);
    const stream = await new Stream().open(`/v1/bots/${bot.botId}/status/stream`, reader(bot));
    await until('a snapshot', () => stream.events.length === 1);
    server.env.offsetMs += LIMITS.shardOfflineAfterMs;
    await until('a delta', () => stream.events.length === 2);
    expect(stream.events[1]?.data).toMatchObject({ online: 0, shards: [{ state: 'offline' }] });
    stream.close();
  });

  test('of a public link shows the same, and is not for pages of other sites', async () => {
    const bot = await server.createBot();
    await server.send(bot.apiKey, [heartbeat(0)]);
    const body = { sections: ['status'] };
    const made = await server.call('POST', `/v1/bots/${bot.botId}/shares`, { body });
    const path = `/v1/public/${made.body.token}/status/stream`;
    const stream = await new Stream().open(path, {});
    await until('a snapshot', () => stream.events.length === 1);
    expect(stream.events[0]?.data).toMatchObject({ online: 1, total: 1 });
    stream.close();
    const foreign = await new Stream().open(path, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
  });

  test('is plain for those who do not take gzip', async () => {
    const bot = await server.createBot();
    const path = `/v1/bots/${bot.botId}/status/stream`;
    const stream = await new Stream().open(path, { ...reader(bot), 'accept-encoding': 'identity' });
    expect(stream.headers.get('content-encoding')).toBeNull();
    await until('a snapshot', () => stream.events.length === 1);
    stream.close();
  });

  test('HEAD opens no stream', async () => {
    const bot = await server.createBot();
    const before = openStreams();
    const path = `/v1/bots/${bot.botId}/status/stream`;
    const answer = await server.call('HEAD', path, { key: bot.readKey });
    expect(answer.status).toBe(200);
    expect(openStreams()).toBe(before);
  });
});

/** Streams as the server counts them for its operator. */
function openStreams(): number {
  const line = /^bot_analytics_streams (\d+)$/m.exec(server.server.parts.metrics.render());
  return Number(line?.[1]);
}
