import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { botsQuery } from '../../api/queries.ts';
import { Page } from '../../shell/page.tsx';
import { Note, Panel } from '../../ui/panel.tsx';
import { BrowserPanel, GeneralPanel } from './general-panel.tsx';
import { HealthPanel } from './health-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import styles from './settings.module.css';
import { SharePanel } from './share-panel.tsx';

const SECTIONS = [
  { id: 'general', label: 'General' },
  { id: 'keys', label: 'Keys' },
  { id: 'share', label: 'Share links' },
  { id: 'health', label: 'Ingestion health' },
  { id: 'browser', label: 'This browser' },
] as const;

function NoKeys() {
  return (
    <Panel title="Keys">
      <Note>The sample bot takes no keys, so nothing but made-up data can reach it.</Note>
    </Panel>
  );
}

/** Everything about one bot that can be changed. */
export function SettingsPage() {
  const { bot } = useParams({ from: '/app/b/$bot/settings' });
  const found = useQuery(botsQuery).data?.find((one) => one.botId === bot);
  useEffect(() => {
    // The page is drawn after the browser has looked for the fragment.
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, []);
  if (found === undefined) return null;
  return (
    <Page title={`Settings · ${found.name}`} narrow>
      <h1>Settings</h1>
      <nav className={styles.toc} aria-label="On this page">
        {SECTIONS.map(({ id, label }) => (
          <a key={id} href={`#${id}`}>
            {label}
          </a>
        ))}
        {!found.sample && <a href={`/b/${bot}/connect`}>Connection guide</a>}
      </nav>
      <div id="general">
        <GeneralPanel key={bot} bot={found} />
      </div>
      <div id="keys">{found.sample ? <NoKeys /> : <KeysPanel key={bot} bot={bot} />}</div>
      <div id="share">
        <SharePanel key={bot} bot={bot} />
      </div>
      <div id="health">
        <HealthPanel bot={bot} />
      </div>
      <div id="browser">
        <BrowserPanel />
      </div>
    </Page>
  );
}
