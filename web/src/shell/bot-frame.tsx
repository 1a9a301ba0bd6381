import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { botsQuery } from '../api/queries.ts';
import { SampleBanner } from '../pages/sample/sample-banner.tsx';
import { Loading } from '../ui/panel.tsx';
import { NotFound, RouteFailed } from './route-states.tsx';
import styles from './shell.module.css';

/** Shows a bot's pages once it is known that there is such a bot. */
export function BotFrame() {
  const { bot } = useParams({ from: '/app/b/$bot' });
  const bots = useQuery(botsQuery);
  if (bots.error !== null && bots.data === undefined) return <RouteFailed error={bots.error} />;
  if (bots.data === undefined) {
    return (
      <div className={styles.page}>
        <Loading what="the bot" />
      </div>
    );
  }
  const found = bots.data.find((one) => one.botId === bot);
  if (found === undefined) return <NotFound />;
  return (
    <>
      {found.sample && <SampleBanner />}
      <Outlet />
    </>
  );
}
