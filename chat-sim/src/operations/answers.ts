import { numberAt, objectAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Platform } from '../platform.ts';
import { MESSAGE_FLAG } from '../world/entities.ts';
import type { Message } from '../world/entities.ts';
import { NotFound, PlatformError } from '../world/errors.ts';
import { RESPONSE_KINDS } from './interaction-book.ts';
import type { InteractionRecord, ResponseKind } from './interaction-book.ts';
import { createMessage, editMessage } from './messages.ts';

/** Follow-ups and edits are possible for this long, ms. */
const TOKEN_LIFE_MS = 15 * 60_000;

/** Message types of first answers. */
const MESSAGE_TYPE_COMMAND = 20;
const MESSAGE_TYPE_REPLY = 19;

/**
 * The bot's first answer (`POST /interactions/{id}/{token}/callback`). Refused with 404 10062 when
 * unknown or late, with 400 40060 when there was one before. Returns the message, if one was made.
 */
export function acceptCallback(
  platform: Platform,
  record: InteractionRecord | undefined,
  body: JsonObject,
): Message | null {
  const { env, interactions, ledger } = platform;
  if (record === undefined) throw new NotFound('interaction', 'unknown');
  if (record.outcome === 'answered') {
    record.repeatedAnswers += 1;
    ledger.interaction(record.kind, 'repeated');
    throw new PlatformError(400, 40060, 'Interaction has already been acknowledged.');
  }
  const tookMs = env.now() - record.sentAtMs;
  if (record.outcome === 'unanswered' || tookMs > interactions.deadlineMs) {
    record.lateAnswers += 1;
    ledger.interaction(record.kind, 'late');
    throw new NotFound('interaction', record.id);
  }
  const responseKind = readKind(body);
  const message = applyCallback(platform, record, responseKind, objectAt(body, 'data'));
  record.answeredAfterMs = tookMs;
  record.responseKind = responseKind;
  record.responseMessageId = message?.id ?? null;
  ledger.interaction(record.kind, 'answered');
  ledger.interaction(record.kind, responseKind);
  interactions.settle(record, 'answered');
  return message;
}

/** The interaction behind a follow-up or an edit; it must have been answered. */
export function answeredByToken(platform: Platform, token: string): InteractionRecord {
  const record = platform.interactions.byToken(token);
  if (record === undefined || record.outcome !== 'answered') throw new NotFound('webhook', token);
  if (platform.env.now() - record.sentAtMs > TOKEN_LIFE_MS) {
    throw new PlatformError(401, 50027, 'Invalid Webhook Token');
  }
  return record;
}

/** Sends a follow-up, or fills the deferred reply when that still shows "thinking". */
export function followUp(platform: Platform, record: InteractionRecord, body: JsonObject): Message {
  record.followUps += 1;
  const { world } = platform;
  const original = record.responseMessageId;
  if (original !== null && record.responseKind === 'defer') {
    const message = world.message(record.channelId, original);
    if ((message.flags & MESSAGE_FLAG.loading) !== 0) {
      editMessage(platform, message, body);
      return message;
    }
  }
  return createMessage(platform, {
    channelId: record.channelId,
    author: world.bot,
    body,
    webhookId: world.applicationId,
    applicationId: world.applicationId,
    type: MESSAGE_TYPE_REPLY,
  });
}

/** The message that `@original` or an id names. */
export function responseMessage(
  platform: Platform,
  record: InteractionRecord,
  messageId: string,
): Message {
  const id = messageId === '@original' ? record.responseMessageId : messageId;
  if (id === null) throw new NotFound('message', messageId);
  return platform.world.message(record.channelId, id);
}

function readKind(body: JsonObject): ResponseKind {
  const type = numberAt(body, 'type') ?? 0;
  const kind: string | undefined = { ...RESPONSE_KINDS }[type as keyof typeof RESPONSE_KINDS];
  if (kind === undefined) throw new PlatformError(400, 50035, 'Invalid Form Body');
  return kind as ResponseKind; // parse border: the number comes from the wire
}

function applyCallback(
  platform: Platform,
  record: InteractionRecord,
  kind: ResponseKind,
  data: JsonObject,
): Message | null {
  const { world } = platform;
  const source = record.sourceMessageId;
  switch (kind) {
    case 'reply':
    case 'defer':
      return createMessage(platform, {
        channelId: record.channelId,
        author: world.bot,
        body: data,
        webhookId: world.applicationId,
        applicationId: world.applicationId,
        type: record.kind === 'slash' ? MESSAGE_TYPE_COMMAND : MESSAGE_TYPE_REPLY,
        flags: kind === 'defer' ? MESSAGE_FLAG.loading : 0,
        mayBeEmpty: kind === 'defer',
      });
    case 'update':
    case 'defer_update': {
      if (source === null) throw new PlatformError(400, 50035, 'Invalid Form Body');
      const message = world.message(record.channelId, source);
      if (kind === 'update') editMessage(platform, message, data);
      return message;
    }
    case 'modal':
      record.modal = data;
      return null;
    case 'pong':
    case 'autocomplete':
    case 'launch_activity':
      return null;
  }
}
