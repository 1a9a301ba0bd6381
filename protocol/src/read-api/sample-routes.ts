import { z } from 'zod';
import { uuid } from '../read-api-shapes.ts';
import { AUTH, NoContent, none, OWNERS, type Route } from './route.ts';

/** The bot with made-up data, for looking around before a bot of one's own sends. */
export const SAMPLE_ROUTES = {
  sampleBotCreate: {
    ...none,
    method: 'POST',
    path: '/v1/sample-bot',
    callers: OWNERS,
    // Empty, but JSON: a form of another site cannot send that. server.md T12.
    body: z.strictObject({}),
    answer: z.object({ botId: uuid, name: z.string() }),
    status: 201,
    errors: [...AUTH, 'invalid_parameter'],
    doc: 'Makes the sample bot with seven days of made-up data that goes on by itself, or names the one that is there',
  },
  sampleBotRemove: {
    ...none,
    method: 'DELETE',
    path: '/v1/sample-bot',
    callers: OWNERS,
    answer: NoContent,
    status: 204,
    errors: AUTH,
    doc: 'Removes the sample bot and its data; 404 when there is none',
  },
} as const satisfies Record<string, Route>;
