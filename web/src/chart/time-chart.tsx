import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import type uPlot from 'uplot';
import { makePlot, moveCursor } from './plot.ts';
import type { ChartData, ChartSeries } from './series.ts';
import styles from './time-chart.module.css';
import { ChartFrame } from './chart-frame.tsx';
import { targetIndex } from './reading.ts';
import { useScheme } from './use-scheme.ts';

interface TimeChartProps {
  readonly title: string;
  /** One sentence that says what the chart shows, for those who do not see it. */
  readonly summary: string;
  readonly data: ChartData;
  readonly syncKey: string;
  readonly format: (value: number) => string;
  /** Words for the value at an index: "10:00, 84 ms". */
  readonly wordsAt: (index: number) => string;
}

type PlotProps = Pick<TimeChartProps, 'data' | 'syncKey' | 'format'> & {
  readonly onCursor: (index: number | null) => void;
};

/** Keeps a plot in the box: made anew for new data, resized with the box. */
function usePlot(
  box: RefObject<HTMLDivElement | null>,
  { data, syncKey, format, onCursor }: PlotProps,
): RefObject<uPlot | null> {
  const plot = useRef<uPlot | null>(null);
  const scheme = useScheme();
  useEffect(() => {
    const host = box.current;
    if (host === null) return undefined;
    const { clientWidth: width, clientHeight: height } = host;
    const made = makePlot(host, { data, syncKey, format, onCursor, width, height });
    plot.current = made;
    const resize = new ResizeObserver(() => {
      made.setSize({ width: host.clientWidth, height: host.clientHeight });
    });
    resize.observe(host);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [box, data, syncKey, format, onCursor, scheme]);
  return plot;
}

function Legend({ series }: { readonly series: readonly ChartSeries[] }) {
  if (series.length < 2) return null;
  return (
    <ul className={styles.legend}>
      {series.map(({ label, color, dash }) => (
        <li key={label}>
          <svg viewBox="0 0 22 6" aria-hidden="true">
            <path
              d="M0 3h22"
              stroke={`var(${color})`}
              strokeWidth="2"
              strokeDasharray={dash?.join(' ')}
            />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

/** A chart over time. Arrows, Home and End move its cursor; what it reaches is read out. */
export function TimeChart({ title, summary, data, syncKey, format, wordsAt }: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState<number | null>(null);
  const plot = usePlot(box, { data, syncKey, format, onCursor: setIndex });
  const known = index !== null && index < data.timesMs.length;
  const words = known ? wordsAt(index) : '';
  const onKeyDown = (event: KeyboardEvent): void => {
    const u = plot.current;
    const to = targetIndex(event, u?.cursor.idx ?? null, data.timesMs.length);
    if (u === null || to === null) return;
    event.preventDefault();
    moveCursor(u, to);
  };
  return (
    <ChartFrame
      title={title}
      summary={summary}
      words={words}
      box={box}
      onKeyDown={onKeyDown}
      legend={<Legend series={data.series} />}
    />
  );
}
