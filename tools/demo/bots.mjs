import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const dataDir = process.env.DATA_DIR || './data';
const NAMES = { js: 'Demo bot (discord.js)', py: 'Demo bot (discord.py)' };

/**
 * Waits until the server that started this process is ready.
 * @returns {Promise<{ url: string, adminToken: string }>}
 */
export async function untilReady() {
  for (;;) {
    const server = readJson('server.json');
    if (server !== null && String(server.pid) === process.env.DEMO_SERVER_PID) {
      const ready = await fetch(`${server.url}/readyz`).catch(() => null);
      if (ready?.ok)
        return {
          url: server.url,
          adminToken: readFileSync(join(dataDir, 'admin-token'), 'utf8').trim(),
        };
    }
    await wait(100);
  }
}

/**
 * The bots of the demo with their keys, made at the first start and kept in DATA_DIR, since a key is
 * shown only once.
 * @returns {Promise<Record<'js' | 'py', { botId: string, apiKey: string }>>}
 */
export async function demoBots({ url, adminToken }) {
  const known = readJson('demo-bots.json') ?? {};
  for (const [language, name] of Object.entries(NAMES)) {
    if (known[language] !== undefined) continue;
    const response = await fetch(`${url}/v1/bots`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    if (!response.ok) throw new Error(`The demo could not make its bot: ${await response.text()}`);
    const { botId, apiKey } = await response.json();
    known[language] = { botId, apiKey };
  }
  writeFileSync(join(dataDir, 'demo-bots.json'), JSON.stringify(known), { mode: 0o600 });
  return known;
}

function readJson(name) {
  const file = join(dataDir, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
