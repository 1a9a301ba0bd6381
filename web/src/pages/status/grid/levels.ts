import type { ShardStatus } from '@bot-analytics/protocol/read-api';
import { megabytes, milliseconds, percent } from '../../../format/numbers.ts';
import type { Fill } from '../search.ts';

/** How a fill reads a shard and paints it: five steps, pale to strong. */
interface FillSpec {
  readonly label: string;
  value(shard: ShardStatus): number | null;
  text(value: number | null): string;
  /** Lower bounds of steps 1 to 4; below the first is step 0. */
  readonly steps: readonly [number, number, number, number];
}

/** Bounds follow what operators act on: a ping over 200 ms is felt, CPU is of one core. */
const FILL_SPECS = {
  ping: {
    label: 'Ping',
    value: (shard) => shard.wsPingMs,
    text: milliseconds,
    steps: [75, 150, 250, 500],
  },
  cpu: {
    label: 'CPU',
    value: (shard) => shard.cpuPercent,
    text: percent,
    steps: [20, 40, 60, 80],
  },
  mem: {
    label: 'Memory',
    value: (shard) => shard.memoryMb,
    text: megabytes,
    steps: [256, 512, 1_024, 2_048],
  },
} as const satisfies Record<Exclude<Fill, 'status'>, FillSpec>;

/** What a tile or mini square shows. */
export interface TileLook {
  /** `online`, `offline`, or the step 0 to 4 of the fill; `silent`: not responding; `none`: not measured. */
  readonly look: 'online' | 'silent' | 'offline' | 'none' | '0' | '1' | '2' | '3' | '4';
  /** Value in words; empty when filled by status. */
  readonly text: string;
}

const STEP_LOOKS = ['0', '1', '2', '3', '4'] as const;

export function tileLook(shard: ShardStatus, fill: Fill): TileLook {
  if (shard.state === 'offline') return { look: 'offline', text: '' };
  if (fill === 'status')
    return { look: shard.unresponsive === null ? 'online' : 'silent', text: '' };
  const spec: FillSpec = FILL_SPECS[fill];
  const value = spec.value(shard);
  if (value === null) return { look: 'none', text: spec.text(null) };
  const step = spec.steps.filter((bound) => value >= bound).length;
  return { look: STEP_LOOKS[step] ?? '4', text: spec.text(value) };
}

/** "under 75 ms", "75 ms", … for the legend. */
export function legendOf(fill: Exclude<Fill, 'status'>): readonly { look: string; text: string }[] {
  const spec: FillSpec = FILL_SPECS[fill];
  const first = { look: '0', text: `under ${spec.text(spec.steps[0])}` };
  return [
    first,
    ...spec.steps.map((bound, index) => ({
      look: String(index + 1),
      text: `from ${spec.text(bound)}`,
    })),
  ];
}
