import type { ShardStatus } from '@bot-analytics/protocol/read-api';
import type { MarkKind } from '../../../ui/state-mark.tsx';
import {
  fullCount,
  megabytes,
  milliseconds,
  percent,
  shortCount,
} from '../../../format/numbers.ts';

/** One labelled value of a card. */
export interface CardField {
  readonly label: string;
  readonly value: string;
}

/** Fields of an online card. Spec: Status view, "Card fields". An offline card shows none of them. */
export function cardFields(shard: ShardStatus): readonly CardField[] {
  return [
    { label: 'Ping', value: milliseconds(shard.wsPingMs) },
    { label: 'Memory', value: megabytes(shard.memoryMb) },
    { label: 'CPU', value: percent(shard.cpuPercent) },
    { label: 'Guilds', value: shortCount(shard.guildCount) },
    { label: 'Voice', value: fullCount(shard.voiceConnections) },
  ];
}

/** State of a shard in one word or two, and what stands behind "not responding". */
export function cardState(shard: ShardStatus): {
  mark: MarkKind;
  word: string;
  why: string | null;
} {
  if (shard.state === 'offline') return { mark: 'offline', word: 'Offline', why: null };
  if (shard.unresponsive === null) return { mark: 'online', word: 'Online', why: null };
  const why = {
    gateway_silent: 'Heartbeats arrive, but its gateway connection has been silent for 2 min.',
    ping_frozen: 'Heartbeats arrive, but its ping stands still while those of other shards move.',
  }[shard.unresponsive];
  return { mark: 'silent', word: 'Not responding', why };
}

/** Name of a tile for screen readers and the tooltip. */
export function tileName(shard: ShardStatus, text: string, offlineSince: string): string {
  if (shard.state === 'offline') return `Shard ${shard.shardId}, offline, ${offlineSince}`;
  const word = shard.unresponsive === null ? 'online' : 'not responding to the platform';
  // Begins with what is seen on the tile: WCAG 2.5.3.
  return `Shard ${shard.shardId}${text === '' ? '' : `, ${text}`}, ${word}`;
}
