import type { Health, Key, Share } from '@bot-analytics/protocol/read-api';
import { fullCount, plural } from '../../format/numbers.ts';
import { dayAndClock, duration, relative } from '../../format/time.ts';

/** A monthly quota as typed: `null` = none, `undefined` = not a whole number. */
export function parseQuota(text: string): number | null | undefined {
  const trimmed = text.trim().replaceAll(/[\s,._]/g, '');
  if (trimmed === '') return null;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** Days as typed; `undefined` = not from 1 to 3,650. */
export function parseDays(text: string): number | undefined {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return days >= 1 && days <= 3_650 ? days : undefined;
}

/** One row of the table of keys. */
export interface KeyRow {
  readonly keyId: string;
  readonly scope: string;
  readonly state: 'active' | 'ending' | 'ended';
  readonly stateText: string;
  readonly created: string;
  readonly lastUse: string;
}

const SCOPES = { ingest: 'Ingest', read: 'Read' } as const satisfies Record<Key['scope'], string>;

function keyState(key: Key, nowMs: number): Pick<KeyRow, 'state' | 'stateText'> {
  if (key.revokedAt !== null) {
    return { state: 'ended', stateText: `Revoked ${relative(Date.parse(key.revokedAt), nowMs)}` };
  }
  if (key.expiresAt === null) return { state: 'active', stateText: 'Active' };
  const endMs = Date.parse(key.expiresAt);
  if (endMs <= nowMs) return { state: 'ended', stateText: `Ended ${relative(endMs, nowMs)}` };
  return { state: 'ending', stateText: `Ends ${relative(endMs, nowMs)}` };
}

/** "@vendor/chat.js@0.5.0" as everywhere else on the page: "@vendor/chat.js 0.5.0". */
function sdkText(sdk: string): string {
  return sdk.replace(/(?<=.)@(?=[^@/]*$)/, ' ');
}

/** Active keys first, ended ones last. */
export function keyRows(keys: readonly Key[], nowMs: number): readonly KeyRow[] {
  const order = { active: 0, ending: 1, ended: 2 } as const;
  return keys
    .map((key) => ({
      keyId: key.keyId,
      scope: SCOPES[key.scope],
      ...keyState(key, nowMs),
      created: dayAndClock(Date.parse(key.createdAt)),
      lastUse:
        key.lastUsedAt === null
          ? 'Never used'
          : `${relative(Date.parse(key.lastUsedAt), nowMs)}${key.lastSdk === null ? '' : `, ${sdkText(key.lastSdk)}`}`,
    }))
    .toSorted((a, b) => order[a.state] - order[b.state]);
}

/** Names of what a share link can show. */
export const SECTION_LABELS = {
  status: 'Status',
  history: 'Shard history',
  api: 'API usage',
} as const satisfies Record<Share['sections'][number], string>;

/** One row of the table of share links. */
export interface ShareRow {
  readonly shareId: string;
  readonly sections: string;
  readonly created: string;
  readonly stateText: string;
  readonly active: boolean;
}

function shareState(share: Share, nowMs: number): Pick<ShareRow, 'active' | 'stateText'> {
  if (share.revokedAt !== null) return { active: false, stateText: 'Revoked' };
  if (share.expiresAt === null) return { active: true, stateText: 'Until revoked' };
  const endMs = Date.parse(share.expiresAt);
  return endMs <= nowMs
    ? { active: false, stateText: 'Expired' }
    : { active: true, stateText: `Until ${dayAndClock(endMs)}` };
}

export function shareRows(shares: readonly Share[], nowMs: number): readonly ShareRow[] {
  return shares.map((share) => ({
    shareId: share.shareId,
    sections: share.sections.map((section) => SECTION_LABELS[section]).join(', '),
    created: dayAndClock(Date.parse(share.createdAt)),
    ...shareState(share, nowMs),
  }));
}

/** A reason with its count. */
export interface ReasonRow {
  readonly code: string;
  readonly text: string;
  readonly count: string;
  readonly last: string | null;
}

/** Ingestion health in words. */
export interface HealthView {
  readonly tiles: readonly { readonly label: string; readonly value: string }[];
  readonly rejected: readonly ReasonRow[];
  readonly warnings: readonly ReasonRow[];
  readonly refused: readonly ReasonRow[];
  readonly sdks: readonly {
    readonly name: string;
    readonly batches: string;
    readonly last: string;
  }[];
  readonly skew: string;
  readonly lastBatch: string;
}

/** Words of a code of each kind; `undefined` for codes of a newer server. */
export interface ReasonWords {
  readonly reject: (code: string) => string | undefined;
  readonly warning: (code: string) => string | undefined;
  readonly error: (code: string) => string | undefined;
}

/** Skew under this is not worth a word: heartbeats are 60 s apart. */
const skewWorthMs = 5_000;

/** "The bot's clock is 38 s ahead of the server's." */
export function skewText(skewMs: number | null): string {
  if (skewMs === null) return 'The clock of the bot is not known yet.';
  if (Math.abs(skewMs) < skewWorthMs) return 'The clock of the bot agrees with the server’s.';
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return `The clock of the bot is ${duration(Math.abs(skewMs))} ${side} the server’s.`;
}

export function healthView(health: Health, words: ReasonWords, nowMs: number): HealthView {
  const rejected = health.rejected.reduce((sum, one) => sum + one.count, 0);
  const reason =
    (textOf: (code: string) => string | undefined) =>
    (one: { code: string; count: number; lastAt?: string }): ReasonRow => ({
      code: one.code,
      text: textOf(one.code) ?? one.code,
      count: fullCount(one.count),
      last: one.lastAt === undefined ? null : relative(Date.parse(one.lastAt), nowMs),
    });
  return {
    tiles: [
      { label: 'Received', value: fullCount(health.received) },
      { label: 'Stored', value: fullCount(health.accepted) },
      { label: 'Duplicates', value: fullCount(health.duplicates) },
      { label: 'Rejected', value: fullCount(rejected) },
      { label: 'Dropped by the SDK', value: fullCount(health.sdkDropped) },
    ],
    rejected: health.rejected.map(reason(words.reject)),
    warnings: health.warnings.map(reason(words.warning)),
    refused: health.refusedRequests.map(reason(words.error)),
    sdks: health.sdks.map((sdk) => ({
      name: `${sdk.name} ${sdk.version}`,
      batches: plural(sdk.batches, 'batch', 'batches'),
      last: relative(Date.parse(sdk.lastAt), nowMs),
    })),
    skew: skewText(health.clockSkewMs),
    lastBatch:
      health.lastBatchAt === null
        ? 'No batch has arrived yet.'
        : `Last batch ${relative(Date.parse(health.lastBatchAt), nowMs)}.`,
  };
}
