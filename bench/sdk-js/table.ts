export type Rows = Record<string, Readonly<Record<string, number>>>;

/** Everything that the page of results shows. */
export interface Results {
  readonly machine: string;
  readonly date: string;
  /** Load average of the machine before each part of the run. */
  readonly loads: readonly number[];
  readonly bySdk: Rows;
  readonly dispatch: Readonly<Record<string, number>>;
  readonly delay: {
    readonly with: Readonly<Record<string, number>>;
    readonly without: Readonly<Record<string, number>>;
  };
  readonly gzipBytes: number;
  readonly installBytes: number;
}

const ROWS: readonly (readonly [string, string, number])[] = [
  ['syncUs', 'capture(), 100,000 in a loop (sentry 20,000): us each', 2],
  ['cpuUs', '... CPU us each (all threads, garbage collection included)', 2],
  ['stallMs', 'longest stall of the loop after it, ms', 0],
  ['bytesPerEvent', 'heap held by a waiting event, bytes', 0],
  ['enqueueMs', '5,000 events: enqueue, ms', 1],
  ['flushMs', '... flush, ms', 1],
  ['cpuMs', '... CPU, ms', 0],
  ['maxStallMs', '... longest stall, ms', 1],
  ['heapGrowthKb', '... heap afterwards against before, KiB', 0],
  ['requests', '... requests (with three rounds of 2,000 before)', 0],
  ['connections', '... connections', 0],
  ['bytes', '... bytes on the wire', 0],
  ['importMs', 'import, ms', 1],
];

function figure(value: number | undefined, digits: number): string {
  return value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits);
}

/** `bench/results/sdk-js.md`. */
export function table(results: Results): string {
  const { bySdk, dispatch, delay } = results;
  const names = Object.keys(bySdk);
  const rows = ROWS.map(
    ([key, label, digits]) =>
      `| ${label} | ${names.map((name) => figure(bySdk[name]?.[key], digits)).join(' | ')} |`,
  );
  const ours = bySdk['ours'] ?? {};
  const floor = bySdk['floor'] ?? {};
  const ratio = (key: string): string => figure((ours[key] ?? 0) / (floor[key] ?? 1), 2);
  const total = (of: typeof ours): number => (of['enqueueMs'] ?? 0) + (of['flushMs'] ?? 0);
  const added = (delay.with['p99Ms'] ?? 0) - (delay.without['p99Ms'] ?? 0);
  const gates: readonly (readonly [string, string, string])[] = [
    ['enqueue, CPU us', figure(ours['cpuUs'], 2), '3'],
    ['enqueue, times the floor', ratio('cpuUs'), '1.5'],
    [
      'a dispatch that is only counted, us',
      figure(((dispatch['withNs'] ?? 0) - (dispatch['withoutNs'] ?? 0)) / 1_000, 3),
      '1',
    ],
    ['held by a waiting event, bytes', figure(ours['bytesPerEvent'], 0), '600'],
    ['stall after 100,000, ms', figure(ours['stallMs'], 0), '50'],
    ['drain of 5,000, times the floor', figure(total(ours) / total(floor), 2), '2'],
    ['connections of the drain', figure(ours['connections'], 0), '1'],
    ['added p99 loop delay at 2,000 dispatches/s, ms', figure(added, 2), '1'],
    ['heap after a drain against before, KiB', figure(ours['heapGrowthKb'], 0), 'about 0'],
    ['gzip of the code, bytes', `${results.gzipBytes}`, '15,000'],
    ['code and types installed, bytes', `${results.installBytes}`, '307,200'],
    ['import, ms', figure(ours['importMs'], 1), '10'],
  ];
  return `# JavaScript SDK beside others

${results.date}, ${results.machine}. \`npx tsx --conditions=source bench/sdk-js/run.ts\`; each figure is the median of three
processes. Client, server and stand-in platform share the cores. Load average before each part of the run:
${results.loads.map((load) => load.toFixed(2)).join(', ')}; over 1 other work ran shortly before or at the same time.

The same event of eight fields for all, batches of 500. \`floor\` is ${'`bench/sdk-js/floor.ts`'}: an array, \`JSON.stringify\` at the
time of sending, no guards, no bounds. Our queue holds 5,000, so 95,000 of the 100,000 in the first row are evicted; that is
part of its cost.

| | ${names.join(' | ')} |
|---|${names.map(() => '---').join('|')}|
${rows.join('\n')}

| figure | measured | to reach |
|---|---|---|
${gates.map(([label, value, goal]) => `| ${label} | ${value} | ${goal} |`).join('\n')}

discord.js client under ${figure(delay.with['perSecond'], 0)} dispatches/s: loop delay p50 / p99 without the SDK
${figure(delay.without['p50Ms'], 2)} / ${figure(delay.without['p99Ms'], 2)} ms, with it ${figure(delay.with['p50Ms'], 2)} / ${figure(delay.with['p99Ms'], 2)} ms; CPU ${figure(delay.without['cpuPercent'], 1)} % and ${figure(delay.with['cpuPercent'], 1)} % of a core. Emitting a dispatch costs
${figure(dispatch['withoutNs'], 0)} ns without and ${figure(dispatch['withNs'], 0)} ns with the listener.
`;
}
