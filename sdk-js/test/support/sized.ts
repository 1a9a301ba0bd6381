import type { Attempted } from './script-send.ts';
import { rig } from './rig.ts';

/** Events by their size, and a limit of bodies. */
export interface Sized {
  readonly eventBytes: readonly number[];
  /** Size of a body without events. */
  readonly envelopeBytes: number;
  /** Largest body that is taken. */
  readonly limit: number;
  /** Events that come at once. */
  readonly maxEvents: number;
}

/**
 * Sends events through a transport to a server that answers 413 to every body over the limit.
 *
 * @returns the events of each body that was taken, and those that were dropped, by index
 */
export async function sendSized(sized: Sized): Promise<{ parts: number[][]; dropped: number[] }> {
  const { eventBytes, envelopeBytes, limit, maxEvents } = sized;
  const parts: number[][] = [];
  const dropped: number[] = [];
  const { env, transport, put } = rig([], async ({ body }) => {
    const { events } = JSON.parse(body) as Pick<Attempted, 'events'>;
    const part = events.map(({ data }) => Reflect.get(data, 'n') as number);
    const bytes = part.reduce(
      (sum, index) => sum + (eventBytes[index] ?? Number.NaN),
      envelopeBytes + part.length - 1,
    );
    const fits = bytes <= limit;
    if (fits) parts.push(part);
    else if (part.length === 1) dropped.push(...part);
    return { status: fits ? 200 : 413, header: () => null, body: null };
  });
  for (let from = 0; from < eventBytes.length; from += maxEvents) {
    const indexes = [...eventBytes.keys()].slice(from, from + maxEvents);
    for (const index of indexes) put(index);
    const flushed = transport.flush(1_000);
    await env.settle();
    await flushed;
  }
  const { delivered, dropped: lost } = transport.stats();
  if (delivered !== parts.flat().length || lost.too_large !== dropped.length) {
    throw new Error(`counted ${delivered} and ${lost.too_large}`);
  }
  return { parts, dropped };
}
