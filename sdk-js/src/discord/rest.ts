import type { HttpAttempt, RestCall } from '../collect/adapter.ts';
import { errorCode } from '../collect/errors.ts';
import { integer, prop, text } from '../core/read.ts';
import { follow, guarded, wrap, type Undo } from './hooks.ts';
import type { AttemptRequest, AttemptResponse } from './library.ts';

/** The methods that can be an action. */
const METHODS = ['post', 'patch', 'put', 'delete', 'request'];

/** What the wrappers need. */
export interface RestHooks {
  /** Monotonic clock, ms. */
  readonly monotonic: () => number;
  /** Guild of the channel that a path names, null when unknown. */
  readonly guildOfPath: (path: string) => string | null;
  readonly settled: (call: RestCall) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Wraps post, patch, put, delete and request of a REST object as its own properties. The library
 * calls them by name, so that replies, managers and the bot's direct calls all pass. Each call is
 * reported once: `post` and its like call `request` before they first wait, and that inner call is
 * left alone. Arguments, `this`, results and rejections are unchanged; a rejection that nobody
 * handles stays unhandled.
 */
export function wrapRest(rest: unknown, hooks: RestHooks): readonly (Undo | undefined)[] {
  let inside = false;
  return METHODS.map((name) =>
    wrap(rest, name, (call, args) => {
      if (inside) return call();
      inside = true;
      try {
        const report = reporter(name, args, hooks);
        return follow(call(), report);
      } finally {
        inside = false;
      }
    }),
  );
}

/** What reports the end of a call that begins. */
function reporter(name: string, args: readonly unknown[], hooks: RestHooks) {
  const startedMs = hooks.monotonic();
  // `post` and its like take a route and options, `request` takes options with the route in them.
  const [route, options = route] = args;
  const path = text(prop(route, 'fullRoute') ?? route);
  const body = prop(options, 'body');
  let channelGuildId: string | null = null;
  // After the call of a channel's deletion the cache has forgotten it.
  guarded(hooks.onFault, () => {
    channelGuildId = path && hooks.guildOfPath(path);
  })();
  return guarded(hooks.onFault, (success: boolean, error?: unknown) => {
    if (!path) return;
    hooks.settled({
      method: (text(prop(route, 'method')) ?? name).toUpperCase(),
      path,
      body,
      channelGuildId,
      latencyMs: hooks.monotonic() - startedMs,
      success,
      status: integer(prop(error, 'status')),
      errorCode: errorCode(error),
    });
  });
}

/** One HTTP attempt. The `response` event of a REST object fires once for each. platform.md B1. */
export function readAttempt(request: AttemptRequest, response: AttemptResponse): HttpAttempt {
  return {
    ...request,
    status: response.status ?? response.statusCode,
    header: (name) => text(response.headers.get?.(name) ?? prop(response.headers, name)),
  };
}
