import { Rollup } from './analytics/rollup.ts';
import type { Parts } from './parts.ts';
import { SampleBots } from './sample/sample-bots.ts';
import { Sessions } from './sessions/sessions.ts';
import { Shares } from './sessions/shares.ts';
import { StatusHub } from './status/hub.ts';
import { loadPresence, rebuildPresence } from './status/load-presence.ts';
import { GatewayTraces } from './status/traces.ts';
import { statusView, type StatusView } from './status/view.ts';

/** Heartbeats stored by other processes are picked up this often. */
const PRESENCE_REFRESH_MS = 5_000;
const PRESENCE_OVERLAP_MS = 60_000;
/** The link that is printed at start. */
const FIRST_LOGIN_MS = 24 * 3_600_000;

/** The parts behind the read routes. */
export interface Reading {
  readonly sessions: Sessions;
  readonly shares: Shares;
  readonly hub: StatusHub;
  readonly rollup: Rollup;
  readonly samples: SampleBots;
  /** The status of a bot now, from memory. */
  readonly viewOf: (botId: string) => StatusView;
  /** Address of the dashboard, and the endpoint for SDKs. */
  readonly publicUrl: () => string;
  /** A link that logs in once within `lifeMs`. @throws StoreDownError */
  readonly loginLink: (lifeMs?: number) => Promise<{ url: string; expiresAtMs: number }>;
  /** Rebuilds what was known before a restart. @throws StoreDownError */
  start(listeningUrl: string): Promise<void>;
  stop(): Promise<void>;
}

/** The address that a browser on this machine can open: not "every address". */
function openable(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const isAny = hostname === '0.0.0.0' || hostname === '[::]';
  const host = isAny ? 'localhost' : hostname;
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** Makes the parts; nothing runs until `start`. */
export function createReading(parts: Parts): Reading {
  const { config, env, log, store, presence, metrics, shared } = parts;
  const traces = new GatewayTraces();
  presence.observe((botId, shard) => traces.add(botId, shard));
  const viewOf = (botId: string): StatusView =>
    statusView(presence.shards(botId), traces.of(botId), env.nowMs());
  const sessions = new Sessions({ store, env, log, shared });
  const shares = new Shares({ store, env, shared });
  const rollup = new Rollup({ store, env, log });
  const samples = new SampleBots(parts);
  const hub = new StatusHub({ env, viewOf, streamsMax: config.maxStreams });
  metrics.declare('streams', 'gauge', 'Live streams of the status that are open');
  metrics.onRender(() => metrics.set('streams', hub.openStreams()));
  const stops: (() => void)[] = [];
  let publicUrl = config.publicUrl ?? 'http://localhost';

  function followOthers(): void {
    const refresh = (): void => {
      loadPresence(store, presence, env.nowMs() - PRESENCE_OVERLAP_MS).catch((error: unknown) => {
        log.warn('presence could not be read', { error: String(error) });
      });
    };
    stops.push(env.every(PRESENCE_REFRESH_MS, refresh));
  }

  return {
    sessions,
    shares,
    hub,
    rollup,
    samples,
    viewOf,
    publicUrl: () => publicUrl,
    async loginLink(lifeMs = FIRST_LOGIN_MS) {
      const { token, expiresAtMs } = await sessions.createToken(lifeMs);
      // Behind the # it never reaches a server, a log or a Referer.
      return { url: `${publicUrl}/login#token=${token}`, expiresAtMs };
    },
    async start(listeningUrl) {
      publicUrl = config.publicUrl ?? openable(listeningUrl);
      await Promise.all([sessions.start(), shares.start()]);
      await rebuildPresence(store, { presence, traces }, env.nowMs());
      await rollup.start();
      if (shared) followOthers();
      hub.start();
      samples.start();
      parts.onStop(() => hub.stop());
    },
    async stop() {
      samples.stop();
      for (const stop of stops) stop();
      await rollup.stop();
    },
  };
}
