import { createRequire } from 'node:module';
import { GUILD_ID, sampleData, USER_ID } from './event.ts';
import { Floor } from './floor.ts';
import type * as Ours from './ours.ts';
import type { PostHogModule, SegmentModule, SentryModule } from './peers.ts';

/** One SDK under test. */
export interface Subject {
  capture(n: number): void;
  flush(): Promise<void>;
}

const require = createRequire(import.meta.url);
const peers = createRequire(new URL('./peers/package.json', import.meta.url));

/** Makes an SDK that sends to `url`. All have batches of 500 and compression off where they can. */
export const SUBJECTS: Readonly<Record<string, (url: string) => Subject>> = {
  ours: (url) => {
    const { ours } = require(process.env['OURS'] ?? '') as typeof Ours;
    return ours(url);
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
