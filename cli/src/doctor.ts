import { LIMITS } from '@bot-analytics/protocol';
import type { Env } from './env.ts';
import { Failure } from './failure.ts';
import { ingestAnswer, post, type Target } from './send.ts';
import { refusal, request } from './server.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly check: 'server' | 'redirect' | 'key' | 'clock';
  /** Nothing wrong was found; so also when it was not looked at. */
  readonly ok: boolean;
  readonly skipped?: true;
  readonly detail: string;
}

/**
 * Looks at what usually is wrong between a bot and its server: address, redirects, key, clock.
 * It stores nothing: the batch it sends is empty. Stops at the first failure that hides the rest.
 */
export async function doctor(
  env: Env,
  endpoint: string,
  apiKey: string | undefined,
): Promise<Finding[]> {
  const findings = [await checkServer(env, endpoint)];
  if (findings.some(({ ok }) => !ok)) return findings;
  if (apiKey === undefined) {
    return [
      ...findings,
      {
        check: 'key',
        ok: true,
        skipped: true,
        detail:
          'skipped: give --key, or set BOT_ANALYTICS_API_KEY, to check key, redirects and clock.',
      },
    ];
  }
  return [...findings, ...(await checkKey(env, { endpoint, apiKey }))];
}

async function checkServer(env: Env, endpoint: string): Promise<Finding> {
  try {
    const response = await request(env, `${endpoint.replace(/\/+$/, '')}/healthz`, {
      method: 'GET',
    });
    if (isRedirect(response)) return redirected(response);
    if (response.status === 200)
      return { check: 'server', ok: true, detail: `${endpoint} answers.` };
    return {
      check: 'server',
      ok: false,
      detail: `${endpoint}/healthz answers ${response.status}: is this a Bot Analytics server?`,
    };
  } catch (error) {
    if (error instanceof Failure) return { check: 'server', ok: false, detail: error.message };
    throw error;
  }
}

async function checkKey(env: Env, target: Target): Promise<Finding[]> {
  const sentAtMs = env.now();
  const response = await post(env, target, 0);
  const receivedAtMs = env.now();
  if (isRedirect(response)) return [redirected(response)];
  const noRedirect: Finding = {
    check: 'redirect',
    ok: true,
    detail: 'The address is final, nothing redirects.',
  };
  const text = await response.text();
  if (response.status !== 200)
    return [noRedirect, { check: 'key', ok: false, detail: refusal(response.status, text) }];
  const { serverTime } = ingestAnswer(text);
  return [
    noRedirect,
    { check: 'key', ok: true, detail: 'The server takes events with this key.' },
    clockFinding(Date.parse(serverTime) - (sentAtMs + receivedAtMs) / 2),
  ];
}

/** @param aheadMs server clock minus local clock */
function clockFinding(aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  if (Math.abs(aheadMs) < LIMITS.clockSkewMinMs) {
    return { check: 'clock', ok: true, detail: `The clocks differ by ${seconds} s.` };
  }
  const direction = aheadMs > 0 ? 'behind' : 'ahead of';
  return {
    check: 'clock',
    ok: false,
    detail: `This clock is ${seconds} s ${direction} the server's: set it by NTP.`,
  };
}

function isRedirect(response: Response): boolean {
  return response.status >= 300 && response.status < 400;
}

function redirected(response: Response): Finding {
  const location = response.headers.get('location') ?? 'somewhere';
  return {
    check: 'redirect',
    ok: false,
    detail: `The address redirects to ${location}; an SDK stops for good at a redirect, so set the final address as endpoint.`,
  };
}
