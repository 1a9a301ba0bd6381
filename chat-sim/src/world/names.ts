/** Word lists for guilds, users and channels; combined with a number where they run out. */
export const ADJECTIVES = [
  'amber',
  'brisk',
  'calm',
  'dusky',
  'early',
  'fern',
  'gentle',
  'hollow',
  'ivory',
  'jolly',
  'keen',
  'lunar',
  'mellow',
  'north',
  'olive',
  'plain',
  'quiet',
  'rusty',
  'silver',
  'tidal',
  'upper',
  'velvet',
  'windy',
  'young',
  'zesty',
] as const;

export const NOUNS = [
  'harbour',
  'otter',
  'lantern',
  'meadow',
  'quarry',
  'fox',
  'orchard',
  'glacier',
  'kettle',
  'comet',
  'willow',
  'badger',
  'canyon',
  'thistle',
  'beacon',
  'heron',
  'maple',
  'reef',
  'summit',
  'walnut',
  'ember',
  'marsh',
  'puffin',
  'garnet',
  'lagoon',
] as const;

export const CHANNEL_NAMES = [
  'general',
  'off-topic',
  'bot-commands',
  'support',
  'showcase',
  'events',
  'music',
  'memes',
] as const;

export const ROLE_NAMES = ['Moderator', 'Helper', 'Artist', 'Player', 'Night shift'] as const;

export const LOCALES = ['en-US', 'en-GB', 'de', 'fr', 'es-ES', 'ja', 'pt-BR', 'pl'] as const;

export const SENTENCES = [
  'Has anybody tried the new map?',
  'Back in ten minutes.',
  'That worked, thank you!',
  'Who is around tonight?',
  'I will bring snacks.',
  'The schedule moved to Friday.',
  'Nice one.',
  'Can a moderator have a look?',
  'Good morning everybody.',
  'See the pinned message.',
] as const;
