import { useEffect, useState } from 'react';
import { env } from '../../env.ts';
import { fullCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { inputClass } from '../../ui/field.tsx';
import { Segments } from '../../ui/segments.tsx';
import { FILLS } from './search.ts';
import type { Density, Fill, StatusSearch } from './search.ts';
import styles from './status.module.css';
import type { StatusView } from './view-model.ts';

/** Changes the address; `undefined` takes a member away. */
export type ChangeSearch = (patch: {
  [K in keyof StatusSearch]?: StatusSearch[K] | undefined;
}) => void;

interface ControlsProps {
  readonly view: StatusView;
  readonly search: StatusSearch;
  /** Many shards: groups start closed. */
  readonly startsClosed: boolean;
  readonly onSearch: ChangeSearch;
  /** Id of the link to the shard that the finder found; Enter follows it. */
  readonly foundId: string;
}

const DENSITY_OPTIONS = [
  { value: 'cards', label: 'Cards' },
  { value: 'tiles', label: 'Tiles' },
  { value: 'table', label: 'Table' },
] as const satisfies readonly { value: Density; label: string }[];

const FILL_LABELS = {
  status: 'Status',
  ping: 'Ping',
  cpu: 'CPU',
  mem: 'Memory',
} as const satisfies Record<Fill, string>;

/** The grid follows the typing after this pause. */
const finderPauseMs = 150;

function Finder({
  search,
  onSearch,
  foundId,
}: Pick<ControlsProps, 'search' | 'onSearch' | 'foundId'>) {
  const [text, setText] = useState(search.q ?? '');
  const [seen, setSeen] = useState(search.q);
  if (seen !== search.q) {
    setSeen(search.q);
    if ((search.q ?? '') !== text.trim()) setText(search.q ?? '');
  }
  useEffect(() => {
    const next = text.trim() === '' ? undefined : text.trim();
    if (next === search.q) return undefined;
    return env.after(finderPauseMs, () => onSearch({ q: next, page: undefined }));
  }, [text, search.q, onSearch]);
  return (
    <form
      role="search"
      className={styles.finder}
      onSubmit={(event) => {
        event.preventDefault();
        document.getElementById(foundId)?.click();
      }}
    >
      <input
        type="search"
        className={inputClass}
        aria-label="Find a shard by number, guild id or message link"
        placeholder="Shard, guild id or message link"
        value={text}
        onChange={(event) => setText(event.target.value)}
        spellCheck={false}
        autoComplete="off"
        data-hotkey="find"
      />
    </form>
  );
}

function OfflineFilter({ view, search, onSearch }: ControlsProps) {
  const label = `Offline only (${fullCount(view.offline)})`;
  return (
    <span data-hotkey="offline">
      <Segments
        label="Shards to show"
        options={[
          { value: 'all', label: 'All' },
          { value: 'offline', label },
        ]}
        value={search.show ?? 'all'}
        onChange={(value) =>
          onSearch({ show: value === 'offline' ? value : undefined, page: undefined })
        }
      />
    </span>
  );
}

function FillChoice({ view, onSearch }: Pick<ControlsProps, 'view' | 'onSearch'>) {
  return (
    <label className={styles.fill}>
      Fill by
      <select
        className={inputClass}
        value={view.fill}
        onChange={(event) => {
          const fill = FILLS.find((one) => one === event.target.value);
          onSearch({ fill: fill === 'status' ? undefined : fill });
        }}
      >
        {FILLS.map((fill) => (
          <option key={fill} value={fill}>
            {FILL_LABELS[fill]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface GroupControlsProps extends Pick<ControlsProps, 'view' | 'search' | 'onSearch'> {
  readonly startsClosed: boolean;
}

/** Order and opening of the groups. */
function GroupControls({ view, search, startsClosed, onSearch }: GroupControlsProps) {
  const byName = search.order === 'id';
  const allOpen = search.open === 'all';
  return (
    <span className={styles.push}>
      {view.offline > 0 && view.groups.length > 1 && (
        <Button kind="quiet" small onClick={() => onSearch({ order: byName ? undefined : 'id' })}>
          {byName ? 'Offline first' : 'Order by name'}
        </Button>
      )}
      {startsClosed && (
        <Button kind="quiet" small onClick={() => onSearch({ open: allOpen ? undefined : 'all' })}>
          {allOpen ? 'Close all' : 'Open all'}
        </Button>
      )}
    </span>
  );
}

/** Finder, filter, density, fill. */
export function Controls(props: ControlsProps) {
  const { view, search, startsClosed, onSearch, foundId } = props;
  const fillMatters = view.density === 'tiles' || startsClosed;
  return (
    <div className={styles.controls}>
      <Finder search={search} onSearch={onSearch} foundId={foundId} />
      <OfflineFilter {...props} />
      <Segments
        label="Density"
        options={DENSITY_OPTIONS}
        value={view.density}
        onChange={(value) =>
          onSearch({ density: value === 'cards' ? undefined : value, page: undefined })
        }
      />
      {fillMatters && <FillChoice view={view} onSearch={onSearch} />}
      {view.density !== 'table' && <GroupControls {...props} startsClosed={startsClosed} />}
    </div>
  );
}
