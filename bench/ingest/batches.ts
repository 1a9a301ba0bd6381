/** Batches as a busy bot sends them: 500 events, about 150 KB, with ids that can be renewed in place. */

const TYPES = [
  ...Array.from({ length: 14 }, () => 'interaction_slash'),
  ...Array.from({ length: 5 }, () => 'action_message_send'),
  'event_message_create',
] as const;
const COMMANDS = ['play', 'queue show', 'config set', 'rank', 'help', 'ban', 'poll create'];
/** Text of a UUIDv7 up to its counter: time, version, variant and 16 fixed bits. */
const ID = '00000000-0000-7000-8000-000000000000';
const COUNTER_DIGITS = 12;

function dataOf(type: string, i: number): object {
  if (type === 'interaction_slash') {
    return {
      commandName: COMMANDS[i % COMMANDS.length],
      interactionKind: 'slash',
      success: i % 29 !== 0,
      latencyMs: 40 + ((i * 37) % 400) / 10,
      timedOut: false,
      shardId: i % 16,
      responseKind: 'reply',
      errorCode: null,
      gatewayDelayMs: 31.5,
    };
  }
  if (type === 'action_message_send') {
    const latencyMs = 80 + (i % 60);
    return { success: true, status: null, errorCode: null, latencyMs, via: 'channel', shardId: 1 };
  }
  const windowStart = '2026-01-01T00:00:00.000Z';
  return { count: 1 + (i % 900), windowStart, windowMs: 60_000, shardId: i % 16, guilds: 12 };
}

/** One batch as bytes; `renew` gives it new ids, which is all that a second sending needs. */
export interface ReusableBatch {
  readonly bytes: Buffer;
  readonly events: number;
  renew(timeMs: number, counter: number): void;
}

/** `worker` keeps the ids of several generators apart. */
export function makeBatch(events: number, nowMs: number, worker: number): ReusableBatch {
  const list = Array.from({ length: events }, (_, i) => {
    const type = TYPES[i % TYPES.length] ?? 'interaction_slash';
    return {
      id: ID,
      type,
      ts: new Date(nowMs - events + i).toISOString(),
      guildId: String(110_000_000_000_000_000n + BigInt(i % 900)),
      channelId: String(220_000_000_000_000_000n + BigInt(i % 4_000)),
      userId: String(330_000_000_000_000_000n + BigInt((i * 7_919) % 60_000)),
      data: dataOf(type, i),
    };
  });
  const sdk = { name: '@vendor/chat.js', version: '0.5.0' };
  const sentAt = new Date(nowMs).toISOString();
  const text = JSON.stringify({ batchId: ID.replace(/0$/, '1'), sdk, sentAt, events: list });
  const bytes = Buffer.from(text);
  const places: number[] = [];
  for (let at = bytes.indexOf(ID); at >= 0; at = bytes.indexOf(ID, at + 36)) places.push(at);
  const lane = worker.toString(16).padStart(3, '0');
  return {
    bytes,
    events,
    renew(timeMs, counter) {
      const time = timeMs.toString(16).padStart(12, '0');
      const head = `${time.slice(0, 8)}-${time.slice(8)}-7${lane}`;
      for (const [i, at] of places.entries()) {
        bytes.write(head, at, 'latin1');
        const number = (counter * events + i).toString(16).padStart(COUNTER_DIGITS, '0');
        bytes.write(number, at + 24, 'latin1');
      }
    },
  };
}

/** The same events as rows of the table `events`, as the server writes them. */
export function rowsOf(batch: ReusableBatch, botId: string, receivedAtMs: number): string {
  const { events } = JSON.parse(batch.bytes.toString()) as {
    events: { [key: string]: string }[];
  };
  return events
    .map((event) => {
      const id = BigInt(`0x${event['id']?.replaceAll('-', '')}`);
      const ts = Date.parse(event['ts'] ?? '');
      const { type, guildId, channelId, userId } = event;
      const data = JSON.stringify(JSON.stringify(event['data']));
      return `["${botId}",${id},"${type}",${ts},${receivedAtMs},${guildId},${channelId},${userId},${data},"2099-01-01"]\n`;
    })
    .join('');
}
