import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Note, Notice } from '../../ui/panel.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Checklist } from './checklist.tsx';
import styles from './connect.module.css';
import { curlTest, INSTALL_NOTE, KEY_PLACEHOLDER, snippet } from './snippets.ts';
import type { Language, SnippetValues } from './snippets.ts';

/** A key, the only time it is shown. */
export function KeyOnce({ apiKey }: { readonly apiKey: string }) {
  return (
    <>
      <Secret text={apiKey} what="key" />
      <Notice kind="warn">
        <strong>Shown only now.</strong> The server keeps a hash of it. If it is lost, make a new
        one in the settings.
      </Notice>
    </>
  );
}

const LANGUAGES = [
  { value: 'js', label: 'JavaScript' },
  { value: 'py', label: 'Python' },
] as const;

function CodeStep({ values }: { readonly values: SnippetValues }) {
  const [language, setLanguage] = useState<Language>('js');
  const shown = snippet(language, values);
  return (
    <>
      <div>
        <Segments
          label="Language of the bot"
          options={LANGUAGES}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <Note>{INSTALL_NOTE}</Note>
      <CodeBlock name="Terminal" text={shown.install} />
      <CodeBlock name={shown.file} text={shown.code} />
    </>
  );
}

interface GuideProps {
  readonly bot: string;
  /** `null` when the key was shown earlier and is gone. */
  readonly apiKey: string | null;
}

/** Key, code, and the wait for the first batch: steps of a list. */
export function GuideSteps({ bot, apiKey }: GuideProps) {
  const session = useQuery(sessionQuery);
  const endpoint = session.data?.publicUrl ?? window.location.origin;
  const values = { apiKey: apiKey ?? KEY_PLACEHOLDER, endpoint };
  return (
    <>
      <li className={styles.step}>
        <h2>{apiKey === null ? 'Have the key at hand' : 'Keep the key'}</h2>
        {apiKey === null ? (
          <Note>
            The key was shown when it was made. Lost it?{' '}
            <a href={`/b/${bot}/settings#keys`}>Make a new one</a> in the settings.
          </Note>
        ) : (
          <KeyOnce apiKey={apiKey} />
        )}
      </li>
      <li className={styles.step}>
        <h2>Add this to the bot</h2>
        <CodeStep values={values} />
      </li>
      <li className={styles.step}>
        <h2>Start the bot</h2>
        <Note>The first batch usually arrives within 5 seconds after the bot has started.</Note>
        <Checklist bot={bot} testLine={curlTest(values)} />
      </li>
    </>
  );
}
