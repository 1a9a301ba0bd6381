import { createRequire } from 'node:module';
import { SDK_NAMES } from '@bot-analytics/protocol';
import { realEnv } from '../../sdk-js/src/core/env.ts';
import { createHttpClient } from '../../sdk-js/src/core/http-client.ts';
import { Transport } from '../../sdk-js/src/core/transport.ts';
import { UuidSource } from '../../sdk-js/src/event/uuid.ts';
import { GUILD_ID, sampleData, USER_ID } from './event.ts';
import { Floor } from './floor.ts';
import type { PostHogModule, SegmentModule, SentryModule } from './peers.ts';

/** One SDK under test. */
export interface Subject {
  capture(n: number): void;
  flush(): Promise<void>;
}

const peers = createRequire(new URL('./peers/package.json', import.meta.url));

/** Makes an SDK that sends to `url`. All have batches of 500 and compression off where they can. */
export const SUBJECTS: Readonly<Record<string, (url: string) => Subject>> = {
  ours: (url) => {
    const env = realEnv();
    const transport = new Transport({
      target: {
        url: `${url}/v1/events`,
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer k' },
        sender: { name: SDK_NAMES.js, version: '0.5.0' },
        requestTimeoutMs: 10_000,
      },
      flushIntervalMs: 5_000,
      send: createHttpClient(env).send,
      env: { ...env, warn: () => undefined },
      ids: new UuidSource(env),
      onDrop: undefined,
      onStateChange: () => undefined,
    });
    return {
      capture: (n) =>
        transport.enqueue({
          type: 'interaction_slash',
          tsMs: env.now(),
          guildId: GUILD_ID,
          userId: USER_ID,
          data: sampleData(n),
        }),
      flush: async () => {
        await transport.flush(30_000);
      },
    };
  },
  floor: (url) => {
    const floor = new Floor(url);
    return {
      capture: (n) => floor.capture('interaction_slash', { ...sampleData(n), GUILD_ID, USER_ID }),
      flush: () => floor.flush(),
    };
  },
  'posthog-node': (url) => {
    const { PostHog } = peers('posthog-node') as PostHogModule;
    const client = new PostHog('k', {
      host: url,
      flushAt: 500,
      maxBatchSize: 500,
      maxQueueSize: 200_000,
    });
    return {
      capture: (n) =>
        client.capture({ distinctId: USER_ID, event: 'slash', properties: sampleData(n) }),
      flush: () => client.flush(),
    };
  },
  '@segment/analytics-node': (url) => {
    const { Analytics } = peers('@segment/analytics-node') as SegmentModule;
    const client = new Analytics({ writeKey: 'k', host: url, flushAt: 500, maxEventsInBatch: 500 });
    return {
      capture: (n) => client.track({ userId: USER_ID, event: 'slash', properties: sampleData(n) }),
      flush: () => client.flush({ timeout: 30_000 }),
    };
  },
  '@sentry/node': (url) => {
    const sentry = peers('@sentry/node') as SentryModule;
    sentry.init({ dsn: url.replace('http://', 'http://k@') + '/1', defaultIntegrations: false });
    return {
      capture: (n) => sentry.captureEvent({ message: 'slash', extra: sampleData(n) }),
      flush: async () => {
        await sentry.flush(30_000);
      },
    };
  },
};
