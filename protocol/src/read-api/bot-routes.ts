import { z } from 'zod';
import { Bot, BotCreated, count, Key, KEY_SCOPES, KeyCreated } from '../read-api-shapes.ts';
import { AUTH, bot, NoContent, none, OWNERS, READERS, type Route } from './route.ts';

export const BotName = z.string().trim().min(1).max(100);
const overlap = z
  .int()
  .min(0)
  .max(30 * 86_400);

/** Bots and their keys. */
export const BOT_ROUTES = {
  botList: {
    ...none,
    method: 'GET',
    path: '/v1/bots',
    callers: READERS,
    answer: z.object({ bots: z.array(Bot) }),
    status: 200,
    errors: AUTH,
    doc: 'Bots visible to the caller',
  },
  botCreate: {
    ...none,
    method: 'POST',
    path: '/v1/bots',
    callers: OWNERS,
    body: z.strictObject({ name: BotName }),
    answer: BotCreated,
    status: 201,
    errors: [...AUTH, 'invalid_parameter'],
    doc: 'Makes a bot with an ingest key and a read key',
  },
  botGet: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot',
    callers: READERS,
    params: [bot],
    answer: Bot,
    status: 200,
    errors: AUTH,
    doc: 'One bot',
  },
  botSet: {
    ...none,
    method: 'PATCH',
    path: '/v1/bots/:bot',
    callers: OWNERS,
    params: [bot],
    body: z.strictObject({
      name: BotName.optional(),
      monthlyQuota: count.nullable().optional(),
      retentionDays: z.int().min(1).max(3_650).optional(),
      suspended: z.boolean().optional(),
    }),
    answer: Bot,
    status: 200,
    errors: [...AUTH, 'invalid_parameter'],
    doc: 'Changes a bot',
  },
  keyList: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/keys',
    callers: OWNERS,
    params: [bot],
    answer: z.object({ keys: z.array(Key) }),
    status: 200,
    errors: AUTH,
    doc: 'Keys of a bot, without their secret part',
  },
  keyCreate: {
    ...none,
    method: 'POST',
    path: '/v1/bots/:bot/keys',
    callers: OWNERS,
    params: [bot],
    body: z.strictObject({ scope: z.enum(KEY_SCOPES) }),
    answer: KeyCreated,
    status: 201,
    errors: [...AUTH, 'invalid_parameter', 'sample_bot'],
    doc: 'Makes a further key',
  },
  keyRotate: {
    ...none,
    method: 'POST',
    path: '/v1/bots/:bot/keys/rotate',
    callers: OWNERS,
    params: [bot],
    body: z.strictObject({ scope: z.enum(KEY_SCOPES).optional(), overlapS: overlap.optional() }),
    answer: KeyCreated,
    status: 201,
    errors: [...AUTH, 'invalid_parameter', 'sample_bot'],
    doc: 'Makes a new key of the scope (default ingest); the old ones end after `overlapS` (default 86,400)',
  },
  keyRevoke: {
    ...none,
    method: 'DELETE',
    path: '/v1/keys/:keyId',
    callers: OWNERS,
    params: [
      {
        name: 'keyId',
        in: 'path',
        required: true,
        schema: z.string().length(8),
        doc: 'Public part of the key',
      },
    ],
    answer: NoContent,
    status: 204,
    errors: AUTH,
    doc: 'Ends a key within 5 s',
  },
} as const satisfies Record<string, Route>;
