import type { Observer } from '../collect/adapter.ts';
import { errorCode, errorStatus } from '../collect/errors.ts';
import { finite, prop, text } from '../core/read.ts';
import { emitter, listen, type Undo } from './shape.ts';

/** What a wrapped call looked like. */
export interface SettledCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly latencyMs: number;
  /** Undefined when the call succeeded. */
  readonly failure: { readonly error: unknown } | undefined;
}

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;

/** The methods that can be an action, and the HTTP method of each. */
const METHODS = { post: 'POST', patch: 'PATCH', put: 'PUT', delete: 'DELETE' } as const;

/** What the wrappers need. */
export interface RestHooks {
  /** Monotonic clock, ms. */
  readonly monotonic: () => number;
  readonly settled: (call: SettledCall) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Wraps post, patch, put, delete and request of a REST object as its own properties. The library
 * calls them by name, so that replies, managers and the bot's direct calls all pass. Each call is
 * reported once: `post` and its like call `request` before they first wait, and that inner call is
 * left alone. Arguments, `this`, results and rejections are unchanged; a rejection that nobody
 * handles stays unhandled. Undo restores a method only while it is still ours.
 */
export function wrapRest(rest: object, hooks: RestHooks): Undo {
  const undos: Undo[] = [];
  const depth = { inside: false };
  for (const [name, httpMethod] of Object.entries(METHODS)) {
    const wrapped = wrapMethod(
      rest,
      name,
      (original) =>
        function wrappedMethod(this: unknown, ...args) {
          const outer = depth.inside;
          depth.inside = true;
          try {
            const started = hooks.monotonic();
            const result = Reflect.apply(original, this, args);
            if (outer) return result;
            const call = { method: httpMethod, path: args[0], body: prop(args[1], 'body') };
            return observe(result, call, started, hooks);
          } finally {
            depth.inside = outer;
          }
        },
    );
    undos.push(wrapped);
  }
  undos.push(
    wrapMethod(
      rest,
      'request',
      (original) =>
        function wrappedRequest(this: unknown, ...args) {
          if (depth.inside) return Reflect.apply(original, this, args);
          const started = hooks.monotonic();
          const result = Reflect.apply(original, this, args);
          const [options] = args;
          const call = {
            method: text(prop(options, 'method'))?.toUpperCase() ?? '',
            path: prop(options, 'fullRoute'),
            body: prop(options, 'body'),
          };
          return observe(result, call, started, hooks);
        },
    ),
  );
  return () => {
    for (const undo of undos) undo();
  };
}

function wrapMethod(rest: object, name: string, wrap: (original: Method) => Method): Undo {
  const original = prop(rest, name);
  if (typeof original !== 'function') return () => undefined;
  const own = Object.getOwnPropertyDescriptor(rest, name);
  const wrapped = wrap(original as Method);
  const defined = Reflect.defineProperty(rest, name, {
    value: wrapped,
    writable: true,
    configurable: true,
    enumerable: own?.enumerable ?? false,
  });
  if (!defined) return () => undefined;
  return () => {
    // A second wrapper may hold ours; taking ours away would cut that one off.
    if (prop(rest, name) !== wrapped) return;
    if (own === undefined) Reflect.deleteProperty(rest, name);
    else Reflect.defineProperty(rest, name, own);
  };
}

interface Call {
  readonly method: string;
  readonly path: unknown;
  readonly body: unknown;
}

/**
 * Reports the end of a call and hands its result on. The returned promise is a follower of the
 * original: listening on the side would mark a rejection as handled that the bot does not handle.
 */
function observe(result: unknown, call: Call, started: number, hooks: RestHooks): unknown {
  const { method, path, body } = call;
  if (typeof path !== 'string' || !(result instanceof Promise)) return result;
  const report = (failure: SettledCall['failure']): void => {
    try {
      const latencyMs = hooks.monotonic() - started;
      hooks.settled({ method, path, body, latencyMs, failure });
    } catch (error) {
      hooks.onFault(error);
    }
  };
  return result.then(
    (value: unknown) => {
      report(undefined);
      return value;
    },
    (error: unknown) => {
      report({ error });
      throw error;
    },
  );
}

/** Reports every HTTP attempt of a REST object: its `response` event fires once for each. platform.md B1. */
export function observeAttempts(
  rest: object,
  observer: Observer,
  onFault: (error: unknown) => void,
): Undo {
  const target = emitter(rest);
  if (target === null) return () => undefined;
  return listen(target, {
    event: 'response',
    onFault,
    run: (request, response) => {
      const status = finite(prop(response, 'status')) ?? finite(prop(response, 'statusCode'));
      const at = text(prop(request, 'path'));
      if (status === null || at === null) return;
      observer.httpAttempt({
        method: text(prop(request, 'method')) ?? 'GET',
        path: at,
        status,
        header: (name) => headerOf(prop(response, 'headers'), name),
      });
      releaseClone(response);
    },
  });
}

/** A header from a Headers object or, in old versions, from a plain object. */
function headerOf(headers: unknown, name: string): string | null {
  const get = prop(headers, 'get');
  const value: unknown =
    typeof get === 'function' ? Reflect.apply(get, headers, [name]) : prop(headers, name);
  return text(value);
}

/** With a fetch strategy the library clones the answer for listeners; an unread clone would pile up. */
function releaseClone(response: unknown): void {
  if (typeof Response !== 'undefined' && response instanceof Response) {
    void response.body?.cancel().catch(() => undefined);
  }
}

/** What an error of a REST call tells. */
export function failureOf(failure: SettledCall['failure']): {
  readonly success: boolean;
  readonly status: number | null;
  readonly errorCode: number | string | null;
} {
  if (failure === undefined) return { success: true, status: null, errorCode: null };
  const { error } = failure;
  return { success: false, status: errorStatus(error), errorCode: errorCode(error) };
}
