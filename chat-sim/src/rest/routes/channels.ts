import { objectAt, textAt } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import {
  createInvite,
  createThread,
  deleteChannel,
  deleteInvite,
  findInvite,
  guildOf,
  readOverwrite,
  removeOverwrite,
  setOverwrite,
  updateChannel,
} from '../../operations/channels.ts';
import { createMessage } from '../../operations/messages.ts';
import type { Platform } from '../../platform.ts';
import { CHANNEL_TYPE } from '../../world/entities.ts';
import type { Channel, Webhook } from '../../world/entities.ts';
import { NotFound } from '../../world/errors.ts';
import { invitePayload, messagePayload, webhookPayload } from '../../world/payloads.ts';
import { NO_CONTENT, created, ok } from '../route.ts';
import type { RestReply, RestRequest, RestRoute } from '../route.ts';

/** Channels, their permissions, threads, invites and webhooks. */
export const CHANNEL_ROUTES: readonly RestRoute[] = [
  ['GET', '/channels/{channel}', (platform, request) => ok(channelOf(platform, request))],
  ['PATCH', '/channels/{channel}', edit],
  ['DELETE', '/channels/{channel}', remove],
  ['PUT', '/channels/{channel}/permissions/{overwrite}', allow],
  ['DELETE', '/channels/{channel}/permissions/{overwrite}', disallow],
  ['POST', '/channels/{channel}/threads', startThread],
  ['POST', '/channels/{channel}/messages/{message}/threads', startThread],
  ['PUT', '/channels/{channel}/thread-members/@me', () => NO_CONTENT],
  ['GET', '/channels/{channel}/thread-members', () => ok([])],
  ['POST', '/channels/{channel}/invites', invite],
  ['GET', '/channels/{channel}/invites', invites],
  ['GET', '/invites/{code}', getInvite],
  ['DELETE', '/invites/{code}', removeInvite],
  ['GET', '/channels/{channel}/webhooks', webhooks],
  ['POST', '/channels/{channel}/webhooks', addWebhook],
  ['GET', '/webhooks/{webhook}', (platform, request) => ok(hookPayload(platform, request))],
  ['DELETE', '/webhooks/{webhook}', removeWebhook],
];

function channelOf({ world }: Platform, request: RestRequest): Channel {
  return world.channel(request.param('channel'));
}

function edit(platform: Platform, request: RestRequest): RestReply {
  const channel = channelOf(platform, request);
  updateChannel(platform, channel, request.body);
  return ok(channel);
}

function remove(platform: Platform, request: RestRequest): RestReply {
  const channel = channelOf(platform, request);
  deleteChannel(platform, channel);
  return ok(channel);
}

function allow(platform: Platform, request: RestRequest): RestReply {
  const overwrite = readOverwrite(request.param('overwrite'), request.body);
  setOverwrite(platform, channelOf(platform, request), overwrite);
  return NO_CONTENT;
}

function disallow(platform: Platform, request: RestRequest): RestReply {
  removeOverwrite(platform, channelOf(platform, request), request.param('overwrite'));
  return NO_CONTENT;
}

/** A thread, a thread on a message, or a post in a forum (with its first message). */
function startThread(platform: Platform, request: RestRequest): RestReply {
  const parent = channelOf(platform, request);
  const messageId = request.param('message');
  if (messageId !== '') platform.world.message(parent.id, messageId);
  const body: JsonObject =
    parent.type === CHANNEL_TYPE.forum
      ? { ...request.body, type: CHANNEL_TYPE.publicThread }
      : request.body;
  const ownerId = platform.world.bot.id;
  const on = messageId === '' ? {} : { messageId };
  const thread = createThread(platform, { parent, ownerId, body, ...on });
  if (parent.type !== CHANNEL_TYPE.forum) return created(thread);
  const first = createMessage(platform, {
    channelId: thread.id,
    author: platform.world.bot,
    body: objectAt(request.body, 'message'),
  });
  return created({ ...thread, message: messagePayload(platform.world, first) });
}

function invite(platform: Platform, request: RestRequest): RestReply {
  const { world } = platform;
  const made = createInvite(platform, channelOf(platform, request), world.bot.id, request.body);
  return ok(invitePayload(world, made));
}

function invites(platform: Platform, request: RestRequest): RestReply {
  const channel = channelOf(platform, request);
  const all = [...guildOf(platform, channel).invites.values()];
  const own = all.filter(({ channelId }) => channelId === channel.id);
  return ok(own.map((one) => invitePayload(platform.world, one)));
}

function getInvite(platform: Platform, request: RestRequest): RestReply {
  return ok(invitePayload(platform.world, findInvite(platform, request.param('code'))));
}

function removeInvite(platform: Platform, request: RestRequest): RestReply {
  const found = findInvite(platform, request.param('code'));
  const payload = invitePayload(platform.world, found);
  deleteInvite(platform, found);
  return ok(payload);
}

function webhooks(platform: Platform, request: RestRequest): RestReply {
  const { id } = channelOf(platform, request);
  const own = [...platform.world.webhooks.values()].filter(({ channelId }) => channelId === id);
  return ok(own.map((one) => webhookPayload(platform.world, one)));
}

function addWebhook(platform: Platform, request: RestRequest): RestReply {
  const channel = channelOf(platform, request);
  const guildId = guildOf(platform, channel).facts.id;
  const webhook: Webhook = {
    id: platform.ids.next(),
    token: platform.random.hex(68),
    channelId: channel.id,
    guildId,
    name: textAt(request.body, 'name') ?? 'webhook',
  };
  platform.world.webhooks.set(webhook.id, webhook);
  const changed = { guild_id: guildId, channel_id: channel.id };
  platform.gateway.dispatch('WEBHOOKS_UPDATE', changed, { guildId });
  return ok(webhookPayload(platform.world, webhook));
}

function hookPayload(platform: Platform, request: RestRequest): object {
  const webhook = platform.world.webhooks.get(request.param('webhook'));
  if (webhook === undefined) throw new NotFound('webhook', request.param('webhook'));
  return webhookPayload(platform.world, webhook);
}

function removeWebhook(platform: Platform, request: RestRequest): RestReply {
  hookPayload(platform, request);
  platform.world.webhooks.delete(request.param('webhook'));
  return NO_CONTENT;
}
