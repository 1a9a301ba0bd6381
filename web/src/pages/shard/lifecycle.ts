import type { ShardEvent } from '@bot-analytics/protocol/read-api';
import type { ChartMark } from '../../chart/series.ts';
import { milliseconds } from '../../format/numbers.ts';
import { duration } from '../../format/time.ts';

/** Close codes in words. Source: RFC 6455, 7.4.1, and the platform's gateway documentation, "Close Event Codes". */
const CLOSE_WORDS: Readonly<Record<number, string>> = {
  1000: 'closed normally',
  1001: 'the platform is going away',
  1006: 'the connection broke',
  1011: 'error of the platform',
  1012: 'the platform is restarting',
  4000: 'unknown error of the platform',
  4001: 'unknown opcode',
  4002: 'unreadable payload',
  4003: 'not authenticated',
  4004: 'the bot token is not valid',
  4005: 'already authenticated',
  4007: 'wrong sequence number',
  4008: 'too many messages to the gateway',
  4009: 'the session timed out',
  4010: 'wrong shard number',
  4011: 'the bot needs more shards',
  4012: 'wrong gateway version',
  4013: 'unknown intents',
  4014: 'an intent is not allowed for this bot',
};

/** One line of the timeline. */
export interface LifecycleLine {
  readonly id: string;
  readonly atMs: number;
  readonly tone: ChartMark['tone'];
  readonly text: string;
}

function numberAt(data: ShardEvent['data'], key: string): number | null {
  const value = data[key];
  return typeof value === 'number' ? value : null;
}

function disconnectText(data: ShardEvent['data']): string {
  const code = numberAt(data, 'code');
  const words = code === null ? undefined : CLOSE_WORDS[code];
  const why =
    code === null ? '' : ` (${words === undefined ? `code ${code}` : `${code}: ${words}`})`;
  return `Disconnected${why}${data['willReconnect'] === false ? ', will not reconnect' : ''}`;
}

/** What happened to the shard: "Ready after 4 s". */
export function lifecycleText({ type, data }: ShardEvent): string {
  switch (type) {
    case 'shard_connect':
      return 'Connected';
    case 'shard_ready': {
      const startupMs = numberAt(data, 'startupMs');
      if (startupMs === null) return 'Ready';
      const took = startupMs < 1_000 ? milliseconds(startupMs) : duration(startupMs);
      return `Ready after ${took}`;
    }
    case 'shard_disconnect':
      return disconnectText(data);
    case 'shard_reconnect': {
      const attempt = numberAt(data, 'attempt');
      return attempt === null ? 'Reconnecting' : `Reconnecting, attempt ${attempt}`;
    }
    case 'shard_resume': {
      const replayed = numberAt(data, 'replayedEvents');
      return replayed === null ? 'Resumed' : `Resumed, ${replayed} events replayed`;
    }
  }
}

const TONES = {
  shard_connect: 'plain',
  shard_ready: 'good',
  shard_disconnect: 'bad',
  shard_reconnect: 'plain',
  shard_resume: 'good',
} as const satisfies Record<ShardEvent['type'], ChartMark['tone']>;

/** Newest first. */
export function lifecycleLines(events: readonly ShardEvent[]): readonly LifecycleLine[] {
  return events
    .map((event) => ({
      id: event.id,
      atMs: Date.parse(event.ts),
      tone: TONES[event.type],
      text: lifecycleText(event),
    }))
    .toReversed();
}
