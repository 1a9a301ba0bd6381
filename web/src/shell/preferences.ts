import { useSyncExternalStore } from 'react';

/** What a viewer chose for this browser. */
export interface Preferences {
  readonly theme: 'auto' | 'light' | 'dark';
  /** Single-key shortcuts; WCAG 2.1.4 asks for a way to switch them off. */
  readonly shortcuts: boolean;
}

const STORAGE_KEY = 'bot-analytics.preferences';
const DEFAULTS: Preferences = { theme: 'auto', shortcuts: true };
const THEMES = ['auto', 'light', 'dark'] as const;

/** What is stored, with defaults for everything missing or odd. */
export function readPreferences(text: string | null): Preferences {
  let value: unknown;
  try {
    value = JSON.parse(text ?? 'null');
  } catch {
    return DEFAULTS;
  }
  if (typeof value !== 'object' || value === null) return DEFAULTS;
  const theme = THEMES.find((one) => 'theme' in value && value.theme === one);
  const off = 'shortcuts' in value && value.shortcuts === false;
  return { theme: theme ?? DEFAULTS.theme, shortcuts: !off };
}

const listeners = new Set<() => void>();
let current = DEFAULTS;

/** Storage may be forbidden (private windows, embedded views); the page works without. */
function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

function apply(): void {
  document.documentElement.dataset['theme'] = current.theme;
  for (const listener of listeners) listener();
}

/** Reads the stored choice and puts the theme on the page. Called once, before the first draw. */
export function loadPreferences(): void {
  current = readPreferences(storage()?.getItem(STORAGE_KEY) ?? null);
  apply();
}

export function setPreferences(patch: Partial<Preferences>): void {
  current = { ...current, ...patch };
  try {
    storage()?.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // A full storage loses the choice on reload, nothing else.
  }
  apply();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
