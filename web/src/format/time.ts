const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The zone that times are shown in: the browser's. */
export function zoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Last part of a zone for people: "Berlin", "New York". */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** "48 min ago", "in 3 h", "just now" (under 2 s). Whole units, rounded down. */
export function relative(thenMs: number, nowMs: number): string {
  const distance = nowMs - thenMs;
  const span = duration(Math.abs(distance));
  if (Math.abs(distance) < 2_000) return 'just now';
  return distance >= 0 ? `${span} ago` : `in ${span}`;
}

/** One unit, rounded down: "42 s", "48 min", "5 h", "12 d". */
export function duration(ms: number): string {
  if (ms < minuteMs) return `${Math.floor(ms / 1_000)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`;
  return `${Math.floor(ms / dayMs)} d`;
}

/** "0:42", "12:05": a running count of minutes and seconds. */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const clockSeconds = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const dayShort = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** "01:12" in the viewer's zone. */
export function clockTime(ms: number): string {
  return clock.format(ms);
}

/** "12:03:10" in the viewer's zone. */
export function clockTimeSeconds(ms: number): string {
  return clockSeconds.format(ms);
}

/** "21 Nov". */
export function dayShortText(ms: number): string {
  return dayShort.format(ms);
}

/** "21 Nov 2026, 01:12". */
export function dayAndClock(ms: number): string {
  return `${day.format(ms)}, ${clock.format(ms)}`;
}

/** "01:12" on the same day, else "20 Nov, 01:12". */
export function nearTime(ms: number, nowMs: number): string {
  return day.format(ms) === day.format(nowMs)
    ? clock.format(ms)
    : `${dayShort.format(ms)}, ${clock.format(ms)}`;
}
