import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { barAt, drawBars } from './bars.ts';
import type { Bar } from './bars.ts';
import { ChartFrame } from './chart-frame.tsx';
import { targetIndex } from './reading.ts';
import styles from './time-chart.module.css';
import { useScheme } from './use-scheme.ts';

interface BarChartProps {
  readonly title: string;
  /** One sentence that says what the chart shows, for those who do not see it. */
  readonly summary: string;
  readonly bars: readonly Bar[];
  /** Name of a colour token. */
  readonly color: string;
  readonly format: (value: number) => string;
}

/** A bar for each of a few things. Arrows, Home and End read single bars. */
export function BarChart({ title, summary, bars, color, format }: BarChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const scheme = useScheme();
  const shown = at === null ? undefined : bars[at];
  const words = shown === undefined ? '' : `${shown.label}: ${format(shown.value)}`;
  useEffect(() => {
    const host = canvas.current;
    if (host === null) return undefined;
    const draw = (): void => drawBars(host, { bars, color, format, at });
    draw();
    const resize = new ResizeObserver(draw);
    resize.observe(host);
    return () => {
      resize.disconnect();
    };
  }, [bars, color, format, at, scheme]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = targetIndex(event, at, bars.length);
    if (to === null) return;
    event.preventDefault();
    setAt(to);
  };
  return (
    <ChartFrame
      title={title}
      summary={summary}
      words={words}
      box={box}
      onKeyDown={onKeyDown}
      onPointerMove={(event) => {
        const { current } = canvas;
        if (current === null) return;
        setAt(barAt(current, event.clientX - current.getBoundingClientRect().left, bars.length));
      }}
      onPointerLeave={() => setAt(null)}
    >
      <canvas ref={canvas} className={styles.bars} />
    </ChartFrame>
  );
}
