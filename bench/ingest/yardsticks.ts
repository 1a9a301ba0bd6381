import { BufferPool } from '../../server/src/buffer-pool.ts';
import { createApp } from '../../server/src/http/app.ts';
import { readBody } from '../../server/src/http/body.ts';
import { systemEnv } from '../../server/src/env.ts';
import { createLog } from '../../server/src/log.ts';
import { Pressure } from '../../server/src/ingest/pressure.ts';
import { Store } from '../../server/src/store/store.ts';
import { makeBatch, rowsOf } from './batches.ts';

/**
 * `read-body PORT`: the server's HTTP layer that reads a body and answers.
 * `bare-engine SOCKET BOT`: the engine alone, blocks of 8,000 of the same rows, one after the other.
 */
const [kind, ...args] = process.argv.slice(2);
const BATCHES_A_BLOCK = 16;
const BLOCKS = 50;

async function readBodyServer(): Promise<void> {
  const pool = new BufferPool();
  const log = createLog('silent', systemEnv, () => undefined);
  const ping = async (): Promise<void> => undefined;
  const pressure = new Pressure({ env: systemEnv, log, dataDir: null, ping });
  const config = { trustedProxies: [], maxConnections: 1_000 };
  const app = createApp({ config, env: systemEnv, log, pressure });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.post('/v1/events', async (request) => {
    const body = await readBody(request.raw, 1_048_576, pool);
    if (body !== null) pool.give(body);
    return { received: 500 };
  });
  console.log(`listening ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
}

async function bareEngine(socketPath: string, botId: string): Promise<void> {
  const store = new Store({ kind: 'socket', path: socketPath });
  const batch = makeBatch(500, Date.now(), 0xabc);
  let counter = 0;
  const blocks = Array.from({ length: BLOCKS }, () => {
    let rows = '';
    for (let i = 0; i < BATCHES_A_BLOCK; i++) {
      batch.renew(Date.now(), counter++);
      rows += rowsOf(batch, botId, Date.now());
    }
    return Buffer.from(rows);
  });
  for (const block of blocks.splice(0, 5)) await store.insert('events', [block]);
  const startedAtMs = performance.now();
  for (const block of blocks) await store.insert('events', [block]);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  console.log(JSON.stringify({ perSecond: (blocks.length * BATCHES_A_BLOCK * 500) / seconds }));
  await store.close();
}

if (kind === 'read-body') await readBodyServer();
else await bareEngine(args[0] ?? '', args[1] ?? '');
