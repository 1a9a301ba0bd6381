import type { ErrorCode } from '@bot-analytics/protocol';
import type { Health, Status, StoredEvent } from '@bot-analytics/protocol/read-api';
import { plural } from '../../format/numbers.ts';
import { clockTimeSeconds } from '../../format/time.ts';

/** Hints appear when nothing has come for this long. ui.md D10. */
const hintsAfterMs = 90_000;

/** What is known of a bot that is being connected. */
export interface ConnectFacts {
  readonly health: Health | undefined;
  readonly status: Status | null;
  readonly interaction: StoredEvent | undefined;
  /** Since the page began to listen, ms. */
  readonly listeningMs: number;
}

/** One line of the checklist. */
export interface Tick {
  readonly key: 'batch' | 'heartbeat' | 'interaction';
  readonly done: boolean;
  readonly text: string;
}

/** What the checklist shows. */
export interface ConnectView {
  readonly ticks: readonly Tick[];
  /** The first accepted batch ends the wait, whatever is in it. */
  readonly connected: boolean;
  readonly hints: boolean;
  /** "401 at 12:00:51: …" of the newest request of this bot that was refused. */
  readonly lastRefusal: string | null;
}

function batchTick(health: Health | undefined): Tick {
  const at = health?.lastBatchAt ?? null;
  if (at === null) return { key: 'batch', done: false, text: 'Waiting for the first batch' };
  const sdk = health?.sdks[0];
  const by = sdk === undefined ? '' : ` from ${sdk.name} ${sdk.version}`;
  return { key: 'batch', done: true, text: `Key accepted${by}` };
}

function heartbeatTick(status: Status | null): Tick {
  if (status === null || status.total === 0) {
    return { key: 'heartbeat', done: false, text: 'First heartbeat, within 60 s of the start' };
  }
  const text = `Heartbeat: ${plural(status.online, 'shard')} online`;
  return { key: 'heartbeat', done: true, text };
}

function interactionTick(event: StoredEvent | undefined): Tick {
  if (event === undefined) {
    return { key: 'interaction', done: false, text: 'First interaction: try a command' };
  }
  const name = event.data['commandName'];
  const of = typeof name === 'string' ? ` (/${name})` : '';
  const text = `First interaction${of} at ${clockTimeSeconds(Date.parse(event.ts))}`;
  return { key: 'interaction', done: true, text };
}

function refusalOf(
  health: Health | undefined,
  titleOf: (code: string) => string | undefined,
): string | null {
  const newest = health?.refusedRequests.toSorted((a, b) => b.lastAt.localeCompare(a.lastAt))[0];
  if (newest === undefined) return null;
  const at = clockTimeSeconds(Date.parse(newest.lastAt));
  return `${at}: ${titleOf(newest.code) ?? newest.code}`;
}

/** `titleOf` gives the words of an error code. */
export function connectView(
  facts: ConnectFacts,
  titleOf: (code: string) => string | undefined,
): ConnectView {
  const ticks = [
    batchTick(facts.health),
    heartbeatTick(facts.status),
    interactionTick(facts.interaction),
  ];
  // A heartbeat or an interaction proves an accepted batch, even when health lags behind.
  const connected = ticks.some((tick) => tick.done);
  return {
    ticks,
    connected,
    hints: !connected && facts.listeningMs >= hintsAfterMs,
    lastRefusal: refusalOf(facts.health, titleOf),
  };
}

/** What usually is wrong, most frequent first. */
export const HINTS: readonly {
  readonly code: ErrorCode | 'redirect' | 'network';
  readonly text: string;
}[] = [
  {
    code: 'key_unknown',
    text: 'A wrong key (401) switches the SDK off until the bot restarts. Fix the key, then restart the bot.',
  },
  {
    code: 'redirect',
    text: 'The endpoint must be the final address: a redirect (301 or 302, often http to https) stops the SDK for good.',
  },
  {
    code: 'network',
    text: 'The machine of the bot must be able to reach this server. Run the test line below on that machine.',
  },
];
