import type { Bot } from '@bot-analytics/protocol/read-api';
import { useQuery } from '@tanstack/react-query';
import { botsQuery, statusQuery } from '../../api/queries.ts';
import { Page } from '../../shell/page.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Blank, Failed, Loading } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import styles from './bots.module.css';
import { botLine } from './view-model.ts';

/** Lists longer than this show no presence: each bot would cost a request every 30 s. */
const presenceBotsMax = 50;

function BotItem({ bot, withPresence }: { readonly bot: Bot; readonly withPresence: boolean }) {
  const status = useQuery({ ...statusQuery(bot.botId), enabled: withPresence });
  const line = botLine(bot, status.data);
  return (
    <li className={styles.bot}>
      <h2>
        <a href={line.href}>{line.name}</a>
      </h2>
      {withPresence && (
        <p className={styles.presence}>
          <StateMark kind={line.mark} />
          {status.error === null ? line.presence : 'Status not available'}
        </p>
      )}
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
        <a className={buttonClass('primary')} href="/new">
          Add a bot
        </a>
      }
    >
      Give your bot a name, paste six lines into its code, and its shards show up here within a
      minute.
    </Blank>
  );
}

/** Every bot, with its presence. */
export function BotsPage() {
  const bots = useQuery(botsQuery);
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
            <BotItem key={bot.botId} bot={bot} withPresence={list.length <= presenceBotsMax} />
          ))}
        </ul>
      )}
    </Page>
  );
}
