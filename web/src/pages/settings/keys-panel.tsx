import type { KeyCreated } from '@bot-analytics/protocol/read-api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { keysQuery } from '../../api/queries.ts';
import { dayAndClock } from '../../format/time.ts';
import { useNow } from '../../live/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading, Note, Notice, Panel } from '../../ui/panel.tsx';
import table from '../../ui/table.module.css';
import { KeyOnce } from '../connect/guide.tsx';
import { RevokeDialog, RotateDialog } from './key-dialogs.tsx';
import styles from './settings.module.css';
import { keyRows } from './view-model.ts';
import type { KeyRow } from './view-model.ts';

function KeyLine({ row, onRevoke }: { readonly row: KeyRow; readonly onRevoke: () => void }) {
  return (
    <tr>
      <td>
        <code>{row.keyId}</code>
      </td>
      <td>{row.scope}</td>
      <td>{row.stateText}</td>
      <td className={table.spare}>{row.created}</td>
      <td className={table.spare}>{row.lastUse}</td>
      <td className={table.number}>
        {row.state !== 'ended' && (
          <Button small kind="danger" onClick={onRevoke}>
            Revoke<span className="visually-hidden"> key {row.keyId}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}

interface KeyTableProps {
  readonly rows: readonly KeyRow[];
  readonly onRevoke: (keyId: string) => void;
}

function KeyTable({ rows, onRevoke }: KeyTableProps) {
  return (
    // Scrolls sideways, so the keyboard has to reach it.
    <div className={table.scroll} tabIndex={0} role="group" aria-label="Keys">
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Scope</th>
            <th scope="col">State</th>
            <th scope="col" className={table.spare}>
              Created
            </th>
            <th scope="col" className={table.spare}>
              Last use
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <KeyLine key={row.keyId} row={row} onRevoke={() => onRevoke(row.keyId)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NewKey({ made }: { readonly made: KeyCreated }) {
  return (
    <div className={styles.sub}>
      <KeyOnce apiKey={made.key} />
      {made.oldKeysExpireAt !== null && (
        <Note>
          The former {made.scope} keys work until {dayAndClock(Date.parse(made.oldKeysExpireAt))}.
        </Note>
      )}
    </div>
  );
}

function useKeyChanges(bot: string) {
  const queryClient = useQueryClient();
  const [made, setMade] = useState<KeyCreated | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: keysQuery(bot).queryKey });
  const created = async (key: KeyCreated): Promise<void> => {
    setMade(key);
    await refresh();
  };
  const create = useMutation({
    mutationFn: () => call('keyCreate', { path: { bot }, body: { scope: 'read' } }),
    onSuccess: created,
  });
  const rotate = useMutation({
    mutationFn: (overlapS: number) =>
      call('keyRotate', { path: { bot }, body: { scope: 'ingest', overlapS } }),
    onSuccess: created,
  });
  const revoke = useMutation({
    mutationFn: (keyId: string) => call('keyRevoke', { path: { keyId } }),
    onSuccess: refresh,
  });
  const error = create.error ?? rotate.error ?? revoke.error;
  return { made, error, create, rotate, revoke };
}

/** Keys of a bot: rotate, add, revoke. */
export function KeysPanel({ bot }: { readonly bot: string }) {
  const keys = useQuery(keysQuery(bot));
  const now = useNow(30_000);
  const changes = useKeyChanges(bot);
  const [dialog, setDialog] = useState<'rotate' | { readonly revoke: string } | null>(null);
  const close = (): void => setDialog(null);
  return (
    <Panel
      title="Keys"
      actions={
        <div className={styles.row}>
          <Button small onClick={() => changes.create.mutate()}>
            New read key
          </Button>
          <Button small kind="primary" onClick={() => setDialog('rotate')}>
            Rotate the ingest key
          </Button>
        </div>
      }
    >
      {changes.made !== null && <NewKey made={changes.made} />}
      {changes.error !== null && (
        <Notice kind="bad" announce>
          {changes.error.message}
        </Notice>
      )}
      {keys.data === undefined && keys.error === null && <Loading what="the keys" rows={2} />}
      {keys.data === undefined && keys.error !== null && (
        <Failed error={keys.error} onRetry={() => void keys.refetch()} />
      )}
      {keys.data !== undefined && (
        <KeyTable rows={keyRows(keys.data, now)} onRevoke={(revoke) => setDialog({ revoke })} />
      )}
      {dialog === 'rotate' && (
        <RotateDialog
          onClose={close}
          onRotate={(overlapS) => {
            close();
            changes.rotate.mutate(overlapS);
          }}
        />
      )}
      {dialog !== null && dialog !== 'rotate' && (
        <RevokeDialog
          keyId={dialog.revoke}
          onClose={close}
          onRevoke={() => {
            close();
            changes.revoke.mutate(dialog.revoke);
          }}
        />
      )}
    </Panel>
  );
}
