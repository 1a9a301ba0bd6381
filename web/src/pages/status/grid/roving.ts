import type { KeyboardEvent } from 'react';

/** The index of the row of each item, by the tops of the items in their order. */
function rowsOf(tops: readonly number[]): readonly (readonly number[])[] {
  const rows: number[][] = [];
  tops.forEach((top, index) => {
    const row = rows.at(-1);
    if (row !== undefined && tops[row[0] ?? 0] === top) row.push(index);
    else rows.push([index]);
  });
  return rows;
}

/** Same place in the row `by` rows away; the last of a shorter one. */
function inRow(tops: readonly number[], at: number, by: 1 | -1): number {
  const rows = rowsOf(tops);
  const here = rows.findIndex((row) => row.includes(at));
  const target = rows[here + by];
  if (target === undefined) return at;
  const column = rows[here]?.indexOf(at) ?? 0;
  return target[Math.min(column, target.length - 1)] ?? at;
}

/** Where a key leads from item `at`; `null`: not our key. `tops`: where each item begins, px. */
export function rovingTarget(key: string, at: number, tops: readonly number[]): number | null {
  const last = tops.length - 1;
  switch (key) {
    case 'ArrowRight':
      return Math.min(at + 1, last);
    case 'ArrowLeft':
      return Math.max(at - 1, 0);
    case 'ArrowDown':
      return inRow(tops, at, 1);
    case 'ArrowUp':
      return inRow(tops, at, -1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

const rovingItems = '[data-roving], [data-roving-items] a';

/**
 * Arrow keys inside a group with one tab stop. 2,000 shards would be 2,000 stops otherwise. The items
 * are the links of a list with `data-roving-items`, and what carries `data-roving`; the one with the
 * focus becomes the stop.
 */
export function onRovingKey(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(rovingItems)];
  const at = items.findIndex((item) => item === document.activeElement);
  if (at === -1) return;
  const tops = items.map((item) => Math.round(item.getBoundingClientRect().top));
  const to = rovingTarget(event.key, at, tops);
  if (to === null) return;
  event.preventDefault();
  const from = items[at];
  const target = items[to];
  if (from === undefined || target === undefined) return;
  from.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}
