import type { ApiUsage } from '@bot-analytics/protocol/read-api';
import { useMemo } from 'react';
import { BarChart } from '../../chart/bar-chart.tsx';
import { csv, download } from '../../chart/download.ts';
import { fullCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Panel, Note } from '../../ui/panel.tsx';
import table from '../../ui/table.module.css';
import { inputClass } from '../../ui/field.tsx';
import styles from './api-usage.module.css';
import type { ApiSearch, ChangeApiSearch, Counter } from './search.ts';
import { COUNTERS, processChart, processCsvRows } from './view-model.ts';

interface ProcessesProps {
  readonly shards: ApiUsage['shards'];
  readonly search: ApiSearch;
  readonly onSearch: ChangeApiSearch;
  /** Name of the CSV file. */
  readonly file: string;
}

function ProcessTable({ shards, search, onSearch }: Omit<ProcessesProps, 'file'>) {
  return (
    // Scrolls sideways, so the keyboard has to reach it.
    <div className={table.scroll} tabIndex={0} role="group" aria-label="Counters by process">
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Lowest shard</th>
            {COUNTERS.map(({ key, label }) => (
              <th key={key} scope="col" className={table.number}>
                {label}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {shards.map((shard) => (
            <tr key={shard.shardId}>
              <td>Shard {shard.shardId}</td>
              {COUNTERS.map(({ key }) => (
                <td key={key} className={table.number}>
                  {fullCount(shard[key])}
                </td>
              ))}
              <td className={table.number}>
                {search.process !== String(shard.shardId) && (
                  <Button small onClick={() => onSearch({ process: String(shard.shardId) })}>
                    Show only
                    <span className="visually-hidden"> the process of shard {shard.shardId}</span>
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The processes of the bot side by side. The counters are those of a process, not of a shard. */
export function Processes({ shards, search, onSearch, file }: ProcessesProps) {
  const by: Counter = search.by ?? 'restRequests';
  const chart = useMemo(() => processChart(shards, by), [shards, by]);
  const save = (): void => {
    download(file, new Blob([csv(processCsvRows(shards))], { type: 'text/csv' }));
  };
  if (shards.length < 2) return null;
  return (
    <Panel
      title="By process"
      actions={
        <div className={styles.tools}>
          <label className={styles.choice}>
            Compare
            <select
              className={inputClass}
              value={by}
              onChange={(event) => {
                const found = COUNTERS.find(({ key }) => key === event.target.value);
                onSearch({ by: found?.key === 'restRequests' ? undefined : found?.key });
              }}
            >
              {COUNTERS.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <Button small onClick={save}>
            CSV<span className="visually-hidden"> by process</span>
          </Button>
        </div>
      }
    >
      {search.view !== 'table' && (
        <BarChart
          title={chart.title}
          summary={chart.summary}
          bars={chart.bars}
          color={by === 'restRequests' ? '--series-1' : '--series-2'}
          format={fullCount}
        />
      )}
      <ProcessTable shards={shards} search={search} onSearch={onSearch} />
      <Note>A process counts its requests once, under the lowest of its shards.</Note>
    </Panel>
  );
}
