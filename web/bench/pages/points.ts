import 'uplot/dist/uPlot.min.css';
import { makePlot } from '../../src/chart/plot.ts';

/** One chart of `count` points, one a minute, with a gap of a tenth in the middle. */
function draw(count: number): void {
  const host = document.getElementById('box');
  if (host === null) return;
  const timesMs = Array.from({ length: count }, (_, index) => index * 60_000);
  const missing = (index: number): boolean => index > count * 0.45 && index < count * 0.55;
  const values = timesMs.map((_, index) =>
    missing(index) ? null : 80 + 20 * Math.sin(index / 300) + (index % 17),
  );
  const range = { fromMs: 0, toMs: count * 60_000 };
  const gap = { fromMs: count * 0.45 * 60_000, toMs: count * 0.55 * 60_000 };
  const series = [{ label: 'Ping', color: '--series-1', values }];
  makePlot(host, {
    data: { range, timesMs, series, gaps: [gap], marks: [] },
    width: 800,
    height: 180,
    syncKey: 'points',
    format: (value) => `${value} ms`,
    onCursor: () => undefined,
  });
}

Object.assign(globalThis, { points: { draw } });
