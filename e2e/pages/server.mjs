import { startEngine } from '@bot-analytics/engine';
import { readConfig, startServer, systemEnv } from '@bot-analytics/server';

/**
 * The server with its embedded store, in a process of its own so that a test can kill it. Its clock
 * runs ahead of the real one by what the parent says; PORT and DATA_DIR as for `npm start`.
 */
let aheadMs = Number(process.env.AHEAD_MS ?? 0);
const slow = new Set();
const env = {
  ...systemEnv,
  nowMs: () => systemEnv.nowMs() + aheadMs,
  every(ms, fn) {
    if (ms >= 60_000) slow.add(fn);
    const cancel = systemEnv.every(ms, fn);
    return () => {
      slow.delete(fn);
      cancel();
    };
  },
};
const nothing = () => undefined;
const server = await startServer({
  config: readConfig(process.env),
  env,
  embed: (where) =>
    startEngine({ ...where, log: { info: nothing, warn: nothing, error: nothing } }),
});

const ORDERS = {
  /** Turns the clock. */
  ahead: (ms) => {
    aheadMs = ms;
  },
  /** What is due every minute or more seldom is done now. */
  chores: async () => {
    for (const run of slow) run();
    await server.parts.health.flush();
  },
  loginLink: () => server.loginLink(),
};

process.on('message', ({ order, value }) => {
  void (async () => {
    const answer = await ORDERS[order](value);
    process.send({ done: order, answer: answer ?? null });
  })();
});
process.on('disconnect', () => {
  void server.stop().then(() => process.exit(0));
});
process.send({
  done: 'start',
  answer: { url: server.address, adminToken: server.adminToken },
});
