import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batch, event, heartbeat, TestServer, uuid, type BotKeys } from '../harness.ts';

/** Every row of the table in design.md 5, over a real socket with a real store. */
const t = new TestServer();
let bot: BotKeys;

beforeAll(async () => {
  await t.start();
  bot = await t.createBot();
});
afterAll(() => t.stop());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  t.call('POST', '/v1/events', { key: bot.apiKey, body, headers });
const codes = (list: { code: string }[]): string[] => list.map((entry) => entry.code).toSorted();

describe('stored', () => {
  test('200 with every field of the answer', async () => {
    const body = batch([event(), event()]);
    const answer = await post(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      batchId: body['batchId'],
      received: 2,
      accepted: 2,
      duplicates: 0,
      rejected: [],
      rejectedCount: 0,
      warnings: [],
      serverTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  test('what was sent is what is stored', async () => {
    const data = { commandName: 'é "\\\n\u2028', n: 1.25, deep: { list: [1, null, 'x'] } };
    const sent = event({ channelId: '1', data });
    await post(batch([sent]));
    const [row] = await t.rows(
      `SELECT type, toUnixTimestamp64Milli(ts) AS ms, guild_id, channel_id, user_id, data FROM events FINAL WHERE event_id = '${String(sent['id'])}'`,
    );
    expect(row).toEqual({
      type: 'interaction_slash',
      ms: String(Date.parse(String(sent['ts']))),
      guild_id: '123456789012345678',
      channel_id: '1',
      user_id: '18446744073709551615',
      data: JSON.stringify(data),
    });
  });

  test('snapshots go to their own tables and not to events', async () => {
    const { botId, apiKey } = await t.createBot();
    const beat = heartbeat(3, { wsPingMs: 'no number', guildCount: 7, instanceId: uuid() });
    const guild = event({
      type: 'guild_snapshot',
      data: { memberCount: 5, name: 'G', locale: 'de' },
    });
    const routes = [{ method: 'GET', route: '/channels/{id}', count: 9 }];
    const api = event({
      type: 'api_routes_snapshot',
      data: { windowMs: 300_000, total: 9, routes },
    });
    const answer = await t.send(apiKey, [beat, guild, api]);
    expect(answer.body).toMatchObject({ accepted: 3, rejectedCount: 0 });
    expect(await t.storedIds(botId)).toEqual([]);
    const where = `WHERE bot_id = '${botId}'`;
    expect(
      await t.rows(`SELECT shard_id, ws_ping_ms, guild_count FROM heartbeats FINAL ${where}`),
    ).toEqual([{ shard_id: 3, ws_ping_ms: null, guild_count: '7' }]);
    expect(await t.rows(`SELECT member_count, name, locale FROM guilds FINAL ${where}`)).toEqual([
      { member_count: '5', name: 'G', locale: 'de' },
    ]);
    expect(await t.rows(`SELECT count() AS n FROM guild_days FINAL ${where}`)).toEqual([
      { n: '1' },
    ]);
    expect(await t.rows(`SELECT method, route, calls FROM api_routes FINAL ${where}`)).toEqual([
      { method: 'GET', route: '/channels/{id}', calls: '9' },
    ]);
    const again = await t.send(apiKey, [beat, guild, api]);
    expect(again.body).toMatchObject({ accepted: 0, duplicates: 3 });
  });
});

describe('some or all events invalid', () => {
  test('the good ones are stored, the bad ones listed', async () => {
    const bad = event({ type: 'interaction_slsh' });
    const answer = await post(batch([event(), bad, 7, event({ id: 'x' })]));
    expect(answer.body).toMatchObject({ received: 4, accepted: 1, rejectedCount: 3 });
    expect(codes(answer.body.rejected)).toEqual(['invalid_event', 'invalid_id', 'unknown_type']);
    expect(answer.body.rejected[0]).toMatchObject({
      index: 1,
      pointer: '/events/1/type',
      id: bad['id'],
    });
  });

  test('at most 100 are listed', async () => {
    const bad = Array.from({ length: 150 }, () => event({ type: 'nope' }));
    const answer = await post(batch([event(), ...bad]));
    expect(answer.body.rejectedCount).toBe(150);
    expect(answer.body.rejected).toHaveLength(100);
  });

  test('every event invalid: 400 with the same list', async () => {
    const answer = await post(batch([event({ type: 'nope' })]));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({
      code: 'all_events_rejected',
      type: 'urn:bot-analytics:problem:all_events_rejected',
      status: 400,
      instance: answer.headers.get('x-request-id'),
      errors: [{ code: 'unknown_type', pointer: '/events/0/type', index: 0 }],
    });
  });

  test('no events: a connectivity check', async () => {
    expect((await post(batch([]))).body).toMatchObject({ received: 0, accepted: 0 });
  });
});

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

test.each([
  ['no JSON', '{', 'invalid_json'],
  ['empty body', '', 'invalid_json'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'invalid_json'],
  ['byte order mark', '\ufeff{"events":[]}', 'invalid_json'],
  ['no object', '[]', 'invalid_envelope'],
  ['null', 'null', 'invalid_envelope'],
  ['no events', '{}', 'invalid_envelope'],
  ['events no array', '{"events":{}}', 'invalid_envelope'],
  ['501 events', { events: Array.from({ length: 501 }, () => 1) }, 'too_many_events'],
  ['33 levels', { events: [], x: nested(32) }, 'too_deep'],
  ['a megabyte of [', '['.repeat(1_048_576), 'too_deep'],
])('400: %s', async (_name, body, code) => {
  const started = performance.now();
  const answer = await post(body);
  expect([answer.status, answer.body.code]).toEqual([400, code]);
  expect(performance.now() - started).toBeLessThan(500);
});

test('32 levels are fine', async () => {
  expect((await post({ events: [event()], x: nested(31) })).status).toBe(200);
});

test('missing or odd batchId, sdk, sentAt: 200 with a warning', async () => {
  const answer = await post({ events: [event()], batchId: 5, sdk: 'x', sentAt: 'yesterday' });
  expect(answer.body).toMatchObject({ accepted: 1, batchId: null });
  expect(codes(answer.body.warnings)).toEqual([
    'invalid_batch_id',
    'invalid_sdk',
    'invalid_sent_at',
  ]);
});

test('unknown fields are ignored', async () => {
  const answer = await post(batch([event({ colour: 'red' })], { mood: 1 }));
  expect(answer.body).toMatchObject({ accepted: 1, warnings: [] });
});

test('strings are cut, content is stripped, surrogates repaired, prototype keys dropped', async () => {
  const id = uuid();
  const text = `{"id":"${id}","type":"shard_ready","ts":"${new Date().toISOString()}","data":{"a":"${'x'.repeat(5_000)}","b":"\\ud800\\u0000","content":"canary","__proto__":{"polluted":1}}}`;
  const answer = await post(`{"events":[${text}]}`);
  expect(answer.body.accepted).toBe(1);
  expect(codes(answer.body.warnings)).toEqual(
    expect.arrayContaining(['content_stripped', 'key_dropped', 'string_cut', 'text_repaired']),
  );
  const [row] = await t.rows(`SELECT data FROM events FINAL WHERE event_id = '${id}'`);
  expect(JSON.parse(String(row?.['data']))).toEqual({ a: 'x'.repeat(4_096), b: '\ufffd' });
  expect(Object.prototype).not.toHaveProperty('polluted');
});

test('data over 16 KiB: that event is rejected', async () => {
  const strings = Array.from({ length: 5 }, () => 'x'.repeat(4_000));
  const answer = await post(batch([event(), event({ data: { strings } })]));
  expect(answer.body).toMatchObject({
    accepted: 1,
    rejected: [{ index: 1, code: 'data_too_large' }],
  });
});

test('id of another version is stored with a warning; upper case is the same id', async () => {
  const id = '9b2f8c4e-1d3a-4f5b-8c6d-7e8f90a1b2c3';
  const first = await post(batch([event({ id })]));
  expect(codes(first.body.warnings)).toEqual(['id_not_v7']);
  const second = await post(batch([event({ id: id.toUpperCase() })]));
  expect(second.body).toMatchObject({ accepted: 0, duplicates: 1 });
});

test('snowflakes are decimal strings', async () => {
  const answer = await post(batch([event(), event({ guildId: 123 }), event({ userId: '12x' })]));
  expect(answer.body.rejected.map((r: { pointer: string }) => r.pointer)).toEqual([
    '/events/1/guildId',
    '/events/2/userId',
  ]);
});

const DAY = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();

test('ts older than the retention is rejected, ts far ahead is stored at the time of receipt', async () => {
  const ahead = event({ ts: iso(Date.now() + 660_000) });
  const answer = await post(batch([ahead, event({ ts: iso(Date.now() - 91 * DAY) })]));
  expect(codes(answer.body.rejected)).toEqual(['ts_too_old']);
  expect(codes(answer.body.warnings)).toEqual(['ts_clamped']);
  const [row] = await t.rows(
    `SELECT ts = received_at AS clamped FROM events FINAL WHERE event_id = '${String(ahead['id'])}'`,
  );
  expect(row?.['clamped']).toBe(1);
});

test.each([
  [-119_000, 0, []],
  [-7_200_000, 7_200_000, ['clock_skew']],
  [300_000, -300_000, ['clock_skew']],
  [-25 * 3_600_000, 0, ['clock_not_believed']],
])('a clock %i ms off shifts ts by %i', async (skewMs, shiftMs, warnings) => {
  const clock = Date.now() + skewMs;
  const sent = event({ ts: iso(clock - 1_000) });
  const answer = await post(batch([sent], { sentAt: iso(clock) }));
  expect(codes(answer.body.warnings)).toEqual(warnings);
  const [row] = await t.rows(
    `SELECT toUnixTimestamp64Milli(ts) AS ms FROM events FINAL WHERE event_id = '${String(sent['id'])}'`,
  );
  expect(Math.abs(Number(row?.['ms']) - (clock - 1_000 + shiftMs))).toBeLessThan(2_000);
});

test('known ids are counted and not stored; batchId means nothing; the first body wins', async () => {
  const { botId, apiKey } = await t.createBot();
  const [a, b] = [event(), event()];
  const batchId = uuid();
  expect((await t.send(apiKey, [a, b, a], { batchId })).body).toMatchObject({
    accepted: 2,
    duplicates: 1,
  });
  const changed = { ...a, data: { commandName: 'other' } };
  expect((await t.send(apiKey, [changed, event()], { batchId })).body).toMatchObject({
    accepted: 1,
    duplicates: 1,
    warnings: [],
  });
  expect(await t.storedIds(botId)).toHaveLength(3);
  const [row] = await t.rows(`SELECT data FROM events FINAL WHERE event_id = '${String(a['id'])}'`);
  expect(row?.['data']).toContain('ping');
});

test('ids are scoped to the bot', async () => {
  const other = await t.createBot();
  const shared = event();
  expect((await t.send(bot.apiKey, [shared])).body).toMatchObject({ accepted: 1, duplicates: 0 });
  expect((await t.send(other.apiKey, [shared])).body).toMatchObject({ accepted: 1, duplicates: 0 });
});

test('the same id in many requests at once is one row, and one answer says accepted', async () => {
  const { botId, apiKey } = await t.createBot();
  const events = Array.from({ length: 50 }, () => event());
  const answers = await Promise.all(Array.from({ length: 12 }, () => t.send(apiKey, events)));
  const accepted = answers.map((answer) => answer.body.accepted).filter((n) => n > 0);
  expect(accepted).toEqual([50]);
  expect(await t.storedIds(botId)).toHaveLength(50);
});

describe('quota', () => {
  test('the crossing batch is taken whole, then 429; snapshots pass; a new month opens', async () => {
    const { botId, apiKey } = await t.createBot({ monthlyQuota: 3 });
    const crossing = [event(), event(), event(), event(), event()];
    expect((await t.send(apiKey, crossing)).body).toMatchObject({ accepted: 5 });
    const refused = await t.send(apiKey, [event(), heartbeat(0)]);
    expect([refused.status, refused.body.code]).toEqual([429, 'quota_reached']);
    const waitS = Number(refused.headers.get('retry-after'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(3_960);
    const beats = await t.rows(
      `SELECT count() AS n FROM heartbeats FINAL WHERE bot_id = '${botId}'`,
    );
    expect(beats).toEqual([{ n: '1' }]);
    expect((await t.send(apiKey, [heartbeat(1)])).status).toBe(200);
    expect((await t.send(apiKey, crossing)).body).toMatchObject({ duplicates: 5 });
    const described = await t.call('GET', `/v1/bots/${botId}`);
    expect(described.body).toMatchObject({ quotaUsed: 5, monthlyQuota: 3 });
    t.env.offsetMs = 32 * DAY;
    const next = await t.send(apiKey, [event()], { sentAt: iso(t.env.nowMs()) });
    t.env.offsetMs = 0;
    expect(next.body).toMatchObject({ accepted: 1 });
  });

  test('rejects and duplicates are free', async () => {
    const { apiKey } = await t.createBot({ monthlyQuota: 2 });
    const known = event();
    await t.send(apiKey, [known]);
    for (let i = 0; i < 3; i++) await t.send(apiKey, [known, event({ type: 'nope' })]);
    expect((await t.send(apiKey, [event()])).status).toBe(200);
    expect((await t.send(apiKey, [event()])).status).toBe(429);
  });
});

describe('not now', () => {
  test('disk nearly full: 429 for 60 s, presence goes on, space ends it', async () => {
    const { botId, apiKey } = await t.createBot();
    t.env.freeBytesNow = 63 * 1_048_576;
    await t.server.parts.pressure.checkDisk();
    const answer = await t.send(apiKey, [event(), heartbeat(5)]);
    t.env.freeBytesNow = 2 ** 40;
    await t.server.parts.pressure.checkDisk();
    expect([answer.status, answer.body.code]).toEqual([429, 'disk_full']);
    const waitS = Number(answer.headers.get('retry-after'));
    expect(waitS >= 48 && waitS <= 72).toBe(true);
    expect(t.server.parts.presence.shards(botId)).toMatchObject([{ shardId: 5 }]);
    expect((await t.send(apiKey, [event()])).status).toBe(200);
  });
});

describe('body', () => {
  const filled = (bytes: number): string => {
    const text = JSON.stringify(batch([event()], { fill: '' }));
    return text.replace('"fill":""', `"fill":"${'x'.repeat(bytes - Buffer.byteLength(text))}"`);
  };

  test('exactly 1 MiB is taken, one byte more is 413', async () => {
    expect((await post(filled(1_048_576))).status).toBe(200);
    const answer = await post(filled(1_048_577));
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
    expect(answer.headers.get('connection')).toBe('close');
  });

  test('a long upload without a length sees its 413', async () => {
    const { hostname, port } = new URL(t.server.address);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let seen = '';
      socket.on('data', (chunk) => (seen += chunk.toString()));
      socket.on('close', () => resolve(seen));
      socket.on('error', reject);
      socket.write(
        `POST /v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bot.apiKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
      );
      const chunk = `10000\r\n${'['.repeat(65_536)}\r\n`;
      for (let i = 0; i < 24; i++) socket.write(chunk);
    });
    expect(text).toContain('413');
    expect(text).toContain('body_too_large');
  });

  test('gzip is taken; a bomb is 413 in no time', async () => {
    const good = await post(gzipSync(JSON.stringify(batch([event()]))), {
      'content-encoding': 'gzip',
    });
    expect(good.body.accepted).toBe(1);
    const bytes = gzipSync(Buffer.alloc(64_000_000, 0x20));
    const started = performance.now();
    const bomb = await post(bytes, { 'content-encoding': 'gzip' });
    expect(bomb.status).toBe(413);
    expect(performance.now() - started).toBeLessThan(3_000);
    const broken = await post('no gzip', { 'content-encoding': 'gzip' });
    expect([broken.status, broken.body.code]).toEqual([400, 'invalid_json']);
  });

  test.each([
    ['text/plain', {}, 'unsupported_media_type'],
    ['application/json; charset=latin1', {}, 'unsupported_media_type'],
    ['application/json', { 'content-encoding': 'br' }, 'unsupported_encoding'],
    ['application/json', { 'content-encoding': 'gzip, gzip' }, 'unsupported_encoding'],
  ])('415: %s %j', async (type, headers, code) => {
    const answer = await post(JSON.stringify(batch([])), { 'content-type': type, ...headers });
    expect([answer.status, answer.body.code]).toEqual([415, code]);
  });

  test('charset utf-8 is fine', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await post(JSON.stringify(batch([])), headers)).status).toBe(200);
  });
});

describe('address and key', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('405 for %s', async (method) => {
    const answer = await t.call(method, '/v1/events', { key: bot.apiKey });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each([
    '/v1/event',
    '/v1',
    '/',
    '/v1/events/x',
    '/v1//events',
    '/..%2f..%2fetc/passwd',
    '/%zz',
  ])('404 for %s, never a redirect', async (path) => {
    const answer = await t.call('POST', path, { key: bot.apiKey, body: {} });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  test('a trailing slash is the same address', async () => {
    const options = { key: bot.apiKey, body: batch([event()]) };
    expect((await t.call('POST', '/v1/events/', options)).body.accepted).toBe(1);
  });

  test.each([
    ['no key', '', '/v1/events', 'key_missing'],
    ['wrong key', 'bak_abcdefgh_x', '/v1/events', 'key_unknown'],
    ['key in the query string', '', '/v1/events?api_key=abc', 'key_in_query'],
  ])('401: %s', async (_name, key, path, code) => {
    const answer = await t.call('POST', path, { key, body: batch([]) });
    expect([answer.status, answer.body.code]).toEqual([401, code]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('a read key may not write, an ingest key may not read', async () => {
    expect((await t.send(bot.readKey, [event()])).body.code).toBe('scope_missing');
    const read = await t.call('GET', '/v1/bots', { key: bot.apiKey });
    expect([read.status, read.body.code]).toEqual([403, 'scope_missing']);
  });

  test('a suspended bot: 403', async () => {
    const { apiKey } = await t.createBot({ suspended: true });
    const answer = await t.send(apiKey, [event()]);
    expect([answer.status, answer.body.code]).toEqual([403, 'bot_suspended']);
  });

  test('over 20 wrong keys a minute: 429, while good keys pass', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 25; i++) {
      statuses.push((await t.send('bak_abcdefgh_x', [event()])).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await t.send(bot.apiKey, [event()])).status).toBe(200);
  });
});

test('no key, address or content is in the log', () => {
  const log = t.lines.join('');
  expect(log).toContain('"route":"/v1/events"');
  for (const secret of [bot.apiKey, bot.readKey, t.server.adminToken, '127.0.0.1:5', 'canary']) {
    expect(log).not.toContain(secret);
  }
});
