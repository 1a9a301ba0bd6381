import { Fragment } from 'react';
import { Panel, Note } from '../../ui/panel.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import table from '../../ui/table.module.css';
import styles from './api-usage.module.css';
import type { RouteRow, UsageView } from './view-model.ts';

function RouteLine({ row }: { readonly row: RouteRow }) {
  return (
    <tr>
      <td className={styles.route}>
        <span className={styles.method}>{row.method}</span>
        <code>
          {row.route.split('/').map((part, index) => (
            // Routes may break before a slash, and nowhere else.
            <Fragment key={index}>
              {index > 0 && (
                <>
                  <wbr />/
                </>
              )}
              {part}
            </Fragment>
          ))}
        </code>
        <div className={styles.bar} style={{ width: `${row.part * 100}%` }} aria-hidden="true" />
      </td>
      <td className={table.number}>{row.count}</td>
      <td className={table.number}>{row.share}</td>
      <td className={table.spare}>
        <Sparkline values={row.trend} />
      </td>
    </tr>
  );
}

/** The ten most called routes. */
export function TopRoutes({ view }: { readonly view: UsageView }) {
  return (
    <Panel title="Most called routes">
      {view.routes.length === 0 ? (
        <Note>No snapshot of routes in this range. The SDK sends one every 5 minutes.</Note>
      ) : (
        <>
          {/* Scrolls sideways, so the keyboard has to reach it. */}
          <div className={table.scroll} tabIndex={0} role="group" aria-label="Most called routes">
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">Route</th>
                  <th scope="col" className={table.number}>
                    Calls
                  </th>
                  <th scope="col" className={table.number}>
                    Share
                  </th>
                  <th scope="col" className={table.spare}>
                    Trend
                  </th>
                </tr>
              </thead>
              <tbody>
                {view.routes.map((row) => (
                  <RouteLine key={`${row.method} ${row.route}`} row={row} />
                ))}
              </tbody>
            </table>
          </div>
          <Note>
            Top 10 of the snapshots in the range
            {view.routesAsOf !== null && `, as of ${view.routesAsOf}`}. Ids in routes are replaced
            by {'{id}'}.
          </Note>
        </>
      )}
    </Panel>
  );
}
