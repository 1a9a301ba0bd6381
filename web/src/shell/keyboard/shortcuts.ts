/** Pages of a bot that `g` and a letter lead to. */
type Section = 'status' | 'activity' | 'api' | 'settings';

/** What a key press asks for. */
export type ShortcutAction =
  | { readonly do: 'palette' | 'help' | 'find' }
  | { readonly do: 'go'; readonly section: Section }
  | { readonly do: 'range'; readonly index: number };

/** What of a key press matters. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** The focus is in a field that takes text. */
  readonly typing: boolean;
}

/** `g` and one of these. ui.md D1. */
const PLACES: Readonly<Record<string, Section>> = {
  s: 'status',
  a: 'activity',
  p: 'api',
  ',': 'settings',
};

/** Every shortcut, for the help. */
export const SHORTCUT_HELP = [
  { keys: 'Ctrl K', text: 'Go to a bot or a page' },
  { keys: 'g s', text: 'Status' },
  { keys: 'g a', text: 'Activity' },
  { keys: 'g p', text: 'API usage' },
  { keys: 'g ,', text: 'Settings' },
  { keys: '/', text: 'Find a shard' },
  { keys: '1 2 3', text: 'Last 24 h, 7 days, 30 days' },
  { keys: '← → ↑ ↓', text: 'Between shards, or along a chart' },
  { keys: '?', text: 'This list' },
] as const;

/**
 * Reads a key press. `afterG`: the press before was `g`. `single`: single-key shortcuts are on
 * (WCAG 2.1.4); with a modifier they are always on.
 */
export function readShortcut(
  press: KeyPress,
  state: { readonly afterG: boolean; readonly single: boolean },
): ShortcutAction | 'wait' | null {
  const { key, ctrlKey, metaKey, altKey, typing } = press;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return { do: 'palette' };
  if (ctrlKey || metaKey || altKey || typing || !state.single) return null;
  if (state.afterG) {
    const section = PLACES[key];
    return section === undefined ? null : { do: 'go', section };
  }
  if (key === 'g') return 'wait';
  if (key === '/') return { do: 'find' };
  if (key === '?') return { do: 'help' };
  if (/^[1-3]$/.test(key)) return { do: 'range', index: Number(key) - 1 };
  return null;
}
