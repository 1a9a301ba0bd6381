import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Segments } from '../../ui/segments.tsx';

/** How long the former key stays valid, seconds. The server's default is 24 h. */
const OVERLAPS = [
  { value: '0', label: 'None' },
  { value: '3600', label: '1 h' },
  { value: '86400', label: '24 h' },
  { value: '604800', label: '7 days' },
] as const;

interface RotateDialogProps {
  readonly onClose: () => void;
  readonly onRotate: (overlapS: number) => void;
}

/** Asks how long the former key goes on working. */
export function RotateDialog({ onClose, onRotate }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]['value']>('86400');
  return (
    <Dialog
      title="Rotate the ingest key"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => onRotate(Number(overlap))}>
            Make a new key
          </Button>
        </>
      }
    >
      <p>A new key is made and shown once. The former key stays valid for the overlap:</p>
      <div>
        <Segments label="Overlap" options={OVERLAPS} value={overlap} onChange={setOverlap} />
      </div>
      {overlap === '0' && (
        <p>Without an overlap the bot is refused until it runs with the new key.</p>
      )}
    </Dialog>
  );
}

interface RevokeDialogProps {
  readonly keyId: string;
  readonly onClose: () => void;
  readonly onRevoke: () => void;
}

/** Wants the id of the key typed: a bot that uses it goes silent. */
export function RevokeDialog({ keyId, onClose, onRevoke }: RevokeDialogProps) {
  const [text, setText] = useState('');
  return (
    <Dialog
      title={`Revoke key ${keyId}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={text.trim() !== keyId} onClick={onRevoke}>
            Revoke
          </Button>
        </>
      }
    >
      <p>
        It stops working within 5 seconds. A bot that still uses it goes silent, and its SDK stays
        off until the bot restarts with another key.
      </p>
      <Field
        label={`Type ${keyId} to confirm`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </Dialog>
  );
}
