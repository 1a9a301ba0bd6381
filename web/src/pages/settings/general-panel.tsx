import type { Bot } from '@bot-analytics/protocol/read-api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';
import { fullCount } from '../../format/numbers.ts';
import { setPreferences, usePreferences } from '../../shell/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Note, Notice, Panel } from '../../ui/panel.tsx';
import styles from './settings.module.css';
import { parseDays, parseQuota } from './view-model.ts';

interface Draft {
  readonly name: string;
  readonly quota: string;
  readonly days: string;
  readonly suspended: boolean;
}

function draftOf(bot: Bot): Draft {
  return {
    name: bot.name,
    quota: bot.monthlyQuota === null ? '' : String(bot.monthlyQuota),
    days: String(bot.retentionDays),
    suspended: bot.suspended,
  };
}

function useSave(bot: Bot) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (draft: Draft) => {
      const monthlyQuota = parseQuota(draft.quota);
      const retentionDays = parseDays(draft.days);
      const body = {
        name: draft.name.trim(),
        suspended: draft.suspended,
        ...(monthlyQuota === undefined ? {} : { monthlyQuota }),
        ...(retentionDays === undefined ? {} : { retentionDays }),
      };
      return call('botSet', { path: { bot: bot.botId }, body });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: botsQuery.queryKey }),
  });
}

function errorsOf(draft: Draft) {
  return {
    name: draft.name.trim() === '' ? 'A bot needs a name.' : undefined,
    quota: parseQuota(draft.quota) === undefined ? 'A whole number, or nothing.' : undefined,
    days: parseDays(draft.days) === undefined ? 'From 1 to 3,650 days.' : undefined,
  };
}

interface FieldsProps {
  readonly bot: Bot;
  readonly draft: Draft;
  readonly onDraft: (patch: Partial<Draft>) => void;
}

function Fields({ bot, draft, onDraft }: FieldsProps) {
  const errors = errorsOf(draft);
  return (
    <>
      <Field
        label="Name"
        value={draft.name}
        maxLength={100}
        onChange={(event) => onDraft({ name: event.target.value })}
        error={errors.name}
      />
      <Field
        label="Events a month"
        inputMode="numeric"
        placeholder="No limit"
        value={draft.quota}
        onChange={(event) => onDraft({ quota: event.target.value })}
        hint={`${fullCount(bot.quotaUsed)} used this month (UTC). Snapshots do not count.`}
        error={errors.quota}
      />
      <Field
        label="Keep events for, days"
        inputMode="numeric"
        value={draft.days}
        onChange={(event) => onDraft({ days: event.target.value })}
        hint="Older events are deleted and refused."
        error={errors.days}
      />
    </>
  );
}

/** Name, quota, retention, suspension. */
export function GeneralPanel({ bot }: { readonly bot: Bot }) {
  const [draft, setDraft] = useState(() => draftOf(bot));
  const save = useSave(bot);
  const wrong = Object.values(errorsOf(draft)).some((error) => error !== undefined);
  return (
    <Panel title="General">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) save.mutate(draft);
        }}
      >
        <Fields bot={bot} draft={draft} onDraft={(patch) => setDraft({ ...draft, ...patch })} />
        <label className={`${styles.check ?? ''} ${styles.wide ?? ''}`}>
          <input
            type="checkbox"
            checked={draft.suspended}
            onChange={(event) => setDraft({ ...draft, suspended: event.target.checked })}
          />
          Suspended: the server refuses everything this bot sends
        </label>
        <div className={`${styles.row ?? ''} ${styles.wide ?? ''}`}>
          <Button type="submit" kind="primary" disabled={wrong || save.isPending}>
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
          <span role="status">{save.isSuccess ? 'Saved ✓' : ''}</span>
        </div>
        {save.error !== null && (
          <div className={styles.wide}>
            <Notice kind="bad" announce>
              {save.error.message}
            </Notice>
          </div>
        )}
      </form>
    </Panel>
  );
}

/** What is kept in this browser only. */
export function BrowserPanel() {
  const { shortcuts } = usePreferences();
  return (
    <Panel title="This browser">
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={shortcuts}
          onChange={(event) => setPreferences({ shortcuts: event.target.checked })}
        />
        Single-key shortcuts
      </label>
      <Note>
        Press <kbd>?</kbd> for the list. The theme is chosen at the top of the page.
      </Note>
    </Panel>
  );
}
