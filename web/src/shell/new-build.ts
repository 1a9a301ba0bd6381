import { env } from '../env.ts';

/** A page that still misses a part after it was loaded anew must not do so for ever. */
const againAfterMs = 60_000;
const memory = 'reloaded-at';

async function loadAnew(): Promise<void> {
  const beforeMs = Number(window.sessionStorage.getItem(memory) ?? 0);
  if (env.now() - beforeMs < againAfterMs) return;
  // While the server is away what is shown is worth more than the browser's error page.
  const answer = await env.fetch(window.location.href, { method: 'HEAD' }).catch(() => null);
  if (answer?.ok !== true) return;
  window.sessionStorage.setItem(memory, String(env.now()));
  window.location.reload();
}

/**
 * After an update of the server the parts of the page have other names, so an open page cannot load the
 * ones that it has not loaded yet: it is loaded anew at the address where that happened.
 */
export function reloadForNewBuild(): void {
  window.addEventListener('vite:preloadError', () => void loadAnew());
}
