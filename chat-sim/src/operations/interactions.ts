import type { Platform } from '../platform.ts';
import { CHANNEL_TYPE } from '../world/entities.ts';
import type { Guild, Member, Message, User } from '../world/entities.ts';
import { messagePayload } from '../world/payloads.ts';
import type { InteractionKind, InteractionRecord } from './interaction-book.ts';
import { createChannel } from './channels.ts';
import { joinMember } from './members.ts';
import { openDm } from './messages.ts';

/** Every permission: users and bot of the simulation may do everything. */
const ALL_PERMISSIONS = '9007199254740991';
const ATTACHMENT_BYTES_MAX = 10_485_760;

/** Interaction types. */
export const INTERACTION_TYPE = { command: 2, component: 3, autocomplete: 4, modal: 5 } as const;

/** Who does it and where; what is left out is picked by the seeded dice. */
export interface Place {
  /** `null` = in a direct message with the bot. */
  readonly guildId?: string | null;
  readonly channelId?: string;
  readonly userId?: string;
}

export interface ResolvedPlace {
  readonly guild: Guild | null;
  readonly channelId: string;
  readonly user: User;
  readonly member: Member | null;
}

export interface NewInteraction {
  readonly kind: InteractionKind;
  readonly type: number;
  readonly name: string;
  readonly place: ResolvedPlace;
  readonly data: object;
  /** The message that the component is on. */
  readonly message?: Message | undefined;
}

/** Fills in guild, channel and user. A guild under outage is never picked. */
export function resolvePlace(platform: Platform, place: Place): ResolvedPlace {
  const { world, random } = platform;
  if (place.guildId === null) {
    const people = [...world.users.values()].filter(({ bot }) => !bot);
    const user = place.userId === undefined ? random.pick(people) : world.user(place.userId);
    return { guild: null, channelId: openDm(platform, user), user, member: null };
  }
  const guild = place.guildId === undefined ? pickGuild(platform) : world.guild(place.guildId);
  const userId = place.userId ?? pickMember(platform, guild).user.id;
  const member = world.member(guild, userId);
  const channelId = place.channelId ?? pickTextChannel(platform, guild);
  world.channel(channelId);
  return { guild, channelId, user: member.user, member };
}

export function pickGuild(platform: Platform): Guild {
  const all = platform.world.guildList();
  const picked = platform.random.pick(all);
  // Listing thousands of guilds for every message would cost more than sending it.
  return picked.available ? picked : platform.random.pick(all.filter((one) => one.available));
}

/** A member that is not the bot; an empty guild gets a newcomer. */
export function pickMember(platform: Platform, guild: Guild): Member {
  const { bot } = platform.world;
  const people = [...guild.members.values()].filter(({ user }) => user !== bot);
  if (people.length > 0) return platform.random.pick(people);
  return joinMember(platform, guild, platform.maker.makeUser());
}

/** Id of a text channel; a guild without one gets one. */
export function pickTextChannel(platform: Platform, guild: Guild): string {
  const text = [...guild.channels.values()].filter(({ type }) => type === CHANNEL_TYPE.text);
  if (text.length > 0) return platform.random.pick(text).id;
  return createChannel(platform, guild, { name: 'general' }).id;
}

/** Sends the interaction to its shard and starts the clock for the answer. */
export function sendInteraction(platform: Platform, wanted: NewInteraction): InteractionRecord {
  const { env, gateway, ids, interactions, ledger, random } = platform;
  const { kind, type, name, place, message } = wanted;
  const guildId = place.guild?.facts.id ?? null;
  const record: InteractionRecord = {
    id: ids.next(),
    token: `sim${random.hex(61)}`,
    kind,
    name,
    guildId,
    channelId: place.channelId,
    userId: place.user.id,
    shardId: gateway.shardFor(guildId),
    sentAtMs: env.now(),
    outcome: 'waiting',
    answeredAfterMs: null,
    responseKind: null,
    lateAnswers: 0,
    repeatedAnswers: 0,
    followUps: 0,
    edits: 0,
    deletes: 0,
    responseMessageId: null,
    sourceMessageId: message?.id ?? null,
    modal: null,
  };
  interactions.add(record);
  ledger.interaction(kind, 'sent');
  const payload = interactionPayload(platform, record, { type, place, data: wanted.data, message });
  const unheard = (): void => {
    ledger.interaction(kind, 'unheard');
    if (record.outcome === 'waiting') interactions.settle(record, 'unheard');
  };
  gateway.dispatch('INTERACTION_CREATE', payload, { guildId, onLost: unheard });
  if (record.shardId === null) unheard();
  else {
    // One ms more: an answer at exactly the deadline still counts.
    env.after(interactions.deadlineMs + 1, () => expire(platform, record));
  }
  return record;
}

function expire(platform: Platform, record: InteractionRecord): void {
  if (record.outcome !== 'waiting') return;
  platform.ledger.interaction(record.kind, 'unanswered');
  platform.interactions.settle(record, 'unanswered');
}

type PayloadParts = Pick<NewInteraction, 'type' | 'place' | 'data' | 'message'>;

function interactionPayload(
  platform: Platform,
  record: InteractionRecord,
  { type, place, data, message }: PayloadParts,
): object {
  const { world } = platform;
  const { guild, user, member } = place;
  const source =
    message === undefined
      ? {}
      : { message: { ...messagePayload(world, message), interaction_metadata: undefined } };
  return {
    id: record.id,
    application_id: world.applicationId,
    type,
    data,
    channel_id: record.channelId,
    channel: { ...world.channel(record.channelId), permissions: ALL_PERMISSIONS },
    token: record.token,
    version: 1,
    locale: 'en-US',
    app_permissions: ALL_PERMISSIONS,
    entitlements: [],
    attachment_size_limit: ATTACHMENT_BYTES_MAX,
    ...source,
    ...(guild === null || member === null
      ? { user, context: 1, authorizing_integration_owners: { 0: '0' } }
      : {
          guild_id: guild.facts.id,
          guild: { id: guild.facts.id, locale: guild.facts.preferred_locale, features: [] },
          guild_locale: guild.facts.preferred_locale,
          member: { ...member, permissions: ALL_PERMISSIONS },
          context: 0,
          authorizing_integration_owners: { 0: guild.facts.id },
        }),
  };
}
