import { errorMonitor } from 'node:events';
import { gatewayDispatchesFor } from '@bot-analytics/protocol';
import type { ClientView, Observer, RestCall } from '../collect/adapter.ts';
import type { Collect } from '../api/options.ts';
import { discordView, intentBits } from './client-view.ts';
import { guarded, isEmitter, listen } from './hooks.ts';
import type { On, OnDispatch, Undo } from './hooks.ts';
import { InteractionHooks, readInteraction } from './interactions.ts';
import type { AttemptRequest, AttemptResponse, InteractionPacket } from './library.ts';
import { readAttempt, wrapRest } from './rest.ts';
import { integer, path, prop } from '../core/read.ts';
import { watchShards } from './shards.ts';

/** What the adapter needs. */
export interface AdapterParts {
  readonly collect: Required<Collect>;
  /** Monotonic clock, ms. */
  readonly monotonic: () => number;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A fault inside the SDK's own hooks. */
  readonly onFault: (error: unknown) => void;
}

/** A client that can be observed. */
export interface Adapter {
  readonly view: ClientView;
  /** Installs the hooks; the returned function removes them. */
  start(observer: Observer): Undo;
}

/** An adapter for a discord.js client, null when the object is none. */
export function discordAdapter(client: unknown, parts: AdapterParts): Adapter | null {
  const ws = prop(client, 'ws');
  if (!isEmitter(client) || !isEmitter(ws)) return null;
  const { collect, monotonic, onFault } = parts;
  const view = discordView(client, parts.variables);
  const start = (observer: Observer): Undo => {
    const undos: (Undo | undefined)[] = [];
    const on: On = (target, event, run) => {
      undos.push(listen(target, event, guarded(onFault, run)));
    };
    const onDispatch: OnDispatch = (event, run) => {
      on(ws, event, (packet: never, id: unknown) => run(packet, integer(id) ?? 0));
    };
    // What fails to be hooked on costs what comes after it, and `undo` removes what was.
    guarded(onFault, () => {
      watchShards(client, view, observer, { monotonic, on, onDispatch });
      if (collect.gateway) {
        // One listener per kind whose intent is on; none where it is off. Spec: Intent detection.
        const bits = intentBits(path(client, 'options', 'intents'));
        for (const [type, dispatch] of gatewayDispatchesFor(bits)) {
          onDispatch(dispatch, (_, shardId) => observer.dispatch(type, shardId));
        }
      }
      const interactions = new InteractionHooks(observer, onFault);
      if (collect.interactions) {
        onDispatch('INTERACTION_CREATE', (packet: InteractionPacket, shardId) => {
          const seen = readInteraction(packet, shardId);
          if (seen) observer.interaction(seen);
        });
        on(client, 'interactionCreate', interactions.wrapReplies);
      }
      const rest = prop(client, 'rest');
      on(rest, 'response', (request: AttemptRequest, response: AttemptResponse) => {
        // With a fetch strategy the library clones the answer for listeners; an unread clone would pile up.
        if (response instanceof Response) void response.body?.cancel().catch(() => undefined);
        observer.httpAttempt(readAttempt(request, response));
      });
      if (collect.interactions || collect.actions) {
        const settled = (call: RestCall): void => {
          if (!interactions.takeCallback(call) && collect.actions) observer.restCall(call);
        };
        undos.push(
          ...wrapRest(rest, { monotonic, onFault, guildOfPath: view.guildOfPath, settled }),
        );
      }
      // Observed without being handled: the bot dies or lives as before. platform.md 0.3.
      on(client, errorMonitor, (error: unknown) => {
        observer.clientError(error, client.listenerCount('error') > 0);
      });
    })();
    return () => {
      for (const undo of undos.splice(0)) guarded(onFault, () => undo?.())();
    };
  };
  return { view, start };
}
