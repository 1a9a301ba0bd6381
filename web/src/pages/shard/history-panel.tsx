import type { HistoryHour, ShardHistory } from '@bot-analytics/protocol/read-api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { RefObject } from 'react';
import type { RangeValues } from '../../api/queries.ts';
import chartStyles from '../../chart/charts.module.css';
import { csv, download, fileName } from '../../chart/download.ts';
import { downloadPicture } from '../../chart/picture.ts';
import { TimeChart } from '../../chart/time-chart.tsx';
import { env } from '../../env.ts';
import { dayAndClock } from '../../format/time.ts';
import { stringifySearch } from '../../shell/search.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Blank, Failed, Loading, Notice, Panel } from '../../ui/panel.tsx';
import { HourTable } from './hour-table.tsx';
import styles from './history.module.css';
import type { HourColumn } from './hour-table.tsx';
import type { LifecycleLine } from './lifecycle.ts';
import { RangePicker } from './range-picker.tsx';
import type { ChangeRange } from './range-picker.tsx';
import { resolveRange } from './range.ts';
import type { ShardSearch } from './search.ts';
import { cellText, historyCsvRows, historyView, METRICS } from './view-model.ts';
import type { HistoryView } from './view-model.ts';

const refetchMs = 60_000;
const COLUMNS: readonly HourColumn<HistoryHour>[] = METRICS.map((spec) => ({
  key: spec.key,
  title: spec.title,
  cell: (hour) => cellText(hour, spec),
}));
/** Lines of the timeline that are drawn; the marks on the charts show all. */
const timelineMax = 50;

interface HistoryPanelProps {
  /** First parts of file names: the bot's name. */
  readonly name: string;
  readonly shard: number;
  /** Same key, same source. */
  readonly sourceKey: string;
  readonly fetchHistory: (range: RangeValues, signal: AbortSignal) => Promise<ShardHistory>;
  readonly search: ShardSearch;
  readonly onSearch: ChangeRange;
}

function Charts({ view }: { readonly view: HistoryView }) {
  return (
    <div className={chartStyles.charts}>
      {view.metrics.map((metric) => (
        <TimeChart
          key={metric.key}
          title={metric.title}
          summary={metric.summary}
          data={metric.data}
          syncKey="shard"
          format={metric.format}
          wordsAt={metric.wordsAt}
        />
      ))}
    </div>
  );
}

function Timeline({ lines }: { readonly lines: readonly LifecycleLine[] }) {
  if (lines.length === 0) return null;
  return (
    <Panel title="Connection to the platform">
      <ol className={styles.timeline}>
        {lines.slice(0, timelineMax).map((line) => (
          <li key={line.id}>
            <time dateTime={new Date(line.atMs).toISOString()}>{dayAndClock(line.atMs)}</time>
            <i data-tone={line.tone} aria-hidden="true" />
            <span>{line.text}</span>
          </li>
        ))}
      </ol>
      {lines.length > timelineMax && <p>and {lines.length - timelineMax} earlier events</p>}
    </Panel>
  );
}

/** This page with the range that is shown now, so that it shows the same tomorrow. ui.md D1. */
function frozenLink({ from, to }: ShardHistory, { view }: ShardSearch): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}${stringifySearch({ from, to, view })}`;
}

interface ToolsProps extends Pick<HistoryPanelProps, 'search' | 'onSearch' | 'name' | 'shard'> {
  readonly history: ShardHistory;
  readonly charts: RefObject<HTMLDivElement | null>;
}

function Tools({ search, onSearch, name, shard, history, charts }: ToolsProps) {
  const asTable = search.view === 'table';
  const days = [history.from.slice(0, 10), history.to.slice(0, 10)];
  const saveCsv = (): void => {
    const content = new Blob([csv(historyCsvRows(history.hours))], { type: 'text/csv' });
    download(fileName([name, `shard-${shard}`, ...days], 'csv'), content);
  };
  const savePicture = (): void => {
    if (charts.current === null) return;
    const title = `${name}, shard ${shard}, ${days.join(' to ')}`;
    downloadPicture(charts.current, title, fileName([name, `shard-${shard}`, ...days], 'png'));
  };
  return (
    <>
      <Button
        small
        data-testid="view"
        onClick={() => onSearch({ view: asTable ? undefined : 'table' })}
      >
        {asTable ? 'Show as charts' : 'Show as table'}
      </Button>
      <Button small onClick={saveCsv}>
        CSV
      </Button>
      <CopyButton text={frozenLink(history, search)} what="link" full />
      {!asTable && (
        <Button small onClick={savePicture}>
          PNG
        </Button>
      )}
    </>
  );
}

function NoData() {
  return (
    <Blank title="Nothing was measured in this range">
      The bot sent no heartbeat then. Choose a longer or an earlier range.
    </Blank>
  );
}

function Measured({ view, search }: { readonly view: HistoryView; readonly search: ShardSearch }) {
  if (!view.hasData) return <NoData />;
  if (search.view === 'table') return <HourTable hours={view.rows} columns={COLUMNS} />;
  return (
    <>
      <p className={styles.keys}>
        <span className={styles.hatch}>
          <i aria-hidden="true" /> not measured
        </span>
        <span className={styles.hatch}>vertical lines: connection events, listed below</span>
      </p>
      <Charts view={view} />
    </>
  );
}

/** Hourly figures of a shard: four charts with one cursor, or a table. Spec: Status view, "History". */
export function HistoryPanel(props: HistoryPanelProps) {
  const { shard, sourceKey, fetchHistory, search, onSearch } = props;
  const charts = useRef<HTMLDivElement>(null);
  const range = resolveRange(search);
  const answer = useQuery({
    queryKey: ['history', sourceKey, shard, range.key],
    queryFn: ({ signal }) => fetchHistory(range.values(env.now()), signal),
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  });
  const history = answer.data;
  const view = useMemo(
    () => (history === undefined ? undefined : historyView(history, env.now())),
    [history],
  );
  return (
    <div className={styles.panel} ref={charts}>
      <RangePicker search={search} onSearch={onSearch}>
        {history !== undefined && <Tools {...props} history={history} charts={charts} />}
      </RangePicker>
      {view === undefined && answer.error === null && <Loading what="the charts" rows={4} />}
      {view === undefined && answer.error !== null && (
        <Failed error={answer.error} onRetry={() => void answer.refetch()} />
      )}
      {view !== undefined && (
        <>
          {view.offlineNotice !== null && <Notice kind="warn">{view.offlineNotice}</Notice>}
          <Measured view={view} search={search} />
          <Timeline lines={view.timeline} />
        </>
      )}
    </div>
  );
}
