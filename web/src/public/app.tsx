import type { PublicInfo } from '@bot-analytics/protocol/read-api';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { ApiFailure } from '../api/client.ts';
import { addressOf } from '../api/routes.ts';
import { zoneName } from '../format/time.ts';
import { useLiveStatus } from '../live/use-live-status.ts';
import { readApiSearch } from '../pages/api-usage/search.ts';
import { ShardHead } from '../pages/shard/shard-head.tsx';
import { readShardSearch } from '../pages/shard/search.ts';
import { Board } from '../pages/status/board.tsx';
import { FrozenNotice } from '../pages/status/live-bar.tsx';
import { readStatusSearch } from '../pages/status/search.ts';
import { Page } from '../shell/page.tsx';
import shell from '../shell/shell.module.css';
import { ThemeChoice } from '../shell/theme-choice.tsx';
import { Blank, Failed, Loading } from '../ui/panel.tsx';
import { useAddress, useChangeSearch } from './navigation.ts';
import { placeOfAddress } from './place.ts';
import type { PublicPlace } from './place.ts';
import { useInfo } from './use-info.ts';

// Charts and the cache of answers come only with the sections that need them.
const PublicHistory = lazy(async () => ({
  default: (await import('./figures.tsx')).PublicHistory,
}));
const PublicUsage = lazy(async () => ({
  default: (await import('./figures.tsx')).PublicUsage,
}));

interface SectionProps {
  readonly info: PublicInfo;
  readonly place: PublicPlace;
}

function History({ info, place, shard }: SectionProps & { readonly shard: number }) {
  const { token, search: raw } = place;
  const search = useMemo(() => readShardSearch(raw), [raw]);
  const onSearch = useChangeSearch(search);
  return (
    <Suspense fallback={<Loading what="the charts" rows={2} />}>
      <PublicHistory
        name={info.name}
        token={token}
        shard={shard}
        search={search}
        onSearch={onSearch}
      />
    </Suspense>
  );
}

function StatusSection({ info, place }: SectionProps) {
  const { token, search: raw } = place;
  const search = useMemo(() => readStatusSearch(raw), [raw]);
  const onSearch = useChangeSearch(search);
  const live = useLiveStatus({
    streamUrl: addressOf('publicStatusStream', { token }).url,
    statusUrl: addressOf('publicStatus', { token }).url,
  });
  const withHistory = info.sections.includes('history');
  const shardHref = useCallback(
    (shard: number) => (withHistory ? `/p/${token}/${shard}` : null),
    [withHistory, token],
  );
  if (live.refusal !== null) return <Ended />;
  if (live.status === null) {
    return (
      <>
        <h1>{info.name}</h1>
        <FrozenNotice live={live} />
        {!live.lost && <Loading what="the status" rows={5} />}
      </>
    );
  }
  return (
    <Board
      name={info.name}
      live={live}
      status={live.status}
      search={search}
      onSearch={onSearch}
      shardHref={shardHref}
      empty={<Blank title="Nothing to see yet">The bot has sent no heartbeat so far.</Blank>}
      renderHistory={(shard) =>
        withHistory ? <History info={info} place={place} shard={shard} /> : null
      }
    />
  );
}

/** State and neighbours belong to the section of the status; without it the history stands alone. */
function LiveHead({ place, shard }: Pick<SectionProps, 'place'> & { readonly shard: number }) {
  const { token } = place;
  const live = useLiveStatus({
    streamUrl: addressOf('publicStatusStream', { token }).url,
    statusUrl: addressOf('publicStatus', { token }).url,
  });
  return (
    <ShardHead
      shard={shard}
      live={live}
      back={`/p/${token}`}
      hrefOf={(other) => `/p/${token}/${other}`}
    />
  );
}

function ShardSection({ info, place }: SectionProps) {
  const shard = place.shard ?? 0;
  return (
    <>
      {info.sections.includes('status') ? (
        <LiveHead place={place} shard={shard} />
      ) : (
        <h1>Shard {shard}</h1>
      )}
      <History key={shard} info={info} place={place} shard={shard} />
    </>
  );
}

function ApiSection({ info, place }: SectionProps) {
  const { token, search: raw } = place;
  const search = useMemo(() => readApiSearch(raw), [raw]);
  const onSearch = useChangeSearch(search);
  return (
    <>
      <h1>API usage</h1>
      <Suspense fallback={<Loading what="the API usage" rows={5} />}>
        <PublicUsage name={info.name} token={token} search={search} onSearch={onSearch} />
      </Suspense>
    </>
  );
}

function Ended() {
  return (
    <>
      <h1 className="visually-hidden">Status</h1>
      <Blank title="This link shows nothing">
        It was revoked, has expired, or was never made. Ask whoever gave it to you for a new one.
      </Blank>
    </>
  );
}

/** The part of the page that the link and the address ask for. */
function Section({ info, place }: SectionProps) {
  if (place.section === 'api') {
    return info.sections.includes('api') ? <ApiSection info={info} place={place} /> : <Ended />;
  }
  if (place.section === 'shard') {
    return info.sections.includes('history') ? (
      <ShardSection info={info} place={place} />
    ) : (
      <Ended />
    );
  }
  if (info.sections.includes('status')) return <StatusSection info={info} place={place} />;
  return info.sections.includes('api') ? <ApiSection info={info} place={place} /> : <Ended />;
}

function Bar({
  info,
  place,
}: {
  readonly info: PublicInfo | undefined;
  readonly place: PublicPlace;
}) {
  const both = info?.sections.includes('status') === true && info.sections.includes('api');
  const links = [
    { href: `/p/${place.token}`, label: 'Status', here: place.section !== 'api' },
    { href: `/p/${place.token}/api`, label: 'API usage', here: place.section === 'api' },
  ];
  return (
    <header className={shell.bar}>
      <strong className={shell.publicName}>{info?.name ?? 'Status'}</strong>
      {both && (
        <nav className={shell.nav} aria-label="Sections">
          {links.map(({ href, label, here }) => (
            <a key={href} href={href} {...(here ? { 'aria-current': 'page' as const } : {})}>
              {label}
            </a>
          ))}
        </nav>
      )}
      <div className={shell.end}>
        <ThemeChoice />
      </div>
    </header>
  );
}

/** The public page of a share link. No login, nothing that changes anything. */
export function PublicApp() {
  const address = useAddress();
  const place = useMemo(() => placeOfAddress(address), [address]);
  const token = place?.token ?? '';
  const info = useInfo(place === null ? null : token);
  const title = info.data?.name ?? 'Status';
  const gone = place === null || (info.error instanceof ApiFailure && info.error.status === 404);
  return (
    <div className={shell.frame}>
      {place !== null && <Bar info={info.data} place={place} />}
      <main id="main">
        <Page title={title} bare>
          {gone && <Ended />}
          {!gone && info.error !== null && <Failed error={info.error} onRetry={info.retry} />}
          {!gone && info.data === undefined && info.error === null && (
            <>
              <h1 className="visually-hidden">Status</h1>
              <Loading what="the page" />
            </>
          )}
          {place !== null && info.data !== undefined && <Section info={info.data} place={place} />}
        </Page>
      </main>
      <footer className={shell.foot}>
        Times are shown in {zoneName().replaceAll('_', ' ')}. Measured with Bot Analytics.
      </footer>
    </div>
  );
}
