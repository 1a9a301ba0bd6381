import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { inputClass } from '../../ui/field.tsx';
import { matching } from './palette-view.ts';
import type { Destination } from './palette-view.ts';
import styles from './palette.module.css';
import { SHORTCUT_HELP } from './shortcuts.ts';

interface PaletteProps {
  readonly all: readonly Destination[];
  readonly onGo: (href: string) => void;
  readonly onClose: () => void;
}

/** Type a few letters, Enter goes there. */
export function Palette({ all, onGo, onClose }: PaletteProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const shown = matching(all, text);
  const chosen = Math.min(at, shown.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, shown.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') {
      const target = shown[chosen];
      if (target !== undefined) onGo(target.href);
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <input
        className={inputClass}
        role="combobox"
        aria-label="Bot or page"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown.length === 0 ? undefined : `${id}-${chosen}`}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={id} className={styles.options} role="listbox" aria-label="Places">
        {shown.map(({ label, href }, index) => (
          // The input has the focus and handles the keys.
          <li
            key={href}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => onGo(href)}
          >
            {label}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p role="status">No bot or page has that name.</p>}
    </Dialog>
  );
}

/** The list of shortcuts. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <dl className={styles.help}>
        {SHORTCUT_HELP.map(({ keys, text }) => [
          <dt key={`${keys} keys`}>
            <kbd>{keys}</kbd>
          </dt>,
          <dd key={keys}>{text}</dd>,
        ])}
      </dl>
    </Dialog>
  );
}
