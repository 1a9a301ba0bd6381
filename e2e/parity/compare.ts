import type { Json, JsonObject } from './values.ts';

/** A field that may differ, and why. */
interface Difference {
  readonly types: RegExp;
  /** `guildId` or, below `data`, `data.name`. */
  readonly field: string;
  readonly because: string;
}

/** Fields whose values are another one in each run: only their kind is compared. */
const RUN_FIELDS =
  /^data\.(?:\w+Ms|windowStart|memoryMb|cpuPercent|instanceId|sdkQueueSize|restRequests)$/;

/** Everything in which the two SDKs may differ beyond ids and times. Decision 0065. */
export const DIFFERENCES: readonly Difference[] = [
  { types: /^heartbeat$/, field: 'data.library', because: 'it names the client library' },
  { types: /^heartbeat$/, field: 'data.libraryVersion', because: 'as above' },
  { types: /^heartbeat$/, field: 'data.runtime', because: 'it names the language' },
  { types: /^heartbeat$/, field: 'data.runtimeVersion', because: 'as above' },
  {
    types: /^heartbeat$/,
    field: 'data.wsPingMs',
    because: 'discord.py heartbeats at once, discord.js after the first interval: null or a figure',
  },
  {
    types: /^heartbeat$/,
    field: 'data.eventLoopDelayP95Ms',
    because: 'null before the first sample, which comes after 10 ms there and 100 ms here',
  },
  {
    types: /^heartbeat$/,
    field: 'data.shardStatus',
    because: 'discord.py does not tell connecting and resuming from disconnected',
  },
  {
    types: /^(?:command_)?error$/,
    field: 'data.name',
    because: 'the class of an error is that of the language or library',
  },
  { types: /^command_error$/, field: 'data.message', because: 'the text is the library’s own' },
  { types: /^(?:command_)?error$/, field: 'data.stack', because: 'the form is the language’s own' },
  {
    types: /^command_error$/,
    field: 'data.code',
    because: 'errors of discord.js carry a code of their own, those of discord.py none',
  },
  {
    types: /^error$/,
    field: 'data.origin',
    because: 'what nobody catches is a rejection there and a task here',
  },
  {
    types: /^error$/,
    field: 'data.handled',
    because: 'the JavaScript bot listens to rejections, which handles them; asyncio only reports',
  },
  {
    types: /^action_channel_delete$/,
    field: 'guildId',
    because: 'a channel that the bot has just made is not in the cache until its dispatch came',
  },
  { types: /^action_channel_delete$/, field: 'data.shardId', because: 'as above' },
  {
    types: /^shard_disconnect$/,
    field: 'data.code',
    because: 'discord.py does not tell the close code',
  },
  {
    types: /^shard_resume$/,
    field: 'data.replayedEvents',
    because: 'discord.py does not tell the number',
  },
  {
    types: /^guild_(?:join|leave)$/,
    field: 'data.guildCount',
    because: 'two shards are two sockets: which of two changes comes first is chance',
  },
];

/**
 * Types that come by the clock: how many there are, and what they find at that moment, depends on how
 * long a run took. Of each shard and each guild of the seed one form is compared.
 */
const BY_THE_CLOCK: ReadonlySet<string> = new Set(['heartbeat', 'guild_snapshot']);
const MOMENTARY = /^data\.(?:guildCount|memberCount|rest\w+)$/;

/**
 * Events as texts that are equal for both SDKs, sorted. The order of the fields is kept: the two
 * write the same JSON.
 */
export function comparable(
  events: readonly JsonObject[],
  known: ReadonlySet<string>,
): readonly string[] {
  const text = (event: JsonObject): string => JSON.stringify(normalised(event, known));
  const counted = events.filter((event) => !BY_THE_CLOCK.has(typeOf(event)));
  const timed = events.filter((event) => BY_THE_CLOCK.has(typeOf(event)) && isOfSeed(event, known));
  return [...counted.map(text), ...new Set(timed.map(text))].toSorted();
}

function isOfSeed({ guildId }: JsonObject, known: ReadonlySet<string>): boolean {
  return typeof guildId !== 'string' || known.has(guildId);
}

export function typeOf(event: JsonObject | undefined): string {
  const type = event?.['type'];
  return typeof type === 'string' ? type : '';
}

function normalised(event: JsonObject, known: ReadonlySet<string>): JsonObject {
  const type = typeOf(event);
  const fields = Object.entries(event).flatMap(([name, value]): [string, Json | undefined][] => {
    if (name === 'id' || name === 'ts') return [[name, kindOf(value)]];
    if (name === 'data' && isObject(value)) return [[name, dataOf(type, value)]];
    if (mayDiffer(type, name)) return [];
    // What came into being during the run has an id of its own time.
    const isNew = name.endsWith('Id') && typeof value === 'string' && !known.has(value);
    return [[name, isNew ? 'new' : value]];
  });
  return Object.fromEntries(fields);
}

function dataOf(type: string, data: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const field = `data.${name}`;
      if (mayDiffer(type, field)) return [name, 'differs'];
      const ofRun = RUN_FIELDS.test(field) || (BY_THE_CLOCK.has(type) && MOMENTARY.test(field));
      return [name, ofRun ? kindOf(value) : value];
    }),
  );
}

function mayDiffer(type: string, field: string): boolean {
  return DIFFERENCES.some((one) => one.field === field && one.types.test(type));
}

function kindOf(value: Json | undefined): Json {
  return value === null ? null : typeof value;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
