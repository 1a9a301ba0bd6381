import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ApiFailure } from './api/client.ts';
import { botsQuery, sessionQuery } from './api/queries.ts';
import { readActivitySearch } from './pages/activity/search.ts';
import { BotsPage } from './pages/bots/bots-page.tsx';
import { ConnectPage } from './pages/connect/connect-page.tsx';
import { NewBotPage } from './pages/connect/new-bot-page.tsx';
import { LoginPage } from './pages/login/login-page.tsx';
import { readApiSearch } from './pages/api-usage/search.ts';
import { readShardSearch } from './pages/shard/search.ts';
import { readStatusSearch } from './pages/status/search.ts';
import { StatusPage } from './pages/status/status-page.tsx';
import { AppShell } from './shell/app-shell.tsx';
import { BotFrame } from './shell/bot-frame.tsx';
import {
  FramelessFailed,
  FramelessNotFound,
  NotFound,
  RouteFailed,
  RoutePending,
} from './shell/route-states.tsx';
import { parseSearch, present, stringifySearch, textOf } from './shell/search.ts';

interface Context {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<Context>()({
  notFoundComponent: FramelessNotFound,
  errorComponent: FramelessFailed,
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (raw): { next?: string } => present({ next: textOf(raw['next']) }),
  component: LoginPage,
});

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  component: AppShell,
  pendingComponent: RoutePending,
  errorComponent: FramelessFailed,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
      const next = location.href === '/' ? {} : { next: location.href };
      throw redirect({ to: '/login', search: next });
    }
  },
});

const botsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  validateSearch: (raw): { all?: string } => present({ all: textOf(raw['all'], 1) }),
  beforeLoad: async ({ context, search }) => {
    if (search.all !== undefined) return;
    const bots = await context.queryClient.ensureQueryData(botsQuery);
    const [only, ...others] = bots;
    if (only === undefined || others.length > 0) return;
    throw redirect({ to: '/b/$bot/status', params: { bot: only.botId }, replace: true });
  },
  component: BotsPage,
});

const newBotRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/new',
  component: NewBotPage,
});

const botRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/b/$bot',
  component: BotFrame,
});

const botIndexRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/b/$bot/status', params, replace: true });
  },
});

const connectRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/connect',
  component: ConnectPage,
});

const statusRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/status',
  validateSearch: readStatusSearch,
  component: StatusPage,
});

const shardRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/status/$shard',
  validateSearch: readShardSearch,
  component: lazyRouteComponent(() => import('./pages/shard/shard-page.tsx'), 'ShardPage'),
});

const activityRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/activity',
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
});

const apiRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/api',
  validateSearch: readApiSearch,
  component: lazyRouteComponent(
    () => import('./pages/api-usage/api-usage-page.tsx'),
    'ApiUsagePage',
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const botTree = botRoute.addChildren([
  botIndexRoute,
  connectRoute,
  statusRoute,
  shardRoute,
  activityRoute,
  apiRoute,
  settingsRoute,
]);
const routeTree = rootRoute.addChildren([
  loginRoute,
  appRoute.addChildren([botsRoute, newBotRoute, botTree]),
]);

export function makeRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    defaultPendingComponent: RoutePending,
    defaultErrorComponent: RouteFailed,
    defaultNotFoundComponent: NotFound,
  });
  // A session that ends while the page is open: any answer with 401 leads to the login.
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    const { error } = event.action;
    if (!(error instanceof ApiFailure) || error.status !== 401) return;
    if (router.state.location.pathname === '/login') return;
    void router.navigate({ to: '/login', search: { next: router.state.location.href } });
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
