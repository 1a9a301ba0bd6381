import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { botsQuery } from '../api/queries.ts';
import { zoneName } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { Keyboard } from './keyboard/keyboard.tsx';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice.tsx';

const SECTIONS = [
  { path: 'status', label: 'Status' },
  { path: 'activity', label: 'Activity' },
  { path: 'api', label: 'API usage' },
  { path: 'settings', label: 'Settings' },
] as const;

function BotSwitcher({ bot }: { readonly bot: string }) {
  const bots = useQuery(botsQuery).data ?? [];
  const navigate = useNavigate();
  const go = (value: string): void => {
    if (value === 'all') void navigate({ to: '/', search: { all: '1' } });
    else if (value === 'new') void navigate({ to: '/new' });
    else void navigate({ to: '/b/$bot/status', params: { bot: value } });
  };
  const known = bots.some((one) => one.botId === bot);
  return (
    <select
      className={styles.switcher}
      aria-label="Bot"
      value={bot}
      onChange={(event) => go(event.target.value)}
    >
      {!known && <option value={bot}>…</option>}
      {bots.map((one) => (
        <option key={one.botId} value={one.botId}>
          {one.name}
        </option>
      ))}
      <hr />
      <option value="all">All bots</option>
      <option value="new">Add a bot…</option>
    </select>
  );
}

function BotNav({ bot }: { readonly bot: string }) {
  const { pathname } = useLocation();
  return (
    <nav className={styles.nav} aria-label="Sections">
      {SECTIONS.map(({ path, label }) => {
        const href = `/b/${bot}/${path}`;
        const here = pathname === href || pathname.startsWith(`${href}/`);
        return (
          <a key={path} href={href} {...(here ? { 'aria-current': 'page' as const } : {})}>
            {label}
          </a>
        );
      })}
    </nav>
  );
}

function LogOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const logOut = async (): Promise<void> => {
    // A session that has already ended is ended as well.
    await call('sessionEnd').catch(() => undefined);
    queryClient.clear();
    await navigate({ to: '/login', search: {} });
  };
  return (
    <Button kind="quiet" small onClick={() => void logOut()}>
      Log out
    </Button>
  );
}

/** Bar, page, foot: around everything but the login and the public page. */
export function AppShell() {
  const { bot } = useParams({ strict: false });
  return (
    <div className={styles.frame}>
      <Keyboard />
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <header className={styles.bar}>
        {/* The switcher beside it leads to all bots too; 2,000 shards leave no stop for both. */}
        <a
          className={styles.brand}
          href="/?all=1"
          aria-label="Bot Analytics, all bots"
          tabIndex={bot === undefined ? 0 : -1}
        >
          <img src="/icon.svg" alt="" />
          <span>Bot Analytics</span>
        </a>
        {bot !== undefined && (
          <>
            <span className={styles.slash} aria-hidden="true">
              /
            </span>
            <BotSwitcher bot={bot} />
            <BotNav bot={bot} />
          </>
        )}
        <div className={styles.end}>
          <ThemeChoice />
          <LogOut />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <footer className={styles.foot}>Times are shown in {zoneName().replaceAll('_', ' ')}.</footer>
    </div>
  );
}
