import type { PublicSummary } from '@bot-analytics/protocol/read-api';
import type { StatusView } from './view.ts';

const digits = new Intl.NumberFormat('en');

/** The status in one line. */
export function summaryOf(name: string, view: StatusView): PublicSummary {
  const { online } = view;
  const total = view.cards.length;
  const state =
    total === 0 ? 'unknown' : online === 0 ? 'offline' : online < total ? 'degraded' : 'online';
  const message =
    total === 0
      ? 'no heartbeat yet'
      : total === 1
        ? state
        : `${digits.format(online)} of ${digits.format(total)} shards online`;
  return {
    name,
    state,
    online,
    total,
    message,
    generatedAt: new Date(view.generatedAtMs).toISOString(),
  };
}

/** Fills with white text at a contrast of 4.5 or more. Shape and words tell the same as the colour. */
const FILLS = {
  online: '#1a7f37',
  degraded: '#9a5700',
  offline: '#59636e',
  unknown: '#59636e',
} as const satisfies Record<PublicSummary['state'], string>;

const escape = (text: string): string =>
  text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** About the width of text in 11 px Verdana; `textLength` makes it exact in every font. */
const widthOf = (text: string): number => Math.ceil(Array.from(text).length * 6.6) + 12;
const NAME_CHARS_MAX = 40;

/** A picture of the summary, 20 px high: the bot's name and its status. */
export function badgeSvg(summary: PublicSummary): string {
  const chars = Array.from(summary.name);
  const name =
    chars.length > NAME_CHARS_MAX
      ? `${chars.slice(0, NAME_CHARS_MAX - 1).join('')}…`
      : summary.name;
  const [left, right] = [widthOf(name), widthOf(summary.message)];
  const width = left + right;
  const label = (text: string, from: number, room: number): string =>
    `<text x="${from + room / 2}" y="14" textLength="${room - 12}">${escape(text)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img"`,
    ` aria-label="${escape(`${name}: ${summary.message}`)}">`,
    `<title>${escape(`${name}: ${summary.message}`)}</title>`,
    `<rect width="${left}" height="20" fill="#24292f"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${FILLS[summary.state]}"/>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    label(name, 0, left),
    label(summary.message, left, right),
    '</g></svg>',
  ].join('');
}
