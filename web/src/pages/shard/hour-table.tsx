import { useState } from 'react';
import { clockTime, dayAndClock, dayShortText } from '../../format/time.ts';
import { fullCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import table from '../../ui/table.module.css';

/** A week of hours. */
const rowsPerPage = 168;

/** One column of figures. */
export interface HourColumn<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => string;
}

interface HourTableProps<Row> {
  /** Oldest first. */
  readonly hours: readonly Row[];
  readonly columns: readonly HourColumn<Row>[];
}

/** "Nov 21, 09:00" in one line, so that a phone shows three columns: no range is as long as a year. */
function hourText(ms: number): string {
  return `${dayShortText(ms)}, ${clockTime(ms)}`.replaceAll(' ', '\u00A0');
}

/** Charts as a table, newest hour first. */
export function HourTable<Row extends { readonly hour: string }>(props: HourTableProps<Row>) {
  const { hours, columns } = props;
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
              {columns.map(({ key, title }) => (
                <th key={key} scope="col" className={table.number}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.hour}>
                <td className={table.line}>
                  <time dateTime={row.hour} title={dayAndClock(Date.parse(row.hour))}>
                    {hourText(Date.parse(row.hour))}
                  </time>
                </td>
                {columns.map(({ key, cell }) => (
                  <td key={key} className={table.number}>
                    {cell(row)}
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
