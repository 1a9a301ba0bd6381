import 'uplot/dist/uPlot.min.css';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import type uPlot from 'uplot';
import { env } from '../env.ts';
import { usePreferences } from '../shell/preferences.ts';
import { makePlot, moveCursor } from './plot.ts';
import type { ChartData, ChartSeries } from './series.ts';
import styles from './time-chart.module.css';

/** Wait before a value that the keyboard reached is read out, ms. */
const readOutAfterMs = 250;
/** Points that Shift with an arrow moves. */
const shiftStep = 10;

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

/** The system's choice of light or dark; a canvas has to be drawn again when it changes. */
function useScheme(): string {
  const { theme } = usePreferences();
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = (): void => setDark(query.matches);
    query.addEventListener('change', follow);
    return () => {
      query.removeEventListener('change', follow);
    };
  }, []);
  return theme === 'auto' ? String(dark) : theme;
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

function targetIndex(event: KeyboardEvent, at: number | null, count: number): number | null {
  const step = event.shiftKey ? shiftStep : 1;
  const last = count - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: at === null ? 0 : at + step,
    ArrowLeft: at === null ? last : at - step,
    Home: 0,
    End: last,
  };
  const to = moves[event.key];
  return to === undefined ? null : Math.min(last, Math.max(0, to));
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
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState<number | null>(null);
  const [spoken, setSpoken] = useState('');
  const plot = usePlot(box, { data, syncKey, format, onCursor: setIndex });
  const known = index !== null && index < data.timesMs.length;
  const words = known ? wordsAt(index) : '';
  const focused = known && document.activeElement === box.current;
  useEffect(() => {
    if (!focused) return undefined;
    return env.after(readOutAfterMs, () => setSpoken(words));
  }, [focused, words]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const u = plot.current;
    const to = targetIndex(event, u?.cursor.idx ?? null, data.timesMs.length);
    if (u === null || to === null) return;
    event.preventDefault();
    moveCursor(u, to);
  };
  return (
    <figure className={styles.chart} aria-labelledby={`${id}-title`}>
      <div className={styles.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        <span className={styles.read} aria-hidden="true">
          {words === '' ? summary : words}
        </span>
      </div>
      {/* Arrows move the cursor. */}
      <div
        ref={box}
        className={styles.plot}
        tabIndex={0}
        role="img"
        aria-label={`${title}. ${summary} Arrow keys read single values.`}
        onKeyDown={onKeyDown}
      />
      <Legend series={data.series} />
      <span className="visually-hidden" aria-live="polite">
        {spoken}
      </span>
    </figure>
  );
}
