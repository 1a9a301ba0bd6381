import { useState } from 'react';
import type { ReactNode } from 'react';
import { env } from '../../env.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Segments } from '../../ui/segments.tsx';
import styles from './range-picker.module.css';
import { customRange, RANGE_LABELS, resolveRange, toLocalInput } from './range.ts';
import { RANGES } from './search.ts';
import type { ShardSearch } from './search.ts';

/** Changes the range in the address; `undefined` takes a member away. */
export type ChangeRange = (patch: {
  [K in keyof ShardSearch]?: ShardSearch[K] | undefined;
}) => void;

interface PickerProps {
  readonly search: ShardSearch;
  readonly onSearch: ChangeRange;
  /** Stands at the end of the row. */
  readonly children?: ReactNode;
}

const OPTIONS = RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }));
const dayMs = 86_400_000;

function CustomForm({ search, onSearch, onDone }: PickerProps & { readonly onDone: () => void }) {
  const custom = customRange(search);
  const [from, setFrom] = useState(() => toLocalInput(custom?.fromMs ?? env.now() - 2 * dayMs));
  const [to, setTo] = useState(() => toLocalInput(custom?.toMs ?? env.now()));
  const [wrong, setWrong] = useState(false);
  const submit = (): void => {
    const next = { from: new Date(from), to: new Date(to) };
    const readable = !Number.isNaN(next.from.getTime()) && !Number.isNaN(next.to.getTime());
    const patch = readable ? { from: next.from.toISOString(), to: next.to.toISOString() } : {};
    if (customRange(patch) === null) return setWrong(true);
    onSearch({ ...patch, range: undefined });
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="From"
        type="datetime-local"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <Field
        label="To"
        type="datetime-local"
        value={to}
        onChange={(event) => setTo(event.target.value)}
        error={wrong ? 'The end must lie after the start, at most 92 days.' : undefined}
      />
      <Button type="submit" kind="primary">
        Apply
      </Button>
    </form>
  );
}

/** Named ranges and a custom one. */
export function RangePicker({ search, onSearch, children }: PickerProps) {
  const [open, setOpen] = useState(false);
  const range = resolveRange(search);
  return (
    <div className={styles.bar}>
      <span data-hotkey="range">
        <Segments
          label="Time range"
          options={OPTIONS}
          value={range.name === 'custom' ? null : range.name}
          onChange={(name) =>
            onSearch({ range: name === '24h' ? undefined : name, from: undefined, to: undefined })
          }
        />
      </span>
      <details
        className={styles.custom}
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false);
        }}
        {...(range.name === 'custom' ? { 'data-on': '' } : {})}
      >
        <summary>{range.name === 'custom' ? range.label : 'Custom…'}</summary>
        {open && <CustomForm search={search} onSearch={onSearch} onDone={() => setOpen(false)} />}
      </details>
      {children !== undefined && <div className={styles.end}>{children}</div>}
    </div>
  );
}
