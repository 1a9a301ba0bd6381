import type { Bot } from '@bot-analytics/protocol/read-api';

/** One place that the palette leads to. */
export interface Destination {
  readonly label: string;
  readonly href: string;
}

const shownMax = 12;

/** Every place, those of the present bot first. */
export function destinations(
  bots: readonly Bot[],
  current: string | undefined,
): readonly Destination[] {
  const ordered = bots.toSorted(
    (a, b) => Number(b.botId === current) - Number(a.botId === current),
  );
  const ofBots = ordered.flatMap(({ name, botId }) => [
    { label: `${name}: Status`, href: `/b/${botId}/status` },
    { label: `${name}: Activity`, href: `/b/${botId}/activity` },
    { label: `${name}: API usage`, href: `/b/${botId}/api` },
    { label: `${name}: Settings`, href: `/b/${botId}/settings` },
  ]);
  return [...ofBots, { label: 'All bots', href: '/?all=1' }, { label: 'Add a bot', href: '/new' }];
}

/** Places whose label has every word of the text, in any order. */
export function matching(all: readonly Destination[], text: string): readonly Destination[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (label: string): boolean => words.every((word) => label.includes(word));
  return all.filter(({ label }) => fits(label.toLowerCase())).slice(0, shownMax);
}
