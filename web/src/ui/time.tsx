import { dayAndClock, relative } from '../format/time.ts';

interface RelativeTimeProps {
  /** ISO 8601. */
  readonly at: string;
  /** Unix ms. */
  readonly nowMs: number;
}

/** "48 min ago", the full time in the title. */
export function RelativeTime({ at, nowMs }: RelativeTimeProps) {
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={dayAndClock(ms)}>
      {relative(ms, nowMs)}
    </time>
  );
}
