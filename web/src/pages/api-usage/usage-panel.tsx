import type { ApiUsage } from '@bot-analytics/protocol/read-api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RangeValues } from '../../api/queries.ts';
import { csv, download, fileName } from '../../chart/download.ts';
import { TimeChart } from '../../chart/time-chart.tsx';
import { env } from '../../env.ts';
import { fullCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Blank, Failed, Loading, Panel } from '../../ui/panel.tsx';
import { RangePicker } from '../shard/range-picker.tsx';
import type { ChangeRange } from '../shard/range-picker.tsx';
import { resolveRange } from '../shard/range.ts';
import type { ShardSearch } from '../shard/search.ts';
import styles from './api-usage.module.css';
import { PerProcess, TopRoutes } from './usage-tables.tsx';
import { usageCsvRows, usageView } from './view-model.ts';
import type { UsageChart, UsageView } from './view-model.ts';

const refetchMs = 60_000;

interface UsagePanelProps {
  readonly name: string;
  /** Same key, same source. */
  readonly sourceKey: string;
  readonly fetchUsage: (range: RangeValues, signal: AbortSignal) => Promise<ApiUsage>;
  readonly search: ShardSearch;
  readonly onSearch: ChangeRange;
}

function Tiles({ view }: { readonly view: UsageView }) {
  return (
    <dl className={styles.tiles}>
      {view.tiles.map((tile) => (
        <div key={tile.key} className={styles.tile} data-clip="tile">
          <dt>{tile.label}</dt>
          <dd title={tile.full}>{tile.short}</dd>
          <dd>{tile.share === null ? tile.help : `${tile.share} · ${tile.help}`}</dd>
        </div>
      ))}
    </dl>
  );
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

function Measured({ view, usage }: { readonly view: UsageView; readonly usage: ApiUsage }) {
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
      <Tiles view={view} />
      <div className={styles.charts}>
        <Chart chart={view.requests} />
        <Chart chart={view.refusals} />
      </div>
      <Invalid view={view} />
      <TopRoutes view={view} />
      <PerProcess shards={usage.shards} />
    </>
  );
}

/** Requests of the bot to the platform. Spec: Status view, "API usage". */
export function UsagePanel(props: UsagePanelProps) {
  const { name, sourceKey, fetchUsage, search, onSearch } = props;
  const range = resolveRange(search);
  const answer = useQuery({
    queryKey: ['api-usage', sourceKey, range.key],
    queryFn: ({ signal }) => fetchUsage(range.values(env.now()), signal),
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  });
  const usage = answer.data;
  const view = useMemo(() => (usage === undefined ? undefined : usageView(usage)), [usage]);
  const save = (): void => {
    if (usage === undefined) return;
    const days = [usage.from.slice(0, 10), usage.to.slice(0, 10)];
    const content = new Blob([csv(usageCsvRows(usage))], { type: 'text/csv' });
    download(fileName([name, 'api', ...days], 'csv'), content);
  };
  return (
    <>
      <RangePicker search={search} onSearch={onSearch}>
        {usage !== undefined && (
          <Button small onClick={save}>
            CSV
          </Button>
        )}
      </RangePicker>
      {view === undefined && answer.error === null && <Loading what="the API usage" rows={5} />}
      {view === undefined && answer.error !== null && (
        <Failed error={answer.error} onRetry={() => void answer.refetch()} />
      )}
      {view !== undefined && usage !== undefined && <Measured view={view} usage={usage} />}
    </>
  );
}
