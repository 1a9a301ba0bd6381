import type { HistoryHour } from '@bot-analytics/protocol/read-api';
import { useState } from 'react';
import { dayAndClock } from '../../format/time.ts';
import { fullCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import table from '../../ui/table.module.css';
import { cellText, METRICS } from './view-model.ts';

/** A week of hours. */
const rowsPerPage = 168;

/** The charts as a table, newest hour first. */
export function HistoryTable({ hours }: { readonly hours: readonly HistoryHour[] }) {
  const [page, setPage] = useState(0);
  const newestFirst = hours.toReversed();
  const first = Math.min(page * rowsPerPage, Math.max(0, hours.length - 1));
  const shown = newestFirst.slice(first, first + rowsPerPage);
  return (
    <>
      {/* Scrolls sideways, so the keyboard has to reach it. */}
      <div className={table.scroll} tabIndex={0} role="group" aria-label="Hourly values">
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Hour</th>
              {METRICS.map((spec) => (
                <th key={spec.key} scope="col" className={table.number}>
                  {spec.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((hour) => (
              <tr key={hour.hour}>
                <td>
                  <time dateTime={hour.hour}>{dayAndClock(Date.parse(hour.hour))}</time>
                </td>
                {METRICS.map((spec) => (
                  <td key={spec.key} className={table.number}>
                    {cellText(hour, spec)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hours.length > rowsPerPage && (
        <div className={table.pager}>
          <span>
            {fullCount(first + 1)}–{fullCount(first + shown.length)} of {fullCount(hours.length)}{' '}
            hours
          </span>
          <Button small disabled={first === 0} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <Button
            small
            disabled={first + rowsPerPage >= hours.length}
            onClick={() => setPage(page + 1)}
          >
            Older
          </Button>
        </div>
      )}
    </>
  );
}
