import { textAt, textsAt } from '../../json.ts';
import {
  bulkDelete,
  createMessage,
  deleteMessage,
  editMessage,
  openDm,
  setPinned,
} from '../../operations/messages.ts';
import {
  addReaction,
  clearEmoji,
  clearReactions,
  removeReaction,
} from '../../operations/reactions.ts';
import type { Platform } from '../../platform.ts';
import type { Message } from '../../world/entities.ts';
import { messagePayload } from '../../world/payloads.ts';
import { NO_CONTENT, ok } from '../route.ts';
import type { RestReply, RestRequest, RestRoute } from '../route.ts';

/** Messages, pins, reactions, typing and direct-message channels. */
export const MESSAGE_ROUTES: readonly RestRoute[] = [
  ['POST', '/users/@me/channels', openDirect],
  ['POST', '/channels/{channel}/typing', (platform, request) => typing(platform, request)],
  ['GET', '/channels/{channel}/messages', list],
  ['POST', '/channels/{channel}/messages', send],
  ['POST', '/channels/{channel}/messages/bulk-delete', bulk],
  ['GET', '/channels/{channel}/messages/pins', pins],
  ['PUT', '/channels/{channel}/messages/pins/{message}', (p, r) => pin(p, r, true)],
  ['DELETE', '/channels/{channel}/messages/pins/{message}', (p, r) => pin(p, r, false)],
  ['GET', '/channels/{channel}/pins', oldPins],
  ['PUT', '/channels/{channel}/pins/{message}', (p, r) => pin(p, r, true)],
  ['DELETE', '/channels/{channel}/pins/{message}', (p, r) => pin(p, r, false)],
  ['GET', '/channels/{channel}/messages/{message}', get],
  ['PATCH', '/channels/{channel}/messages/{message}', edit],
  ['DELETE', '/channels/{channel}/messages/{message}', remove],
  ['POST', '/channels/{channel}/messages/{message}/crosspost', get],
  ['PUT', '/channels/{channel}/messages/{message}/reactions/{emoji}/@me', react],
  ['DELETE', '/channels/{channel}/messages/{message}/reactions/{emoji}/@me', unreact],
  ['DELETE', '/channels/{channel}/messages/{message}/reactions/{emoji}/{user}', unreact],
  ['DELETE', '/channels/{channel}/messages/{message}/reactions/{emoji}', unreactEmoji],
  ['DELETE', '/channels/{channel}/messages/{message}/reactions', unreactAll],
];

function found({ world }: Platform, request: RestRequest): Message {
  world.channel(request.param('channel'));
  return world.message(request.param('channel'), request.param('message'));
}

function openDirect(platform: Platform, request: RestRequest): RestReply {
  const user = platform.world.user(textAt(request.body, 'recipient_id') ?? '');
  return ok(platform.world.channel(openDm(platform, user)));
}

function typing({ world }: Platform, request: RestRequest): RestReply {
  world.channel(request.param('channel'));
  return NO_CONTENT;
}

/** Newest first; `limit`, `before` and `after` as on the platform. */
function list({ world }: Platform, request: RestRequest): RestReply {
  world.channel(request.param('channel'));
  const before = BigInt(request.query.get('before') ?? '18446744073709551615');
  const after = BigInt(request.query.get('after') ?? '0');
  const limit = Number(request.query.get('limit') ?? '50');
  const rows = world
    .messages(request.param('channel'))
    .filter(({ id }) => BigInt(id) < before && BigInt(id) > after)
    .toReversed()
    .slice(0, limit);
  return ok(rows.map((message) => messagePayload(world, message)));
}

function send(platform: Platform, request: RestRequest): RestReply {
  const message = createMessage(platform, {
    channelId: request.param('channel'),
    author: platform.world.bot,
    body: request.body,
  });
  const nonce = request.body['nonce'];
  const payload = messagePayload(platform.world, message);
  return ok(nonce === undefined ? payload : { ...payload, nonce });
}

function bulk(platform: Platform, request: RestRequest): RestReply {
  bulkDelete(platform, request.param('channel'), textsAt(request.body, 'messages'));
  return NO_CONTENT;
}

function pins({ world }: Platform, request: RestRequest): RestReply {
  const items = world
    .messages(request.param('channel'))
    .filter(({ pinned }) => pinned)
    .map((message) => ({
      pinned_at: message.timestamp,
      message: messagePayload(world, message),
    }));
  return ok({ items, has_more: false });
}

function oldPins({ world }: Platform, request: RestRequest): RestReply {
  const pinned = world.messages(request.param('channel')).filter((one) => one.pinned);
  return ok(pinned.map((message) => messagePayload(world, message)));
}

function pin(platform: Platform, request: RestRequest, pinned: boolean): RestReply {
  setPinned(platform, found(platform, request), pinned);
  return NO_CONTENT;
}

function get(platform: Platform, request: RestRequest): RestReply {
  return ok(messagePayload(platform.world, found(platform, request)));
}

function edit(platform: Platform, request: RestRequest): RestReply {
  const message = found(platform, request);
  editMessage(platform, message, request.body);
  return ok(messagePayload(platform.world, message));
}

function remove(platform: Platform, request: RestRequest): RestReply {
  deleteMessage(platform, found(platform, request));
  return NO_CONTENT;
}

function react(platform: Platform, request: RestRequest): RestReply {
  const message = found(platform, request);
  const userId = platform.world.bot.id;
  addReaction(platform, { message, userId, emoji: request.param('emoji') });
  return NO_CONTENT;
}

function unreact(platform: Platform, request: RestRequest): RestReply {
  const message = found(platform, request);
  const userId = request.param('user') || platform.world.bot.id;
  removeReaction(platform, { message, userId, emoji: request.param('emoji') });
  return NO_CONTENT;
}

function unreactEmoji(platform: Platform, request: RestRequest): RestReply {
  clearEmoji(platform, found(platform, request), request.param('emoji'));
  return NO_CONTENT;
}

function unreactAll(platform: Platform, request: RestRequest): RestReply {
  clearReactions(platform, found(platform, request));
  return NO_CONTENT;
}
