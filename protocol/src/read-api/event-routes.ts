import { z } from 'zod';
import { EventPage, Health } from '../read-api-shapes.ts';
import { bot, from, none, RANGE, RANGE_LIMITS, READERS, to, type Route } from './route.ts';

/** Stored events and what the ingest path did with them. */
export const EVENT_ROUTES = {
  events: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/events',
    callers: READERS,
    params: [
      bot,
      {
        ...from,
        doc: 'Start, inclusive; default: everything that is kept, at most 400 days back',
      },
      { ...to, doc: 'End, exclusive; default: everything' },
      {
        name: 'type',
        in: 'query',
        required: false,
        schema: z.string().max(2_000),
        doc: 'Event types, separated by commas; default all',
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: z.int().min(1).max(RANGE_LIMITS.eventsPageMax),
        doc: 'Events of a JSON page, default 100',
      },
      {
        name: 'order',
        in: 'query',
        required: false,
        schema: z.enum(['oldest', 'newest']),
        doc: 'Which events come first, by time, then id; default oldest',
      },
      {
        name: 'cursor',
        in: 'query',
        required: false,
        schema: z.string().max(200),
        doc: '`nextCursor` of the page before, asked for in the same order',
      },
      {
        name: 'format',
        in: 'query',
        required: false,
        schema: z.enum(['json', 'ndjson', 'csv']),
        doc: 'json: a page; ndjson, csv: the whole range as a stream',
      },
    ],
    answer: EventPage,
    status: 200,
    errors: RANGE,
    doc: 'Stored events in the order of time, oldest first unless asked otherwise, each id once',
  },
  health: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/health',
    callers: READERS,
    params: [bot, from, to],
    answer: Health,
    status: 200,
    errors: RANGE,
    doc: 'Ingestion health; default the last 24 h',
  },
} as const satisfies Record<string, Route>;
