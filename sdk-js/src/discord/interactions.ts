import { commandNameOf, type InteractionType } from '@bot-analytics/protocol';
import type { InteractionSeen, Observer, RestCall } from '../collect/adapter.ts';
import { prop } from '../core/read.ts';
import { follow, guarded, wrap } from './hooks.ts';
import type { InteractionPacket } from './library.ts';
import { commandPath } from './names.ts';

type Kind = InteractionSeen['interactionKind'];

/**
 * By type of the interaction and, for commands (2), of the command: chat input, user, message,
 * primary entry point; for components (3), of the component, of which others exist.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  '2.1': 'slash',
  '2.2': 'user_context',
  '2.3': 'message_context',
  '2.4': 'slash',
  '3.2': 'button',
  '3.3': 'string_select',
  '3.5': 'user_select',
  '3.6': 'role_select',
  '3.7': 'mentionable_select',
  '3.8': 'channel_select',
  4: 'autocomplete',
  5: 'modal',
};

/** Milliseconds of a snowflake's epoch, the first second of 2015. */
const EPOCH_MS = 1_420_070_400_000;
/** A snowflake counts its milliseconds from this bit on. */
const TIME_UNIT = 2 ** 22;

/**
 * Reads an INTERACTION_CREATE dispatch; null for kinds that are not collected. Names only: option
 * values, selected values, modal fields and the token are not touched.
 */
export function readInteraction(
  packet: InteractionPacket | undefined = {},
  shardId: number,
): InteractionSeen | null {
  const { id, type = 0, data } = packet;
  const interactionKind = KINDS[`${type}.${data?.component_type ?? data?.type}`] ?? KINDS[type];
  if (!id || !interactionKind) return null;
  return {
    id,
    // `user_select` is an interaction_select, `user_context` an interaction_context_menu.
    type: `interaction_${interactionKind.replace(/.+_/, '').replace('context', 'context_menu')}` as InteractionType,
    interactionKind,
    commandName: data?.custom_id ? commandNameOf(data.custom_id) : commandPath(data),
    shardId,
    guildId: packet.guild_id ?? null,
    channelId: packet.channel?.id ?? packet.channel_id ?? null,
    userId: packet.member?.user?.id ?? packet.user?.id ?? null,
    createdMs: Math.floor(Number(id) / TIME_UNIT) + EPOCH_MS,
  };
}

const CALLBACK = /^\/interactions\/(\d{1,20})\/[^/]+\/callback$/;

/** By `type` of a callback's body, from 4 on. */
const RESPONSES = ['reply', 'defer', 'defer_update', 'update', 'autocomplete', 'modal'] as const;
const FIRST_RESPONSE = 4;

/** Reply methods of all kinds of interactions; each kind has some of them. platform.md B1. */
const REPLY_METHODS =
  'reply deferReply update deferUpdate showModal launchActivity editReply followUp deleteReply respond';

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
  takeCallback(call: RestCall): boolean {
    const id = CALLBACK.exec(call.path)?.[1];
    if (!id) return false;
    const kind = RESPONSES[Number(prop(call.body, 'type')) - FIRST_RESPONSE];
    const responseKind = (this.#replying.delete(id) && kind) || 'raw';
    this.#observer.answered({ ...call, id, responseKind });
    return true;
  }

  /**
   * Wraps the reply methods of one interaction object. Per instance: the library copies these
   * methods onto several prototypes.
   */
  readonly wrapReplies = (interaction: { readonly id: string }): void => {
    const { id } = interaction;
    for (const phase of REPLY_METHODS.split(' ')) {
      const settled = guarded(this.#onFault, (success: boolean, error?: unknown) => {
        if (!success) this.#observer.replyFailed({ interactionId: id, phase, error });
      });
      wrap(interaction, phase, (call) => {
        if (this.#replying.size >= REPLYING_MAX) this.#replying.clear();
        this.#replying.add(id);
        try {
          return follow(call(), settled);
        } catch (error) {
          settled(false, error);
          throw error;
        }
      });
    }
  };
}
