import type { ApiUsage } from '@bot-analytics/protocol/read-api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { RefObject } from 'react';
import chartStyles from '../../chart/charts.module.css';
import { csv, download, fileName } from '../../chart/download.ts';
import { downloadPicture } from '../../chart/picture.ts';
import { TimeChart } from '../../chart/time-chart.tsx';
import { env } from '../../env.ts';
import { fullCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Figures } from '../../ui/figures.tsx';
import { Blank, Failed, Loading, Panel } from '../../ui/panel.tsx';
import { HourTable } from '../shard/hour-table.tsx';
import type { HourColumn } from '../shard/hour-table.tsx';
import { RangePicker } from '../shard/range-picker.tsx';
import { resolveRange } from '../shard/range.ts';
import { inputClass } from '../../ui/field.tsx';
import styles from './api-usage.module.css';
import { Processes } from './processes.tsx';
import type { ApiSearch, ChangeApiSearch } from './search.ts';
import { TopRoutes } from './top-routes.tsx';
import { COUNTERS, usageCsvRows, usageView } from './view-model.ts';
import type { UsageChart, UsageView } from './view-model.ts';

const refetchMs = 60_000;
const noShards: ApiUsage['shards'] = [];

interface UsagePanelProps {
  readonly name: string;
  /** Same key, same source. */
  readonly sourceKey: string;
  /** `shard`: the only process that is asked for. */
  readonly fetchUsage: (
    query: { from: string; to: string; shard: string | undefined },
    signal: AbortSignal,
  ) => Promise<ApiUsage>;
  readonly search: ApiSearch;
  readonly onSearch: ChangeApiSearch;
}

function Invalid({ view }: { readonly view: UsageView }) {
  const { part, text, tone } = view.invalid;
  return (
    <Panel title="Distance to the platform’s limit">
      <div
        className={styles.meter}
        data-tone={tone}
        role="meter"
        aria-label="Invalid requests, highest 10 minutes"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
      >
        <span style={{ width: `${part * 100}%` }} />
      </div>
      <p>{text}</p>
    </Panel>
  );
}

function Chart({ chart }: { readonly chart: UsageChart }) {
  return (
    <TimeChart
      title={chart.title}
      summary={chart.summary}
      data={chart.data}
      syncKey="api"
      format={fullCount}
      wordsAt={chart.wordsAt}
    />
  );
}

const COLUMNS: readonly HourColumn<ApiUsage['hours'][number]>[] = COUNTERS.map(
  ({ key, label }) => ({ key, title: label, cell: (hour) => fullCount(hour[key]) }),
);

interface MeasuredProps extends Pick<UsagePanelProps, 'search' | 'onSearch'> {
  readonly view: UsageView;
  readonly usage: ApiUsage;
  /** Of all processes, whichever is shown. */
  readonly shards: ApiUsage['shards'];
  readonly fileOf: (what: string, ending: string) => string;
}

function Measured({ view, usage, shards, fileOf, search, onSearch }: MeasuredProps) {
  if (!view.hasData) {
    return (
      <Blank title="Nothing was measured in this range">
        Requests are counted by the SDK and arrive with each heartbeat. Choose a longer or an
        earlier range.
      </Blank>
    );
  }
  return (
    <>
      <Figures figures={view.tiles} />
      {search.view === 'table' ? (
        <HourTable hours={usage.hours} columns={COLUMNS} />
      ) : (
        <div className={chartStyles.charts}>
          <Chart chart={view.requests} />
          <Chart chart={view.refusals} />
        </div>
      )}
      <Invalid view={view} />
      <TopRoutes view={view} />
      <Processes
        shards={shards}
        search={search}
        onSearch={onSearch}
        file={fileOf('processes', 'csv')}
      />
    </>
  );
}

interface ToolsProps extends Pick<MeasuredProps, 'usage' | 'fileOf' | 'search' | 'onSearch'> {
  readonly name: string;
  readonly charts: RefObject<HTMLDivElement | null>;
}

function Tools({ usage, fileOf, search, onSearch, name, charts }: ToolsProps) {
  const asTable = search.view === 'table';
  const saveCsv = (): void => {
    const content = new Blob([csv(usageCsvRows(usage))], { type: 'text/csv' });
    download(fileOf('hours', 'csv'), content);
  };
  const savePicture = (): void => {
    if (charts.current === null) return;
    const title = `${name}, API usage, ${usage.from.slice(0, 10)} to ${usage.to.slice(0, 10)}`;
    downloadPicture(charts.current, title, fileOf('charts', 'png'));
  };
  return (
    <>
      <Button small onClick={() => onSearch({ view: asTable ? undefined : 'table' })}>
        {asTable ? 'Show as charts' : 'Show as table'}
      </Button>
      <Button small onClick={saveCsv}>
        CSV
      </Button>
      {!asTable && (
        <Button small onClick={savePicture}>
          PNG
        </Button>
      )}
    </>
  );
}

interface ProcessChoiceProps extends Pick<UsagePanelProps, 'search' | 'onSearch'> {
  readonly shards: ApiUsage['shards'];
}

function ProcessChoice({ shards, search, onSearch }: ProcessChoiceProps) {
  const chosen = search.process;
  if (shards.length < 2 && chosen === undefined) return null;
  const known = shards.map(({ shardId }) => String(shardId));
  const all = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known];
  return (
    <label className={styles.choice}>
      Process
      <select
        className={inputClass}
        value={chosen ?? ''}
        onChange={(event) => {
          const { value } = event.target;
          onSearch({ process: value === '' ? undefined : value });
        }}
      >
        <option value="">All</option>
        {all.map((shard) => (
          <option key={shard} value={shard}>
            of shard {shard}
          </option>
        ))}
      </select>
    </label>
  );
}

function useUsage(props: UsagePanelProps, process: string | undefined, enabled = true) {
  const { sourceKey, fetchUsage, search } = props;
  const range = resolveRange(search);
  return useQuery({
    queryKey: ['api-usage', sourceKey, range.key, process ?? 'all'],
    queryFn: ({ signal }) => fetchUsage({ ...range.values(env.now()), shard: process }, signal),
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
    enabled,
  });
}

/** Requests of the bot to the platform. Spec: Status view, "API usage". */
export function UsagePanel(props: UsagePanelProps) {
  const { name, search, onSearch } = props;
  const charts = useRef<HTMLDivElement>(null);
  const { process } = search;
  const whole = useUsage(props, undefined);
  const one = useUsage(props, process, process !== undefined);
  const answer = process === undefined ? whole : one;
  const usage = answer.data;
  const view = useMemo(() => (usage === undefined ? undefined : usageView(usage)), [usage]);
  const shards = whole.data?.shards ?? noShards;
  const of = process === undefined ? [] : [`shard-${process}`];
  const days = usage === undefined ? [] : [usage.from.slice(0, 10), usage.to.slice(0, 10)];
  const fileOf = (what: string, ending: string): string =>
    fileName([name, 'api', what, ...of, ...days], ending);
  const shared = { search, onSearch, fileOf };
  return (
    <div className={styles.panel} ref={charts}>
      <RangePicker search={search} onSearch={onSearch}>
        <ProcessChoice shards={shards} search={search} onSearch={onSearch} />
        {usage !== undefined && <Tools {...shared} usage={usage} name={name} charts={charts} />}
      </RangePicker>
      {view === undefined && answer.error === null && <Loading what="the API usage" rows={5} />}
      {view === undefined && answer.error !== null && (
        <Failed error={answer.error} onRetry={() => void answer.refetch()} />
      )}
      {view !== undefined && usage !== undefined && (
        <Measured {...shared} view={view} usage={usage} shards={shards} />
      )}
    </div>
  );
}
