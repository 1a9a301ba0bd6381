import { commandNameOf, type InteractionType } from '@bot-analytics/protocol';
import type { InteractionSeen, Observer } from '../collect/adapter.ts';
import { commandPath } from './names.ts';
import { failureOf, type SettledCall } from './rest.ts';
import { integer, path, prop, text, isObject } from '../core/read.ts';

type Kind = InteractionSeen['interactionKind'];

/** Interaction types of the gateway. */
const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
const MODAL = 5;

/** By `data.type` of a command: chat input, user, message, primary entry point. */
const COMMANDS: readonly (Kind | null)[] = [
  null,
  'slash',
  'user_context',
  'message_context',
  'slash',
];

/** By `data.component_type`; 1 holds others, 4 is a field of a form. */
const COMPONENTS: readonly (Kind | null)[] = [
  null,
  null,
  'button',
  'string_select',
  null,
  'user_select',
  'role_select',
  'mentionable_select',
  'channel_select',
];

/** Milliseconds of a snowflake's epoch, the first second of 2015. */
const EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;

function kindOf(packet: unknown): Kind | null | undefined {
  const type = prop(packet, 'type');
  if (type === AUTOCOMPLETE) return 'autocomplete';
  if (type === MODAL) return 'modal';
  if (type === COMMAND) return COMMANDS[integer(path(packet, 'data', 'type')) ?? 0];
  if (type !== COMPONENT) return null;
  return COMPONENTS[integer(path(packet, 'data', 'component_type')) ?? 0];
}

/** `user_select` is an interaction_select, `user_context` an interaction_context_menu. */
function typeOf(kind: Kind): InteractionType {
  if (kind.endsWith('_select')) return 'interaction_select';
  if (kind.endsWith('_context')) return 'interaction_context_menu';
  // What is left is named as its type is.
  return `interaction_${kind}` as InteractionType;
}

/**
 * Reads an INTERACTION_CREATE dispatch; null for kinds that are not collected. Names only: option
 * values, selected values, modal fields and the token are not touched.
 */
export function readInteraction(packet: unknown, shardId: number): InteractionSeen | null {
  const id = text(prop(packet, 'id'));
  const interactionKind = kindOf(packet) ?? null;
  if (id === null || interactionKind === null) return null;
  const data = prop(packet, 'data');
  const customId = text(prop(data, 'custom_id'));
  return {
    id,
    type: typeOf(interactionKind),
    interactionKind,
    commandName: customId === null ? commandPath(data) : commandNameOf(customId),
    shardId,
    guildId: text(prop(packet, 'guild_id')),
    channelId: text(path(packet, 'channel', 'id')) ?? text(prop(packet, 'channel_id')),
    userId: text(path(packet, 'member', 'user', 'id')) ?? text(path(packet, 'user', 'id')),
    createdMs: createdMs(id),
  };
}

function createdMs(id: string): number {
  return /^\d{1,20}$/.test(id) ? Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS : 0;
}

const CALLBACK = /^\/interactions\/(\d{1,20})\/[^/]+\/callback$/;

/** By `type` of a callback's body. */
const RESPONSES = new Map<
  unknown,
  'reply' | 'defer' | 'defer_update' | 'update' | 'autocomplete' | 'modal'
>([
  [4, 'reply'],
  [5, 'defer'],
  [6, 'defer_update'],
  [7, 'update'],
  [8, 'autocomplete'],
  [9, 'modal'],
]);

/** Reply methods of all kinds of interactions; each kind has some of them. platform.md B1. */
const REPLY_METHODS = [
  'reply',
  'deferReply',
  'update',
  'deferUpdate',
  'showModal',
  'launchActivity',
  'editReply',
  'followUp',
  'deleteReply',
  'respond',
] as const;

/** Interactions whose library method ran; kept for a bounded number. */
const REPLYING_MAX = 10_000;

/** Watches the answers to interactions: callbacks at the REST level, failures at the reply methods. */
export class InteractionHooks {
  readonly #observer: Observer;
  readonly #onFault: (error: unknown) => void;
  /** Answered through a method of the library; other callbacks are `raw`. */
  readonly #replying = new Set<string>();

  constructor(observer: Observer, onFault: (error: unknown) => void) {
    this.#observer = observer;
    this.#onFault = onFault;
  }

  /** True when the call was the callback of an interaction, which is no action. */
  takeCallback(call: SettledCall): boolean {
    const id = call.method === 'POST' ? CALLBACK.exec(call.path)?.[1] : undefined;
    if (id === undefined) return false;
    const kind = RESPONSES.get(prop(call.body, 'type'));
    const { success, errorCode } = failureOf(call.failure);
    const responseKind = this.#replying.delete(id) ? (kind ?? 'raw') : 'raw';
    this.#observer.answered({ id, success, responseKind, errorCode });
    return true;
  }

  /**
   * Wraps the reply methods of one interaction object. Per instance: the library copies these
   * methods onto several prototypes.
   */
  wrapReplies(interaction: unknown): void {
    const id = text(prop(interaction, 'id'));
    if (!isObject(interaction) || id === null) return;
    for (const name of REPLY_METHODS) {
      const original = prop(interaction, name);
      if (typeof original === 'function') this.#wrap(interaction, id, name);
    }
  }

  #wrap(interaction: object, id: string, name: string): void {
    const original: unknown = prop(interaction, name);
    if (typeof original !== 'function') return;
    const started = (): void => {
      if (this.#replying.size >= REPLYING_MAX) this.#replying.clear();
      this.#replying.add(id);
    };
    const failed = (error: unknown): void => this.#failed(id, name, error);
    const value = function wrappedReply(this: unknown, ...args: readonly unknown[]): unknown {
      started();
      let result: unknown;
      try {
        result = Reflect.apply(original, this, args);
      } catch (error) {
        failed(error);
        throw error;
      }
      if (!(result instanceof Promise)) return result;
      // A follower, as in wrapRest: an unhandled rejection has to stay unhandled.
      return result.catch((error: unknown) => {
        failed(error);
        throw error;
      });
    };
    Reflect.defineProperty(interaction, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }

  #failed(interactionId: string, phase: string, error: unknown): void {
    try {
      this.#observer.replyFailed({ interactionId, phase, error });
    } catch (fault) {
      this.#onFault(fault);
    }
  }
}
