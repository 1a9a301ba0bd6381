import { useId } from 'react';
import { setPreferences, usePreferences } from './preferences.ts';
import styles from './shell.module.css';

/** Light, dark, or as the system has it. */
export function ThemeChoice() {
  const { theme } = usePreferences();
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="visually-hidden">
        Theme
      </label>
      <select
        id={id}
        className={styles.theme}
        value={theme}
        onChange={(event) => {
          const { value } = event.target;
          if (value === 'auto' || value === 'light' || value === 'dark') {
            setPreferences({ theme: value });
          }
        }}
      >
        <option value="auto">Auto</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </>
  );
}
