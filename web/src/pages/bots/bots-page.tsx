import type { Bot } from '@bot-analytics/protocol/read-api';
import { useQuery } from '@tanstack/react-query';
import { botsQuery } from '../../api/queries.ts';
import { Page } from '../../shell/page.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Blank, Failed, Loading } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { ExploreButton } from '../sample/explore-button.tsx';
import styles from './bots.module.css';
import { botLine } from './view-model.ts';

/** Presence in the list is as old as this, at most. */
const refetchMs = 30_000;

function BotItem({ bot }: { readonly bot: Bot }) {
  const line = botLine(bot);
  return (
    <li className={styles.bot}>
      <h2>
        <a href={line.href}>{line.name}</a>
        {bot.sample && <span className={styles.sample}>Sample data</span>}
      </h2>
      <p className={styles.presence}>
        <StateMark kind={line.mark} />
        {line.presence}
      </p>
      <p className={styles.facts}>
        {line.guilds !== null && `${line.guilds} · `}
        {line.events}
      </p>
      {line.quotaPart !== null && (
        <div className={styles.quota} aria-hidden="true">
          <span style={{ width: `${line.quotaPart * 100}%` }} />
        </div>
      )}
    </li>
  );
}

function NoBots() {
  return (
    <Blank
      title="No bot yet"
      actions={
        <>
          <a className={buttonClass('primary')} href="/new">
            Add a bot
          </a>
          <ExploreButton />
        </>
      }
    >
      Give your bot a name, add one line to its code, and its shards show up here within seconds
      after it has started. Or look around first with a bot whose data is made up.
    </Blank>
  );
}

/** Every bot, with its presence. */
export function BotsPage() {
  const bots = useQuery({ ...botsQuery, refetchInterval: refetchMs });
  const list = bots.data;
  return (
    <Page title="Bots">
      <div className={styles.head}>
        <h1>Bots</h1>
        {list !== undefined && list.length > 0 && (
          <a className={buttonClass('primary')} href="/new">
            Add a bot
          </a>
        )}
      </div>
      {list === undefined && bots.error === null && <Loading what="the bots" />}
      {list === undefined && bots.error !== null && (
        <Failed error={bots.error} onRetry={() => void bots.refetch()} />
      )}
      {list?.length === 0 && <NoBots />}
      {list !== undefined && list.length > 0 && (
        <ul className={styles.list}>
          {list.map((bot) => (
            <BotItem key={bot.botId} bot={bot} />
          ))}
        </ul>
      )}
    </Page>
  );
}
