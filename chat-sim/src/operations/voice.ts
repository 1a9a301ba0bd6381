import type { Platform } from '../platform.ts';
import type { Guild, VoiceState } from '../world/entities.ts';
import { NotFound } from '../world/errors.ts';

/** Moves a member into a voice channel, or out of voice (`null`). */
export function setVoiceChannel(
  platform: Platform,
  guild: Guild,
  userId: string,
  channelId: string | null,
): VoiceState {
  if (channelId !== null && !guild.channels.has(channelId)) {
    throw new NotFound('channel', channelId);
  }
  const known = guild.voiceStates.get(userId);
  const state: VoiceState = {
    guild_id: guild.facts.id,
    user_id: userId,
    session_id: known?.session_id ?? platform.random.hex(32),
    deaf: false,
    mute: false,
    self_deaf: false,
    self_mute: false,
    self_video: false,
    suppress: false,
    request_to_speak_timestamp: null,
    channel_id: channelId,
  };
  if (channelId === null) guild.voiceStates.delete(userId);
  else guild.voiceStates.set(userId, state);
  const member = guild.members.get(userId);
  const changed = member === undefined ? state : { ...state, member };
  const own = userId === platform.world.bot.id;
  platform.gateway.dispatch('VOICE_STATE_UPDATE', changed, {
    guildId: guild.facts.id,
    always: own,
  });
  if (own && channelId !== null) {
    // There is no voice server: the endpoint is null, as during a voice outage.
    const server = { token: platform.random.hex(16), guild_id: guild.facts.id, endpoint: null };
    platform.gateway.dispatch('VOICE_SERVER_UPDATE', server, { guildId: guild.facts.id });
  }
  return state;
}
