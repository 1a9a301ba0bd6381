import type { Share, ShareCreated } from '@bot-analytics/protocol/read-api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { env } from '../../env.ts';
import { useNow } from '../../live/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading, Note, Notice, Panel } from '../../ui/panel.tsx';
import { Segments } from '../../ui/segments.tsx';
import table from '../../ui/table.module.css';
import { Secret } from '../../ui/secret.tsx';
import styles from './settings.module.css';
import { SECTION_LABELS, shareRows } from './view-model.ts';
import type { ShareRow } from './view-model.ts';

type Section = Share['sections'][number];

const SECTIONS = ['status', 'history', 'api'] as const satisfies readonly Section[];
const dayMs = 86_400_000;
const EXPIRIES = [
  { value: '0', label: 'Never' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;

interface ShareFormProps {
  readonly busy: boolean;
  readonly onCreate: (sections: Section[], expiresAt: string | null) => void;
}

function ShareForm({ busy, onCreate }: ShareFormProps) {
  const [sections, setSections] = useState<readonly Section[]>(['status']);
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number]['value']>('0');
  const toggle = (section: Section): void => {
    setSections(SECTIONS.filter((one) => (one === section) !== sections.includes(one)));
  };
  const create = (): void => {
    const days = Number(expiry);
    const expiresAt = days === 0 ? null : new Date(env.now() + days * dayMs).toISOString();
    onCreate([...sections], expiresAt);
  };
  return (
    <div className={styles.sub}>
      <div className={styles.row}>
        {SECTIONS.map((section) => (
          <label key={section} className={styles.check}>
            <input
              type="checkbox"
              checked={sections.includes(section)}
              onChange={() => toggle(section)}
            />
            {SECTION_LABELS[section]}
          </label>
        ))}
      </div>
      <div className={styles.row}>
        <span>Expires</span>
        <Segments label="Expires" options={EXPIRIES} value={expiry} onChange={setExpiry} />
        <Button kind="primary" disabled={busy || sections.length === 0} onClick={create}>
          Make a link
        </Button>
      </div>
    </div>
  );
}

function NewShare({ made }: { readonly made: ShareCreated }) {
  const base = new URL(made.url).origin;
  const badge = `${base}/v1/public/${made.token}/badge.svg`;
  const summary = `${base}/v1/public/${made.token}/summary`;
  const addresses = [
    { what: 'Page', url: made.url },
    ...(made.sections.includes('status')
      ? [
          { what: 'Badge (SVG)', url: badge },
          { what: 'Summary (JSON)', url: summary },
        ]
      : []),
  ];
  return (
    <div className={styles.sub}>
      <Notice kind="good" announce>
        <strong>The link is ready.</strong> Its addresses are shown only now.
      </Notice>
      {addresses.map(({ what, url }) => (
        <Secret key={what} text={url} what={what} label={what} />
      ))}
    </div>
  );
}

interface ShareTableProps {
  readonly rows: readonly ShareRow[];
  readonly onRevoke: (shareId: string) => void;
}

function ShareTable({ rows, onRevoke }: ShareTableProps) {
  if (rows.length === 0) return <Note>No link was made yet.</Note>;
  return (
    // Scrolls sideways, so the keyboard has to reach it.
    <div className={table.scroll} tabIndex={0} role="group" aria-label="Share links">
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Shows</th>
            <th scope="col">Valid</th>
            <th scope="col" className={table.spare}>
              Made
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.shareId}>
              <td>{row.sections}</td>
              <td>{row.stateText}</td>
              <td className={table.spare}>{row.created}</td>
              <td className={table.number}>
                {row.active && (
                  <Button small kind="danger" onClick={() => onRevoke(row.shareId)}>
                    Revoke<span className="visually-hidden"> link made {row.created}</span>
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function useShares(bot: string) {
  const queryClient = useQueryClient();
  const queryKey = ['shares', bot];
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const list = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call('shareList', { path: { bot }, signal })).shares,
  });
  const create = useMutation({
    mutationFn: (body: { sections: Section[]; expiresAt: string | null }) =>
      call('shareCreate', { path: { bot }, body }),
    onSuccess: refresh,
  });
  const revoke = useMutation({
    mutationFn: (shareId: string) => call('shareRevoke', { path: { shareId } }),
    onSuccess: refresh,
  });
  return { list, create, revoke };
}

/** Public links: who has one sees the chosen sections without a login. */
export function SharePanel({ bot }: { readonly bot: string }) {
  const { list, create, revoke } = useShares(bot);
  const now = useNow(30_000);
  const error = create.error ?? revoke.error;
  return (
    <Panel title="Share links">
      <Note>
        Whoever has a link sees the chosen sections, read-only and without a login. Guild names are
        never shown.
      </Note>
      <ShareForm
        busy={create.isPending}
        onCreate={(sections, expiresAt) => create.mutate({ sections, expiresAt })}
      />
      {create.data !== undefined && <NewShare made={create.data} />}
      {error !== null && (
        <Notice kind="bad" announce>
          {error.message}
        </Notice>
      )}
      {list.data === undefined && list.error === null && <Loading what="the links" rows={1} />}
      {list.data === undefined && list.error !== null && (
        <Failed error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data !== undefined && (
        <ShareTable
          rows={shareRows(list.data, now)}
          onRevoke={(shareId) => revoke.mutate(shareId)}
        />
      )}
    </Panel>
  );
}
