import type { Platform } from '../../platform.ts';
import {
  acceptCallback,
  answeredByToken,
  followUp,
  responseMessage,
} from '../../operations/answers.ts';
import type { InteractionRecord } from '../../operations/interaction-book.ts';
import { createMessage, deleteMessage, editMessage } from '../../operations/messages.ts';
import type { Message, Webhook } from '../../world/entities.ts';
import { NotFound } from '../../world/errors.ts';
import { isEphemeral, messagePayload, webhookPayload } from '../../world/payloads.ts';
import { numberAt, textAt } from '../../json.ts';
import { NO_CONTENT, isSet, ok } from '../route.ts';
import type { RestReply, RestRequest, RestRoute } from '../route.ts';

/** Answers to interactions, follow-ups, and webhooks: all proven by a token in the path. */
export const INTERACTION_ROUTES: readonly RestRoute[] = [
  ['POST', '/interactions/{interaction}/{token}/callback', callback, 'open'],
  ['GET', '/webhooks/{webhook}/{token}', getWebhook, 'open'],
  ['POST', '/webhooks/{webhook}/{token}', execute, 'open'],
  ['GET', '/webhooks/{webhook}/{token}/messages/@original', getMessage, 'open'],
  ['PATCH', '/webhooks/{webhook}/{token}/messages/@original', patchMessage, 'open'],
  ['DELETE', '/webhooks/{webhook}/{token}/messages/@original', removeMessage, 'open'],
  ['GET', '/webhooks/{webhook}/{token}/messages/{message}', getMessage, 'open'],
  ['PATCH', '/webhooks/{webhook}/{token}/messages/{message}', patchMessage, 'open'],
  ['DELETE', '/webhooks/{webhook}/{token}/messages/{message}', removeMessage, 'open'],
];

function callback(platform: Platform, request: RestRequest): RestReply {
  const found = platform.interactions.byToken(request.param('token'));
  const record = found?.id === request.param('interaction') ? found : undefined;
  const message = acceptCallback(platform, record, request.body);
  if (record === undefined || !isSet(request.query, 'with_response')) return NO_CONTENT;
  return ok(callbackResponse(platform, record, numberAt(request.body, 'type') ?? 0, message));
}

function callbackResponse(
  platform: Platform,
  record: InteractionRecord,
  type: number,
  message: Message | null,
): object {
  const made =
    message === null
      ? {}
      : {
          response_message_id: message.id,
          response_message_loading: record.responseKind === 'defer',
          response_message_ephemeral: isEphemeral(message),
        };
  return {
    interaction: {
      id: record.id,
      type: INTERACTION_TYPES[record.kind],
      channel_id: record.channelId,
      ...(record.guildId === null ? {} : { guild_id: record.guildId }),
      ...made,
    },
    resource: {
      type,
      ...(message === null ? {} : { message: messagePayload(platform.world, message) }),
    },
  };
}

const INTERACTION_TYPES = {
  slash: 2,
  context_menu: 2,
  button: 3,
  select: 3,
  autocomplete: 4,
  modal: 5,
} as const;

function getWebhook({ world }: Platform, request: RestRequest): RestReply {
  return ok(webhookPayload(world, findWebhook(world.webhooks, request)));
}

/** A follow-up when the id is the application's, else a message of the webhook. */
function execute(platform: Platform, request: RestRequest): RestReply {
  const { world } = platform;
  if (request.param('webhook') === world.applicationId) {
    const record = answeredByToken(platform, request.param('token'));
    return ok(messagePayload(world, followUp(platform, record, request.body)));
  }
  const webhook = findWebhook(world.webhooks, request);
  const message = createMessage(platform, {
    channelId: request.query.get('thread_id') ?? webhook.channelId,
    author: {
      ...world.bot,
      id: webhook.id,
      username: textAt(request.body, 'username') ?? webhook.name,
    },
    body: request.body,
    webhookId: webhook.id,
  });
  return isSet(request.query, 'wait') ? ok(messagePayload(world, message)) : NO_CONTENT;
}

function getMessage(platform: Platform, request: RestRequest): RestReply {
  return ok(messagePayload(platform.world, target(platform, request).message));
}

function patchMessage(platform: Platform, request: RestRequest): RestReply {
  const { message, record } = target(platform, request);
  if (record !== undefined) record.edits += 1;
  editMessage(platform, message, request.body);
  return ok(messagePayload(platform.world, message));
}

function removeMessage(platform: Platform, request: RestRequest): RestReply {
  const { message, record } = target(platform, request);
  if (record !== undefined) record.deletes += 1;
  deleteMessage(platform, message);
  return NO_CONTENT;
}

function target(
  platform: Platform,
  request: RestRequest,
): { message: Message; record?: InteractionRecord } {
  const { world } = platform;
  const messageId = request.param('message') || '@original';
  if (request.param('webhook') === world.applicationId) {
    const record = answeredByToken(platform, request.param('token'));
    return { record, message: responseMessage(platform, record, messageId) };
  }
  const webhook = findWebhook(world.webhooks, request);
  return { message: world.message(webhook.channelId, messageId) };
}

function findWebhook(webhooks: ReadonlyMap<string, Webhook>, request: RestRequest): Webhook {
  const webhook = webhooks.get(request.param('webhook'));
  if (webhook?.token !== request.param('token')) {
    throw new NotFound('webhook', request.param('webhook'));
  }
  return webhook;
}
