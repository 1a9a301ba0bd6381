import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Client } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, login, next } from './discordjs-client.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let child: ChildProcess;
let urls: { restUrl: string; gatewayUrl: string; controlUrl: string; pid: number };

beforeAll(async () => {
  const args = [MAIN, '--port', '0', '--guilds', '20', '--shards', '2', '--seed', '7'];
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
  urls = JSON.parse(line) as typeof urls; // the command's own promise
});

afterAll(() => {
  child.kill('SIGKILL');
});

/** A call of the control API. */
async function control(path: string, body?: object): Promise<{ status: number; json: unknown }> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${urls.controlUrl}/${path}`, init);
  return { status: response.status, json: await response.json() };
}

test('prints its addresses and serves the seeded world', async () => {
  expect(urls.pid).toBe(child.pid);
  const { json } = await control('world');
  expect(json).toMatchObject({ restUrl: urls.restUrl, gatewayUrl: urls.gatewayUrl });
  expect((json as { guilds: unknown[] }).guilds).toHaveLength(20);
});

test('a client in another process is driven, disturbed and counted', async () => {
  const client: Client<true> = await login(clientOf(urls, { shards: 'auto' }));
  client.on('interactionCreate', (interaction) => {
    if (interaction.isChatInputCommand()) void interaction.reply('Pong');
  });
  await control('gateway/untilConnected', { count: 2 });
  expect((await control('sessions')).json).toHaveLength(2);

  const answer = await control('users/slash', { command: 'config set', wait: true });
  expect(answer).toMatchObject({ status: 200, json: { outcome: 'answered', name: 'config set' } });
  expect((await control('interactions')).json).toHaveLength(1);

  const heard = next(client, 'messageCreate');
  await control('events/messageCreate', { content: 'canary' });
  expect((await heard)[0]).toMatchObject({ content: 'canary' });

  const joined = next(client, 'guildCreate');
  const { json } = await control('guilds/join', {});
  const { guildId } = json as { guildId: string };
  await joined;
  await control('guilds/outage', { guildId });
  await control('guilds/restore', { guildId });

  const resumed = next(client, 'shardResume');
  expect((await control('gateway/close', { code: 4000, shardId: 1 })).json).toBe(1);
  await resumed;

  await control('rest/faults', { kind: 'forbidden', times: 1 });
  const channel = client.guilds.cache.first()?.systemChannel;
  await expect(channel?.send('hello')).rejects.toMatchObject({ status: 403 });

  const steps = (await control('activity/step', { steps: 30 })).json;
  expect(steps).toHaveLength(30);
  expect((await control('ledger')).json).toMatchObject({
    guilds: { joins: 1, outages: 1, recoveries: 1 },
    faults: { forbidden: 1 },
    shards: { 1: { resumes: 1 } },
  });
  await client.destroy();
});

test.each([
  ['no/such/thing', {}, 404],
  ['users/slash', { command: 'x', guildId: '123456789012345678' }, 404],
  ['guilds/leave', {}, 400],
])('POST %s %j is refused with %i', async (path, body, status) => {
  const answer = await control(path, body);
  expect(answer.status).toBe(status);
  expect(answer.json).toHaveProperty('error');
});

test('SIGTERM ends it with exit code 0', async () => {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('a wrong number is one clear sentence and exit code 1', async () => {
  const wrong = spawn(process.execPath, [MAIN, '--guilds', 'many'], { stdio: 'pipe' });
  const texts: string[] = [];
  wrong.stderr.on('data', (part: Buffer) => texts.push(part.toString()));
  const [code] = (await once(wrong, 'close')) as [number];
  expect(code).toBe(1);
  expect(texts.join('')).toContain('Expected a whole number for --guilds, got "many".');
});
