import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { botsQuery } from '../../api/queries.ts';
import { RANGES } from '../../pages/shard/search.ts';
import { destinations } from './palette-view.ts';
import { Palette, ShortcutHelp } from './palette.tsx';
import { usePreferences } from '../preferences.ts';
import { readShortcut } from './shortcuts.ts';
import type { ShortcutAction } from './shortcuts.ts';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return target.type !== 'radio' && target.type !== 'checkbox';
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Calls `act` for each shortcut; `g` waits for the press after it. */
function useShortcuts(single: boolean, act: (action: ShortcutAction) => void): void {
  useEffect(() => {
    let afterG = false;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const { key, ctrlKey, metaKey, altKey } = event;
      const press = { key, ctrlKey, metaKey, altKey, typing: isTyping(event.target) };
      const read = readShortcut(press, { afterG, single });
      afterG = read === 'wait';
      if (read === null || read === 'wait') return;
      event.preventDefault();
      act(read);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [single, act]);
}

function useAct(bot: string | undefined, show: (what: 'palette' | 'help') => void) {
  const navigate = useNavigate();
  return (action: ShortcutAction): void => {
    if (action.do === 'palette' || action.do === 'help') show(action.do);
    if (action.do === 'find') {
      document.querySelector<HTMLElement>('[data-hotkey="find"]')?.focus();
    }
    if (action.do === 'go' && bot !== undefined) {
      void navigate({ href: `/b/${bot}/${action.section}` });
    }
    if (action.do === 'range') {
      const radios = document.querySelectorAll<HTMLInputElement>('[data-hotkey="range"] input');
      if (radios.length === RANGES.length) radios[action.index]?.click();
    }
  };
}

/** Shortcuts, the palette and the help. */
export function Keyboard() {
  const { bot } = useParams({ strict: false });
  const { shortcuts } = usePreferences();
  const bots = useQuery(botsQuery).data ?? [];
  const navigate = useNavigate();
  const [shown, setShown] = useState<'palette' | 'help' | null>(null);
  useShortcuts(shortcuts, useAct(bot, setShown));
  const close = (): void => setShown(null);
  if (shown === 'help') return <ShortcutHelp onClose={close} />;
  if (shown !== 'palette') return null;
  return (
    <Palette
      all={destinations(bots, bot)}
      onClose={close}
      onGo={(href) => {
        close();
        void navigate({ href });
      }}
    />
  );
}
