import { EventPage, Health } from '@bot-analytics/protocol/read-api';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { event, TestServer, until, uuid, type BotKeys } from '../harness.ts';

const server = new TestServer();
let bot: BotKeys;
const NOW = Date.now();
const MINUTE = 60_000;
/** Events of the last two hours, sent in a mixed order: some share a millisecond, some ids are old. */
const sent: Record<string, unknown>[] = [];

const get = (query: string, change: { key?: string } = {}) =>
  server.call('GET', `/v1/bots/${bot.botId}/events${query}`, { key: bot.readKey, ...change });
/** The text of an answer, whatever its type. */
async function getText(query: string): Promise<{ headers: Headers; text: string }> {
  const path = `/v1/bots/${bot.botId}/events${query}`;
  const response = await fetch(server.server.address + path, {
    headers: { authorization: `Bearer ${bot.readKey}` },
  });
  expect(response.status).toBe(200);
  return { headers: response.headers, text: await response.text() };
}
const byAge = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
  String(a['ts']).localeCompare(String(b['ts'])) || String(a['id']).localeCompare(String(b['id']));
const idsOf = (events: readonly Record<string, unknown>[]) => events.map((each) => each['id']);

beforeAll(async () => {
  await server.start();
  bot = await server.createBot();
  for (let i = 0; i < 1_200; i++) {
    const tsMs = NOW - ((i * 7_919) % 120) * MINUTE;
    const id = i % 3 === 0 ? uuid(NOW - 3 * 3_600_000) : uuid(tsMs);
    const change = {
      id,
      ts: new Date(tsMs).toISOString(),
      ...(i % 10 === 0
        ? { type: 'error', guildId: undefined, data: { name: `=HYPERLINK("x")${i}`, shardId: 1 } }
        : {}),
    };
    sent.push(event(change));
  }
  for (let i = 0; i < sent.length; i += 400) {
    const { body } = await server.send(bot.apiKey, sent.slice(i, i + 400));
    expect(body).toMatchObject({ accepted: 400 });
  }
  // The same ids once more, as an SDK does after a lost answer.
  await server.send(bot.apiKey, sent.slice(0, 300));
  // And rows that stand in the store twice, as after a crash between insert and answer.
  const { store } = server.server.parts;
  await store.run(`INSERT INTO events SELECT * FROM events WHERE bot_id = '${bot.botId}'`);
});

afterAll(() => server.stop());

describe('the export', () => {
  test('as NDJSON is one stream of every event once, oldest first, with its fields', async () => {
    const { headers, text } = await getText('?format=ndjson');
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="events_[\w-]+\.ndjson"$/,
    );
    expect(text.endsWith('\n')).toBe(true);
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(idsOf(events)).toEqual(idsOf(sent.toSorted(byAge)));
    const first = sent.find((each) => each['id'] === events[0].id);
    expect(events[0]).toEqual({
      id: first?.['id'],
      type: first?.['type'],
      ts: first?.['ts'],
      guildId: first?.['guildId'] ?? null,
      channelId: null,
      userId: '18446744073709551615',
      data: first?.['data'],
    });
    expect(Object.keys(events[0])).toEqual([
      'id',
      'type',
      'ts',
      'guildId',
      'channelId',
      'userId',
      'data',
    ]);
  });

  test('as CSV has the same rows, and no cell is a formula', async () => {
    const { headers, text } = await getText('?format=csv&type=error');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('id,type,ts,guildId,channelId,userId,data');
    expect(lines).toHaveLength(121);
    for (const line of lines) {
      for (const cell of line.split(',')) expect(cell).not.toMatch(/^"?[=+\-@]/);
    }
  });

  test('waits for a slow client, and ends when the client goes away', async () => {
    const { store } = server.server.parts;
    const big = await server.createBot();
    await store.run(`INSERT INTO events (bot_id, id, type, ts, received_at, data, expires_on)
      SELECT '${big.botId}', number + 1, 'error', now64(3), now64(3),
        concat('{"name":"', repeat('x', 400), '"}'), '2099-01-01' FROM numbers(100000)`);
    let pages = 0;
    const read = store.read.bind(store);
    store.read = (query, params) => {
      if (query.name === 'event_page') pages += 1;
      return read(query, params);
    };
    const { hostname, port } = new URL(server.server.address);
    const path = `/v1/bots/${big.botId}/events?format=ndjson`;
    const headers = { authorization: `Bearer ${big.readKey}` };
    const socket = await new Promise<{ destroy(): void }>((resolve) => {
      // Nobody reads the answer, so it piles up in the network's buffers and no further.
      request({ hostname, port, path, headers }, (response) => resolve(response.pause())).end();
    });
    let last = -1;
    let still = 0;
    await until('the export waits', () => {
      still = pages === last ? still + 1 : 0;
      last = pages;
      return pages > 0 && still > 20;
    });
    expect(pages).toBeLessThan(45);
    socket.destroy();
    // Any further page would be asked for before these calls of another bot are answered.
    for (let i = 0; i < 10; i++) expect((await get('?limit=1')).status).toBe(200);
    store.read = read;
    expect(pages).toBe(last + 10);
  });

  test('goes from the newest to the oldest when asked to', async () => {
    const { text } = await getText('?format=ndjson&order=newest');
    const lines = text.trimEnd().split('\n');
    const ids = idsOf(lines.map((line) => JSON.parse(line)));
    expect(ids).toEqual(idsOf(sent.toSorted(byAge)).reverse());
  });

  test('of nothing is empty, or the header alone', async () => {
    const range = `&from=${NOW - 86_400_000}&to=${NOW - 80_000_000}`;
    expect((await getText(`?format=ndjson${range}`)).text).toBe('');
    expect((await getText(`?format=csv${range}`)).text).toBe(
      'id,type,ts,guildId,channelId,userId,data\r\n',
    );
  });
});

/** Ids of all pages, one after the other. */
async function idsOfPages(query: string, limit: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const { status, body } = await get(`?limit=${limit}${query}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    expect(EventPage.parse(body)).toEqual(body);
    expect(body.events.length).toBeLessThanOrEqual(limit);
    seen.push(...idsOf(body.events));
    cursor = body.nextCursor ?? '';
  } while (cursor !== '');
  return seen;
}

describe('pages', () => {
  // Ten events share each of the 120 times, so that pages end between events of one millisecond.
  test.each([
    ['', 1_000],
    ['', 333],
    ['&order=oldest', 1_000],
    ['&order=newest', 1_000],
    ['&order=newest', 333],
    ['&order=newest', 97],
  ])('%s of %i make up the whole, each event once', async (query, limit) => {
    const expected = idsOf(sent.toSorted(byAge));
    const isNewest = query === '&order=newest';
    expect(await idsOfPages(query, limit)).toEqual(isNewest ? expected.reverse() : expected);
  });

  test('newest first respect the range and the types', async () => {
    const [from, to] = [NOW - 90 * MINUTE, NOW - 20 * MINUTE];
    const expected = sent.filter((each) => {
      const ms = Date.parse(String(each['ts']));
      return each['type'] === 'error' && ms >= from && ms < to;
    });
    const query = `&order=newest&type=error&from=${from}&to=${to}`;
    expect(expected.length).toBeGreaterThan(50);
    expect(await idsOfPages(query, 13)).toEqual(idsOf(expected.toSorted(byAge)).reverse());
  });

  test('newest first hold a new event at once, and a cursor given before goes on as before', async () => {
    const other = await server.createBot();
    const path = `/v1/bots/${other.botId}/events?order=newest&limit=2`;
    const read = async (more = '') =>
      (await server.call('GET', path + more, { key: other.readKey })).body;
    const old = [3, 2, 1].map((hours) => {
      const tsMs = NOW - hours * 30 * 3_600_000;
      return event({ id: uuid(tsMs), ts: new Date(tsMs).toISOString() });
    });
    await server.send(other.apiKey, old);
    const first = await read();
    expect(idsOf(first.events)).toEqual(idsOf([old[2] ?? {}, old[1] ?? {}]));
    const fresh = event({ id: uuid(NOW), ts: new Date(NOW).toISOString() });
    await server.send(other.apiKey, [fresh]);
    expect(idsOf((await read()).events)).toEqual(idsOf([fresh, old[2] ?? {}]));
    const rest = await read(`&cursor=${first.nextCursor}`);
    expect(idsOf(rest.events)).toEqual(idsOf([old[0] ?? {}]));
    expect(rest.nextCursor).toBeNull();
  });

  test('hold 100 events unless asked otherwise, and only the types asked for', async () => {
    expect((await get('')).body.events).toHaveLength(100);
    const { body } = await get('?type=error,guild_join&limit=1000');
    expect(body.events).toHaveLength(120);
    expect(body.nextCursor).toBeNull();
  });

  test('respect both ends of the range', async () => {
    const [from, to] = [NOW - 30 * MINUTE, NOW - 20 * MINUTE];
    const expected = sent.filter((each) => {
      const ms = Date.parse(String(each['ts']));
      return ms >= from && ms < to;
    });
    const iso = (ms: number) => new Date(ms).toISOString();
    const asMs = await get(`?from=${from}&to=${to}&limit=1000`);
    const asIso = await get(`?from=${iso(from)}&to=${iso(to)}&limit=1000`);
    expect(idsOf(asMs.body.events)).toEqual(idsOf(expected.toSorted(byAge)));
    expect(asIso.body).toEqual(asMs.body);
  });

  test('show nothing that is older than the retention', async () => {
    await server.call('PATCH', `/v1/bots/${bot.botId}`, { body: { retentionDays: 1 } });
    server.env.offsetMs = 86_400_000 - 60 * MINUTE;
    const { body } = await get('?limit=1000');
    server.env.offsetMs = 0;
    await server.call('PATCH', `/v1/bots/${bot.botId}`, { body: { retentionDays: 90 } });
    const ages = body.events.map((each: { ts: string }) => NOW - Date.parse(each.ts));
    expect(Math.max(...ages)).toBeLessThanOrEqual(60 * MINUTE);
    expect(body.events.length).toBeGreaterThan(500);
  });
});

describe('what is refused', () => {
  test.each([
    ['?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', 'invalid_range'],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'invalid_range'],
    ['?from=yesterday', 'invalid_range'],
    ['?type=heartbeat', 'invalid_parameter'],
    ['?type=no_such_type', 'invalid_parameter'],
    ['?limit=0', 'invalid_parameter'],
    ['?limit=1001', 'invalid_parameter'],
    ['?limit=1e9', 'invalid_parameter'],
    ['?format=xml', 'invalid_parameter'],
    ['?order=random', 'invalid_parameter'],
    ['?cursor=abc', 'invalid_parameter'],
    ['?type=error&type=error', 'invalid_parameter'],
  ])('%s: %s', async (query, code) => {
    const { status, headers, body } = await get(query);
    expect([status, body.code]).toEqual([400, code]);
    expect(headers.get('content-type')).toContain('application/problem+json');
  });

  const HOSTILE = [
    "' OR 1=1 --",
    "\\' ",
    '{x:String}',
    '$$',
    '/**/',
    '\0',
    'error FORMAT Null',
    'error SETTINGS readonly=0',
    "INTO OUTFILE '/tmp/x'",
    "url('http://127.0.0.1:1/')",
    "file('/etc/passwd')",
    'numbers(1000000000000000000)',
    'sleepEachRow(3)',
    '`events`',
  ];
  const FIELDS = ['from', 'to', 'type', 'limit', 'order', 'cursor', 'format', 'tz', 'sort'];
  test.each(FIELDS)('hostile text in %s', async (field) => {
    for (const text of HOSTILE) {
      const startedAt = performance.now();
      const { status, body } = await get(`?${field}=${encodeURIComponent(text)}`);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      // A parameter that the route does not have is ignored.
      expect(status, text).toBe(field === 'tz' || field === 'sort' ? 200 : 400);
      expect(JSON.stringify(body)).not.toMatch(/Exception|SELECT|root:/);
    }
    expect((await get('?limit=1')).status).toBe(200);
  });
});

describe('ingestion health', () => {
  test('counts what came, what was double and what was refused', async () => {
    await server.send(bot.apiKey, [event({ type: 'nonsense' }), event()]);
    const path = `/v1/bots/${bot.botId}/health`;
    let body: Record<string, unknown> = {};
    await until('the counts', async () => {
      ({ body } = await server.call('GET', path, { key: bot.readKey }));
      return body['received'] === 1_502;
    });
    expect(Health.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      accepted: 1_201,
      duplicates: 300,
      rejected: [{ code: 'unknown_type', count: 1 }],
      sdks: [{ name: '@vendor/chat.js', version: '0.5.0', batches: 5 }],
      sdkDropped: 0,
    });
    expect(body['lastBatchAt']).not.toBeNull();
  });
});
