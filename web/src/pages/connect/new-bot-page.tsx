import type { BotCreated } from '@bot-analytics/protocol/read-api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';
import { Page } from '../../shell/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/panel.tsx';
import styles from './connect.module.css';
import { GuideSteps } from './guide.tsx';

function NameForm({ onCreated }: { readonly onCreated: (bot: BotCreated) => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: (text: string) => call('botCreate', { body: { name: text } }),
    onSuccess: async (bot) => {
      onCreated(bot);
      await queryClient.invalidateQueries({ queryKey: botsQuery.queryKey });
    },
  });
  const submit = (): void => {
    if (name.trim() !== '' && !create.isPending) create.mutate(name.trim());
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="Name"
        hint="Shown here, and on pages that you share. It can be changed later."
        value={name}
        onChange={(event) => setName(event.target.value)}
        maxLength={100}
        required
        autoComplete="off"
        error={create.error?.message}
      />
      <Button type="submit" kind="primary" disabled={create.isPending}>
        {create.isPending ? 'Creating…' : 'Create'}
      </Button>
    </form>
  );
}

/** From a name to the first event. */
export function NewBotPage() {
  const [created, setCreated] = useState<BotCreated | null>(null);
  return (
    <Page title="Add a bot" narrow>
      <h1>{created === null ? 'Add a bot' : `Connect ${created.name}`}</h1>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <h2>Name the bot</h2>
          {created === null ? <NameForm onCreated={setCreated} /> : <Note>{created.name}</Note>}
        </li>
        {created !== null && <GuideSteps bot={created.botId} apiKey={created.apiKey} />}
      </ol>
    </Page>
  );
}
