import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { call } from '../../api/client.ts';
import { botsQuery, statusQuery } from '../../api/queries.ts';
import { Page } from '../../shell/page.tsx';
import { patchSearch } from '../../shell/patch-search.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { Notice } from '../../ui/panel.tsx';
import { cardState } from '../status/grid/card-view.ts';
import { HistoryPanel } from './history-panel.tsx';
import styles from './history.module.css';
import { placeOf } from './neighbours.ts';
import type { ShardPlace } from './neighbours.ts';
import type { ChangeRange } from './range-picker.tsx';

interface HeadProps {
  readonly shard: number;
  readonly place: ShardPlace | null;
  readonly back: string;
  readonly hrefOf: (shard: number) => string;
}

/** Name, state, cluster, and the ways to the neighbours. */
export function ShardHead({ shard, place, back, hrefOf }: HeadProps) {
  const { before = null, after = null } = place ?? {};
  const state = place?.shard === undefined || place.shard === null ? null : cardState(place.shard);
  return (
    <>
      <nav className={styles.nav} aria-label="Shards">
        <a href={back}>‹ All shards</a>
        <span className={styles.keys}>
          {before !== null && <a href={hrefOf(before)}>‹ Shard {before}</a>}
          {after !== null && <a href={hrefOf(after)}>Shard {after} ›</a>}
        </span>
      </nav>
      <div className={styles.title}>
        <h1>Shard {shard}</h1>
        {place !== null && place.clusterId !== null && <small>Cluster {place.clusterId}</small>}
        {state !== null && (
          <span className={styles.state}>
            <StateMark kind={state.mark} />
            {state.word}
          </span>
        )}
      </div>
      {state !== null && state.why !== null && (
        <Notice kind="warn">Not responding to the platform. {state.why}</Notice>
      )}
    </>
  );
}

/** One shard of one bot: where it stands, and its history. */
export function ShardPage() {
  const { bot, shard: text } = useParams({ from: '/app/b/$bot/status/$shard' });
  const search = useSearch({ from: '/app/b/$bot/status/$shard' });
  const navigate = useNavigate({ from: '/b/$bot/status/$shard' });
  const shard = Number(text);
  const status = useQuery(statusQuery(bot)).data;
  const name = useQuery(botsQuery).data?.find((one) => one.botId === bot)?.name ?? 'bot';
  const onSearch = useCallback<ChangeRange>(
    (patch) => {
      void navigate({ search: (before) => patchSearch(before, patch), resetScroll: false });
    },
    [navigate],
  );
  return (
    <Page title={`Shard ${shard} · ${name}`}>
      <ShardHead
        shard={shard}
        place={status === undefined ? null : placeOf(status, shard)}
        back={`/b/${bot}/status`}
        hrefOf={(other) => `/b/${bot}/status/${other}`}
      />
      <HistoryPanel
        name={name}
        shard={shard}
        sourceKey={bot}
        fetchHistory={(range, signal) =>
          call('shardHistory', { path: { bot, shard }, query: { ...range }, signal })
        }
        search={search}
        onSearch={onSearch}
      />
    </Page>
  );
}
