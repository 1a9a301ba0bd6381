import { ERROR_CODES, LIMITS, REJECT_CODES, WARNING_CODES } from '@bot-analytics/protocol';
import type { Schema } from './json-schema.ts';

const TEXT: Schema = { type: 'string' };
const TEXT_OR_NULL: Schema = { anyOf: [TEXT, { type: 'null' }] };
const COUNT: Schema = { type: 'integer', minimum: 0 };

/** `Problem` of protocol/src/error-codes.ts. RFC 9457. */
export const PROBLEM: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string', pattern: '^urn:bot-analytics:problem:[a-z_]+$' },
    title: TEXT,
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: TEXT,
    instance: { type: 'string', description: 'Request id' },
    code: { type: 'string', enum: Object.keys(ERROR_CODES) },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: TEXT,
          detail: TEXT,
          code: TEXT,
          index: COUNT,
          id: TEXT_OR_NULL,
        },
      },
    },
  },
};

/** `IngestAnswer` of protocol/src/ingest-answer.ts. */
export const INGEST_ANSWER: Schema = {
  type: 'object',
  required: [
    'batchId',
    'received',
    'accepted',
    'duplicates',
    'rejected',
    'rejectedCount',
    'warnings',
    'serverTime',
  ],
  properties: {
    batchId: TEXT_OR_NULL,
    received: COUNT,
    accepted: COUNT,
    duplicates: COUNT,
    rejected: {
      type: 'array',
      maxItems: LIMITS.rejectedListedMax,
      items: {
        type: 'object',
        required: ['index', 'id', 'code', 'pointer', 'detail'],
        properties: {
          index: COUNT,
          id: TEXT_OR_NULL,
          code: { type: 'string', enum: Object.keys(REJECT_CODES) },
          pointer: TEXT,
          detail: TEXT,
        },
      },
    },
    rejectedCount: COUNT,
    warnings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'detail', 'count'],
        properties: {
          code: { type: 'string', enum: Object.keys(WARNING_CODES) },
          detail: TEXT,
          count: COUNT,
        },
      },
    },
    serverTime: { type: 'string', format: 'date-time' },
  },
};
