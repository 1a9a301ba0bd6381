import { memo } from 'react';
import table from '../../ui/table.module.css';
import styles from './activity.module.css';
import { OutcomeMark } from './outcome-mark.tsx';
import type { ActivityRow } from './view-model.ts';

function Line({ row }: { readonly row: ActivityRow }) {
  return (
    <tr>
      <td className={styles.time}>
        <time dateTime={row.ts} title={row.fullTime}>
          {row.time}
        </time>
      </td>
      <td className={styles.what}>
        {row.what}
        {row.detail !== null && <span className={styles.detail}>{row.detail}</span>}
      </td>
      <td className={table.number}>{row.latency}</td>
      <td>
        <OutcomeMark outcome={row.outcome} />
      </td>
      <td className={table.number}>{row.shard}</td>
      <td className={styles.guild}>{row.guildId}</td>
    </tr>
  );
}

const isSameRow = (a: { readonly row: ActivityRow }, b: { readonly row: ActivityRow }): boolean =>
  a.row.id === b.row.id && a.row.time === b.row.time;
/** An event never changes, so a line that is there is drawn once a day, not every 3 s. */
const DrawnOnce = memo(Line, isSameRow);

/** The events, newest first. */
export function ActivityTable({ rows }: { readonly rows: readonly ActivityRow[] }) {
  return (
    // Scrolls sideways, so the keyboard has to reach it.
    <div className={table.scroll} tabIndex={0} role="group" aria-label="Events, newest first">
      <table className={`${table.table ?? ''} ${styles.rows ?? ''}`}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What</th>
            <th scope="col" className={table.number}>
              Latency
            </th>
            <th scope="col">Outcome</th>
            <th scope="col" className={table.number}>
              Shard
            </th>
            <th scope="col">Guild</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <DrawnOnce key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
