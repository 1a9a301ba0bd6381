import type { Counts } from '@bot-analytics/chat-sim';
import { GATEWAY_KINDS } from '@bot-analytics/protocol';
import type { BotReport } from './bots.ts';

/** Everything that a soak found. */
export interface SoakResult {
  readonly headline: string;
  readonly happened: Counts;
  /** Distinct events that left the bot; gateway kinds as the sum of their counts. */
  readonly sent: Counts;
  readonly stored: Counts;
  /** Distinct snapshots that left the bot. */
  readonly snapshots: Counts;
  readonly report: BotReport;
  readonly troubles: Counts;
  readonly requests: Counts;
  /** HTTP attempts of the bot: what chat-sim answered, and the sum of all heartbeats. */
  readonly rest: { readonly happened: number; readonly reported: number };
  readonly failedActs: readonly string[];
  readonly leaks: number;
}

/** What is wrong with a soak; empty when all is well. */
export function faults(result: SoakResult): readonly string[] {
  const { stored, report, rest } = result;
  const happened = happenedToBot(result);
  const kinds = [...new Set([...Object.keys(happened), ...Object.keys(stored)])];
  const lost = (kind: string): number => report.lost[kind] ?? 0;
  return [
    ...kinds
      .filter((kind) => (happened[kind] ?? 0) !== (stored[kind] ?? 0) + lost(kind))
      .map((kind) => `${kind}: ${happened[kind] ?? 0} happened, ${stored[kind] ?? 0} are stored`),
    ...Object.keys(happened)
      .filter((kind) => (happened[kind] ?? 0) <= 0)
      .map((kind) => `${kind}: never happened`),
    ...(rest.happened === rest.reported
      ? []
      : [`REST attempts: ${rest.happened} happened, ${rest.reported} reported`]),
    ...(result.leaks === 0 ? [] : [`${result.leaks} bodies hold the canary`]),
    ...result.failedActs,
    ...handlers(result)
      .filter(({ kind, times }) => times !== (happened[kind] ?? 0))
      .map(({ kind, name, times }) => `${name} ran ${times} times for ${happened[kind]} ${kind}`),
  ];
}

/**
 * What happened, less the dispatches that never reached the bot: those written to a connection that
 * was cut, when the library then makes a new session instead of resuming (discord.py at times does).
 */
function happenedToBot({ happened, report }: SoakResult): Counts {
  const { received } = report;
  if (received === undefined) return happened;
  const reached = Object.entries(GATEWAY_KINDS).map(([type, { dispatch }]) => [
    type,
    Math.min(happened[type] ?? 0, received[dispatch] ?? 0),
  ]);
  return { ...happened, ...Object.fromEntries(reached) };
}

/** Dispatches that were written and never reached the bot, by kind. */
function unreached(result: SoakResult): Counts {
  const reached = happenedToBot(result);
  const missing = Object.entries(result.happened).map(([kind, count]) => [
    kind,
    count - (reached[kind] ?? 0),
  ]);
  return Object.fromEntries(missing);
}

/** Runs of the bot's own handlers. */
function handlers({ report }: SoakResult): readonly {
  readonly kind: string;
  readonly name: string;
  readonly times: number;
}[] {
  return Object.entries(report.fired ?? {}).flatMap(([kind, byName]) =>
    Object.entries(byName).map(([name, times]) => ({ kind, name, times })),
  );
}

/** The page of results. */
export function table(result: SoakResult): string {
  const { happened, sent, stored, report } = result;
  const found = faults(result);
  const rows = Object.keys(happened).map(
    (kind) =>
      `| ${kind} | ${happened[kind]} | ${sent[kind] ?? 0} | ${stored[kind] ?? 0} | ${report.lost[kind] ?? 0} |`,
  );
  return `${result.headline}

| kind | happened | sent | stored | lost, counted by the SDK |
|---|---|---|---|---|
${rows.join('\n')}

Happened: what chat-sim's ledger counted (calls, not attempts). Sent: distinct ids in request bodies. Stored: read back from the
server. Gateway kinds are sums of their counts.

${list('Written to a cut connection and never received by the library, which made a new session', unreached(result))}
${list('Snapshots sent', result.snapshots)}
${list('Troubles', result.troubles)}
${list('Requests of the SDK, by what became of them', result.requests)}
${list('Dropped by the SDK', report.dropped)}
HTTP attempts of the bot: ${result.rest.happened} answered by chat-sim, ${result.rest.reported} in its heartbeats.
Bodies with the canary: ${result.leaks}.

${list("The bot's own handlers ran", Object.fromEntries(handlers(result).map(({ kind, name, times }) => [`${name} (${kind})`, times])))}
${found.length === 0 ? 'Everything that happened is stored, and nothing else.' : `Wrong:\n${found.map((one) => `- ${one}`).join('\n')}`}
`;
}

function list(title: string, counts: Counts): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const text = parts.map(([name, count]) => `${name} ${count}`).join(', ');
  return `${title}: ${text === '' ? 'none' : text}.\n`;
}
