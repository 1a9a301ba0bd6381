/** Writing stored events as JSON, NDJSON and CSV. design.md 6. */

/** One stored event, its `data` still as text. */
export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly tsMs: number;
  readonly guildId: string | null;
  readonly channelId: string | null;
  readonly userId: string | null;
  /** A JSON object, as stored. */
  readonly data: string;
}

/** One JSON object on one line, with a line end. */
export function ndjsonLine(event: EventRecord): string {
  const { id, type, guildId, channelId, userId, data } = event;
  const ts = new Date(event.tsMs).toISOString();
  const head = JSON.stringify({ id, type, ts, guildId, channelId, userId });
  // A bare line end in JSON is white space, for a string holds it escaped.
  return `${head.slice(0, -1)},"data":${data.replace(/[\r\n]/g, ' ')}}\n`;
}

/** Columns of the CSV. RFC 4180, with the time as ISO 8601 UTC. */
export const CSV_HEADER = 'id,type,ts,guildId,channelId,userId,data\r\n';

/**
 * A spreadsheet runs a cell that starts so as a formula; so do full-width signs in some, and a quote
 * in front does not stop others. server.md T5.
 */
const FORMULA = /^["']?[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;

/** One text cell: formulas are made harmless with an apostrophe, then quoted where needed. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One row with a line end; an absent id is an empty cell. */
export function csvLine(event: EventRecord): string {
  const cells = [
    event.id,
    event.type,
    new Date(event.tsMs).toISOString(),
    event.guildId ?? '',
    event.channelId ?? '',
    event.userId ?? '',
    event.data,
  ];
  return `${cells.map(csvCell).join(',')}\r\n`;
}
