import { readFileSync } from 'node:fs';
import {
  CONTENT_KEYS,
  ERROR_CODES,
  type ErrorCode,
  type ErrorSpec,
  INGEST_ERRORS,
  INGEST_PATH,
  LIMITS,
  NESTED_CONTENT_KEYS,
  PROTOTYPE_KEYS,
  REJECT_CODES,
  SDK_NAMES,
  WARNING_CODES,
} from '@bot-analytics/protocol';
import { code, grouped, page, table } from './markdown.ts';

/** The doc comment above every row of the table of limits, which is its documentation. */
function limitDocs(): ReadonlyMap<string, string> {
  const source = readFileSync(new URL('../../protocol/src/limits.ts', import.meta.url), 'utf8');
  const rows = source.matchAll(/\/\*\*([^*]*(?:\*(?!\/)[^*]*)*)\*\/\s*([A-Za-z0-9]+): [0-9_]+,/g);
  return new Map(
    Array.from(rows, ([, text = '', name = '']) => [
      name,
      text.replace(/\s*\n\s*\* ?/g, ' ').trim(),
    ]),
  );
}

export function limitsPage(): string {
  const docs = limitDocs();
  const rows = Object.entries(LIMITS).map(([name, value]) => {
    const doc = docs.get(name);
    if (doc === undefined) throw new Error(`limits.ts: \`${name}\` has no doc comment.`);
    return [code(name), grouped(value), doc];
  });
  return page('Limits', '`protocol/src/limits.ts`', [
    'Names carry the unit: `Ms` milliseconds, `S` seconds, `Bytes` UTF-8 bytes, `Chars` code points.',
    table(['name', 'value', 'meaning, source'], rows),
  ]);
}

const BATCH_EXAMPLE = `{
  "batchId": "019bc186-de00-7abc-8def-0123456789ab",
  "sdk": { "name": "${SDK_NAMES.js}", "version": "0.5.0" },
  "sentAt": "2026-01-15T12:00:00.000Z",
  "events": [
    {
      "id": "019bc186-d630-7123-9abc-def012345678",
      "type": "guild_join",
      "ts": "2026-01-15T11:59:58.000Z",
      "guildId": "112233445566778899",
      "data": { "name": "A guild", "locale": "en-US", "memberCount": 42, "shardId": 0, "guildCount": 7 }
    }
  ]
}`;

export function ingestPage(): string {
  return page('The ingestion call', '`protocol/src/envelope.ts`, `ingest-answer.ts`', [
    `\`POST ${INGEST_PATH}\` with \`Content-Type: application/json\` and \`Authorization: Bearer <API key>\`. At most ${LIMITS.batchEventsMax} events and ${grouped(LIMITS.batchBytesMax)} bytes, before and after decompression (identity or gzip). Schema: [schema.json](../../protocol/generated/schema.json).`,
    `\`\`\`json\n${BATCH_EXAMPLE}\n\`\`\``,
    'A 2xx answer means that the events are on disk. An id that is known for the bot is counted in `duplicates` and not stored again, so a batch can be sent again at any time. `batchId` is new for every attempt and only traces it.',
    '## Answer',
    '`{batchId, received, accepted, duplicates, rejected: [{index, id, code, pointer, detail}], rejectedCount, warnings: [{code, detail, count}], serverTime}`. ' +
      `At most ${LIMITS.rejectedListedMax} rejected events are listed; \`rejectedCount\` counts all. One invalid event costs none of its neighbours; only when every event is invalid the answer is 400.`,
    '### Reject codes',
    table(
      ['code', 'meaning'],
      Object.entries(REJECT_CODES).map(([name, text]) => [code(name), text]),
    ),
    '### Warning codes',
    table(
      ['code', 'meaning'],
      Object.entries(WARNING_CODES).map(([name, text]) => [code(name), text]),
    ),
    '## Keys that the server removes from `data`',
    `At any depth, whatever the case and without regard to \`_\` and \`-\`, unless the catalogue lists the field for the event type at the top level: ${CONTENT_KEYS.map(code).join(', ')}.`,
    Object.entries(NESTED_CONTENT_KEYS)
      .map(([list, keys]) => `In the elements of \`${list}\`: ${keys.map(code).join(', ')}.`)
      .join(' '),
    `Always: ${PROTOTYPE_KEYS.map(code).join(', ')}.`,
    '## Errors',
    'The status says what an SDK does: 429 keeps everything queued, 401 switches the SDK off, 400 drops the batch. Codes: [errors](errors.md).',
    errorTable(INGEST_ERRORS),
  ]);
}

export function errorsPage(): string {
  return page('Errors', '`protocol/src/error-codes.ts`', [
    'Every error answer is a problem document (RFC 9457), `application/problem+json`, with `type` (`urn:bot-analytics:problem:<code>`), `title`, `status`, `detail`, `instance` (the request id), `code` and, where several things are wrong, `errors`. Codes stay; texts may change.',
    errorTable(Object.keys(ERROR_CODES) as ErrorCode[]),
  ]);
}

function errorTable(codes: readonly ErrorCode[]): string {
  return table(
    ['code', 'status', 'title', 'what to do'],
    codes.map((name) => {
      const { status, title, help }: ErrorSpec = ERROR_CODES[name];
      return [code(name), String(status), title, help];
    }),
  );
}
