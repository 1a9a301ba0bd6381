import { ERROR_CODES } from '@bot-analytics/protocol/error-codes';
import { REJECT_CODES, WARNING_CODES } from '@bot-analytics/protocol/ingest-answer';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/queries.ts';
import { useNow } from '../../live/use-now.ts';
import { Failed, Loading, Note, Panel } from '../../ui/panel.tsx';
import table from '../../ui/table.module.css';
import styles from './settings.module.css';
import { healthView } from './view-model.ts';
import type { HealthView, ReasonRow, ReasonWords } from './view-model.ts';

function lookUp<Value>(codes: Readonly<Record<string, Value>>, code: string): Value | undefined {
  return Object.hasOwn(codes, code) ? codes[code] : undefined;
}

const WORDS: ReasonWords = {
  reject: (code) => lookUp(REJECT_CODES, code),
  warning: (code) => lookUp(WARNING_CODES, code),
  error: (code) => {
    const spec = lookUp<{ title: string; help: string }>(ERROR_CODES, code);
    return spec === undefined ? undefined : `${spec.title}. ${spec.help}`;
  },
};

/** Text in which names stand between backticks. */
function Words({ text }: { readonly text: string }) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}

function Reasons({ title, rows }: { readonly title: string; readonly rows: readonly ReasonRow[] }) {
  if (rows.length === 0) return null;
  return (
    <div className={styles.sub}>
      <h3>{title}</h3>
      {/* Scrolls sideways, so the keyboard has to reach it. */}
      <div className={table.scroll} tabIndex={0} role="group" aria-label={title}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Reason</th>
              <th scope="col" className={table.number}>
                Count
              </th>
              {rows[0]?.last !== null && (
                <th scope="col" className={table.number}>
                  Last
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.code}>
                <td>
                  <Words text={row.text} /> <code className={styles.muted}>{row.code}</code>
                </td>
                <td className={table.number}>{row.count}</td>
                {row.last !== null && <td className={table.number}>{row.last}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Sdks({ sdks }: Pick<HealthView, 'sdks'>) {
  if (sdks.length === 0) return null;
  return (
    <div className={styles.sub}>
      <h3>SDKs</h3>
      <ul>
        {sdks.map((sdk) => (
          <li key={sdk.name}>
            <code>{sdk.name}</code>{' '}
            <span className={styles.muted}>
              {sdk.batches}, last {sdk.last}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the server did with the data of the bot in the last 24 h. */
export function HealthPanel({ bot }: { readonly bot: string }) {
  const health = useQuery(healthQuery(bot));
  const now = useNow(30_000);
  const view = health.data === undefined ? undefined : healthView(health.data, WORDS, now);
  return (
    <Panel title="Ingestion health, last 24 h">
      {view === undefined && health.error === null && <Loading what="the health" rows={2} />}
      {view === undefined && health.error !== null && (
        <Failed error={health.error} onRetry={() => void health.refetch()} />
      )}
      {view !== undefined && (
        <>
          <dl className={styles.tiles}>
            {view.tiles.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Note>
            {view.lastBatch} {view.skew}
          </Note>
          <Reasons title="Rejected events" rows={view.rejected} />
          <Reasons title="Warnings" rows={view.warnings} />
          <Reasons title="Refused requests" rows={view.refused} />
          <Sdks sdks={view.sdks} />
        </>
      )}
    </Panel>
  );
}
