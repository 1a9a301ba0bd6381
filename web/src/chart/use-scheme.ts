import { useEffect, useState } from 'react';
import { usePreferences } from '../shell/preferences.ts';

/** The system's choice of light or dark; a canvas has to be drawn again when it changes. */
export function useScheme(): string {
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
