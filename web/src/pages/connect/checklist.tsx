import { INTERACTION_TYPES } from '@bot-analytics/protocol/catalogue';
import { ERROR_CODES } from '@bot-analytics/protocol/error-codes';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf } from '../../api/routes.ts';
import { call } from '../../api/client.ts';
import { env } from '../../env.ts';
import { stopwatch } from '../../format/time.ts';
import { useLiveStatus } from '../../live/use-live-status.ts';
import { useNow } from '../../live/use-now.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Notice } from '../../ui/panel.tsx';
import styles from './connect.module.css';
import { connectView, HINTS } from './view-model.ts';
import type { ConnectView, Tick } from './view-model.ts';

/** The page asks this often while it waits; it stops when everything has arrived. */
const askEveryMs = 2_000;
const INTERACTIONS = INTERACTION_TYPES.join(',');

function titleOf(code: string): string | undefined {
  return Object.entries(ERROR_CODES).find(([key]) => key === code)?.[1].title;
}

/** What has arrived from the bot so far. */
function useConnectView(bot: string): ConnectView & { readonly listeningMs: number } {
  const path = { bot };
  const [startMs] = useState(() => env.now());
  const now = useNow(1_000);
  const live = useLiveStatus({
    streamUrl: addressOf('statusStream', path).url,
    statusUrl: addressOf('status', path).url,
  });
  const health = useQuery({
    queryKey: ['health', bot, 'connect'],
    queryFn: ({ signal }) => call('health', { path, signal }),
    refetchInterval: (query) =>
      (query.state.data?.lastBatchAt ?? null) === null ? askEveryMs : false,
  });
  const interaction = useQuery({
    queryKey: ['first-interaction', bot],
    queryFn: async ({ signal }) =>
      (await call('events', { path, query: { type: INTERACTIONS, limit: 1 }, signal })).events,
    refetchInterval: (query) => ((query.state.data?.length ?? 0) === 0 ? askEveryMs : false),
  });
  const listeningMs = now - startMs;
  const facts = {
    health: health.data,
    status: live.status,
    interaction: interaction.data?.[0],
    listeningMs,
  };
  return { ...connectView(facts, titleOf), listeningMs };
}

function TickMark({ done }: { readonly done: boolean }) {
  if (done) {
    return (
      <svg viewBox="0 0 20 20" role="img" aria-label="Done">
        <circle cx="10" cy="10" r="9" fill="var(--online)" />
        <path d="m6 10.4 2.7 2.7L14.2 7.4" fill="none" stroke="var(--bg)" strokeWidth="2" />
      </svg>
    );
  }
  return (
    <svg viewBox="0 0 20 20" role="img" aria-label="Waiting" className={styles.spin}>
      <circle
        cx="10"
        cy="10"
        r="8"
        fill="none"
        stroke="var(--line-control)"
        strokeWidth="1.5"
        strokeDasharray="5 3.4"
      />
    </svg>
  );
}

function Ticks({
  ticks,
  clock,
}: {
  readonly ticks: readonly Tick[];
  readonly clock: string | null;
}) {
  return (
    <ul className={styles.ticks}>
      {ticks.map((tick) => (
        <li key={tick.key} className={styles.tick} {...(tick.done ? { 'data-done': '' } : {})}>
          <TickMark done={tick.done} />
          <span>{tick.text}</span>
          {tick.key === 'batch' && clock !== null && (
            <span className={styles.clock}>listening {clock}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ChecklistProps {
  readonly bot: string;
  /** Proves endpoint and key from the bot's machine. */
  readonly testLine: string;
}

function Hints({
  lastRefusal,
  testLine,
}: {
  readonly lastRefusal: string | null;
  readonly testLine: string;
}) {
  return (
    <>
      <Notice kind="warn">
        <strong>Nothing has arrived yet.</strong> This is what usually is wrong:
      </Notice>
      <ul className={styles.hints}>
        {HINTS.map((hint) => (
          <li key={hint.code}>{hint.text}</li>
        ))}
      </ul>
      {lastRefusal !== null && (
        <p>
          Last refused request of this bot: <strong>{lastRefusal}</strong>
        </p>
      )}
      <CodeBlock name="Test line" text={testLine} />
    </>
  );
}

/** Ticks off key, heartbeat and first interaction as they arrive. */
export function Checklist({ bot, testLine }: ChecklistProps) {
  const view = useConnectView(bot);
  const [announced, setAnnounced] = useState('');
  const done = view.ticks.filter((tick) => tick.done).map((tick) => tick.text);
  const spoken = done.at(-1) ?? '';
  useEffect(() => setAnnounced(spoken), [spoken]);
  return (
    <>
      <Ticks ticks={view.ticks} clock={view.connected ? null : stopwatch(view.listeningMs)} />
      <span role="status" className="visually-hidden">
        {announced}
      </span>
      {view.hints && <Hints lastRefusal={view.lastRefusal} testLine={testLine} />}
      <div className={styles.row}>
        <a className={buttonClass(view.connected ? 'primary' : 'plain')} href={`/b/${bot}/status`}>
          Open the status page
        </a>
      </div>
    </>
  );
}
