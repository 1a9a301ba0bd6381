import type { KeyboardEvent } from 'react';

/** Where an arrow leads inside a group of `count` items in rows of `columns`; `null`: not our key. */
export function rovingTarget(
  key: string,
  at: number,
  grid: { readonly count: number; readonly columns: number },
): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + grid.columns,
    ArrowUp: at - grid.columns,
    Home: 0,
    End: grid.count - 1,
  };
  const to = moves[key];
  if (to === undefined) return null;
  return to < 0 || to >= grid.count ? at : to;
}

function columnsOf(items: readonly HTMLElement[]): number {
  const top = items[0]?.getBoundingClientRect().top;
  const columns = items.findIndex((item) => item.getBoundingClientRect().top !== top);
  return columns === -1 ? items.length : columns;
}

/**
 * Arrow keys inside a group with one tab stop. 2,000 shards would be 2,000 stops otherwise. The items
 * carry `data-roving`; the one with the focus becomes the stop.
 */
export function onRovingKey(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-roving]')];
  const at = items.findIndex((item) => item === document.activeElement);
  if (at === -1) return;
  const to = rovingTarget(event.key, at, { count: items.length, columns: columnsOf(items) });
  if (to === null) return;
  event.preventDefault();
  const from = items[at];
  const target = items[to];
  if (from === undefined || target === undefined) return;
  from.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}
