/** Where a page of events ended: events are in the order of time, then id. */
export interface EventCursor {
  readonly tsMs: number;
  /** UUID text in lower case. */
  readonly id: string;
}

const FORM = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function writeCursor({ tsMs, id }: EventCursor): string {
  return Buffer.from(`${tsMs}.${id}`).toString('base64url');
}

/** The cursor in a request; undefined when this server never wrote such a text. */
export function readCursor(text: string): EventCursor | undefined {
  const match = FORM.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const [, ts, id] = match ?? [];
  return ts === undefined || id === undefined ? undefined : { tsMs: Number(ts), id };
}
