import { Status, StatusDelta } from '@bot-analytics/protocol/read-api';
import { beforeEach, expect, test } from 'vitest';
import { gunzipSync, constants } from 'node:zlib';
import fc from 'fast-check';
import { Frame, FrameRing, GZIP_HEADER, RING_TICKS } from '../../../src/status/frames.ts';
import { QUEUED_BYTES_MAX, StatusHub, type Viewer } from '../../../src/status/hub.ts';
import type { ShardPresence } from '../../../src/status/presence.ts';
import { statusView } from '../../../src/status/view.ts';
import { shard, T0 } from './heartbeats.ts';

class FakeViewer implements Viewer {
  readonly frames: Frame[] = [];
  closed = false;
  queued = 0;
  welcome = true;
  write(frame: Frame): void {
    this.frames.push(frame);
  }
  queuedBytes(): number {
    return this.queued;
  }
  close(): void {
    this.closed = true;
  }
  mayStay(): Promise<boolean> {
    return Promise.resolve(this.welcome);
  }
  /** Name, id and data of every event so far. */
  events(): { event: string; id: string; data: unknown }[] {
    const blocks = Buffer.concat(this.frames.map((frame) => frame.plain))
      .toString()
      .split('\n\n');
    return blocks
      .filter((block) => block.includes('event: '))
      .map((block) => {
        const lines = new Map(
          block
            .split('\n')
            .map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]),
        );
        return {
          event: lines.get('event') ?? '',
          id: lines.get('id') ?? '',
          data: JSON.parse(lines.get('data') ?? 'null'),
        };
      });
  }
}

let nowMs: number;
let shards: ShardPresence[];
let views: number;
let tick: () => void;
let hub: StatusHub;

function second(): void {
  nowMs += 1_000;
  tick();
}

function newHub(streamsMax = 10, epoch = 7): StatusHub {
  const made = new StatusHub({
    env: {
      every: (_ms, fn) => {
        tick = fn;
        return () => undefined;
      },
      after: (_ms, fn) => {
        fn();
        return () => undefined;
      },
      randomBytes: (size) => Buffer.alloc(size, epoch),
    },
    viewOf: () => {
      views += 1;
      return statusView(shards, new Map(), nowMs);
    },
    streamsMax,
  });
  made.start();
  return made;
}

beforeEach(() => {
  nowMs = T0;
  shards = [shard(0, T0)];
  views = 0;
  hub = newHub();
});

test('a stream begins with a whole status and goes on with what changed', () => {
  const viewer = new FakeViewer();
  hub.open('bot', viewer, undefined);
  second();
  shards = [shard(0, nowMs, { wsPingMs: 99 })];
  second();
  const [first, next, ...rest] = viewer.events();
  expect(rest).toEqual([]);
  expect(first?.event).toBe('snapshot');
  expect(Status.parse(first?.data)).toEqual(first?.data);
  expect(next?.event).toBe('delta');
  expect(StatusDelta.parse(next?.data)).toEqual(next?.data);
  expect(next?.data).toMatchObject({ shards: [{ shardId: 0, wsPingMs: 99 }] });
});

test('a viewer of a bot in which nothing changes is told the time of now, not of the first viewer', () => {
  hub.open('bot', new FakeViewer(), undefined);
  for (let i = 0; i < 60; i++) second();
  const late = new FakeViewer();
  hub.open('bot', late, undefined);
  expect(late.events()[0]?.data).toMatchObject({ generatedAt: new Date(nowMs).toISOString() });
});

test('a shard turns grey after two minutes without any heartbeat to say so', () => {
  const viewer = new FakeViewer();
  hub.open('bot', viewer, undefined);
  for (let i = 0; i < 119; i++) second();
  expect(viewer.events()).toHaveLength(1);
  second();
  expect(viewer.events().at(-1)?.data).toMatchObject({ online: 0, shards: [{ state: 'offline' }] });
});

test('one view a bot and second, and the same bytes for every viewer', () => {
  const [first, last] = [new FakeViewer(), new FakeViewer()];
  for (const viewer of [first, new FakeViewer(), last]) hub.open('bot', viewer, undefined);
  views = 0;
  shards = [shard(0, nowMs, { wsPingMs: 1 })];
  second();
  expect(views).toBe(1);
  expect(first.frames.at(-1)).toBe(last.frames.at(-1));
  expect(first.frames.at(-1)?.packed).toBe(last.frames.at(-1)?.packed);
});

test('a viewer that comes back gets only what it missed', () => {
  const first = new FakeViewer();
  const close = hub.open('bot', first, undefined);
  const seen = first.events().at(-1)?.id;
  close?.();
  for (const wsPingMs of [1, 2, 3]) {
    shards = [shard(0, nowMs, { wsPingMs })];
    second();
  }
  const again = new FakeViewer();
  hub.open('bot', again, seen);
  expect(again.events().map((e) => e.event)).toEqual(['delta', 'delta', 'delta']);
  const upToDate = new FakeViewer();
  hub.open('bot', upToDate, again.events().at(-1)?.id);
  expect(upToDate.events()).toEqual([]);
});

test.each(['', 'x', 'BwcHBwcH.99', 'BwcHBwcH.-1', 'AAAAAAAA.0', 'BwcHBwcH.0.0'])(
  'an id that means nothing here (%j) starts with a snapshot',
  (id) => {
    const viewer = new FakeViewer();
    hub.open('bot', viewer, id);
    expect(viewer.events().map((e) => e.event)).toEqual(['snapshot']);
  },
);

test('after more than 120 frames, or a restart, a viewer starts anew', () => {
  const first = new FakeViewer();
  hub.open('bot', first, undefined);
  const id = first.events()[0]?.id;
  for (let i = 0; i <= RING_TICKS; i++) {
    shards = [shard(0, nowMs, { wsPingMs: i })];
    second();
  }
  const late = new FakeViewer();
  hub.open('bot', late, id);
  expect(late.events().map((e) => e.event)).toEqual(['snapshot']);
  const restarted = new FakeViewer();
  newHub(10, 8).open('bot', restarted, id);
  expect(restarted.events().map((e) => e.event)).toEqual(['snapshot']);
});

test('a shard that leaves is told by a snapshot in the open stream', () => {
  const old = shard(1, T0 - 300_000, { shardCount: 2 });
  shards = [shard(0, T0, { shardCount: 2 }), old];
  const viewer = new FakeViewer();
  hub.open('bot', viewer, undefined);
  shards = [shard(0, nowMs + 1, { shardCount: 1 }), old];
  second();
  expect(viewer.events().map((e) => e.event)).toEqual(['snapshot', 'snapshot']);
  expect(viewer.events().at(-1)?.data).toMatchObject({ total: 1, shardCount: 1 });
});

test('a comment every 15 s', () => {
  const viewer = new FakeViewer();
  hub.open('bot', viewer, undefined);
  for (let i = 0; i < 45; i++) second();
  expect(viewer.frames.filter((frame) => frame.plain.toString() === ': ping\n\n')).toHaveLength(3);
});

test('a viewer with a backlog over 256 kB is let go, the others stay', () => {
  const slow = new FakeViewer();
  const quick = new FakeViewer();
  hub.open('bot', slow, undefined);
  hub.open('bot', quick, undefined);
  slow.queued = QUEUED_BYTES_MAX + 1;
  // The snapshot alone may be larger: a slow line has 30 s to take it.
  for (let i = 0; i < 30; i++) {
    shards = [shard(0, nowMs, { wsPingMs: i })];
    second();
  }
  expect(slow.closed).toBe(false);
  shards = [shard(0, nowMs, { wsPingMs: 99 })];
  second();
  expect([slow.closed, quick.closed, hub.openStreams()]).toEqual([true, false, 1]);
});

test('the caller is judged again every 60 s', async () => {
  const viewer = new FakeViewer();
  hub.open('bot', viewer, undefined);
  viewer.welcome = false;
  for (let i = 0; i < 59; i++) second();
  await Promise.resolve();
  expect(viewer.closed).toBe(false);
  second();
  await Promise.resolve();
  await Promise.resolve();
  expect([viewer.closed, hub.openStreams()]).toEqual([true, 0]);
});

test('streams over the bound are refused until one ends', () => {
  hub = newHub(1);
  const close = hub.open('bot', new FakeViewer(), undefined);
  expect(hub.isFull()).toBe(true);
  expect(hub.open('bot', new FakeViewer(), undefined)).toBeUndefined();
  close?.();
  close?.();
  expect(hub.openStreams()).toBe(0);
  expect(hub.open('other', new FakeViewer(), undefined)).toBeDefined();
});

test('stopping ends every stream', () => {
  const viewer = new FakeViewer();
  hub.open('bot', viewer, undefined);
  hub.stop();
  expect([viewer.closed, hub.openStreams()]).toEqual([true, 0]);
});

test('the ring tells whether it has every frame behind a version', () => {
  const ring = new FrameRing();
  expect(ring.since(0, 0)).toEqual([]);
  expect(ring.since(0, 1)).toBeUndefined();
  for (let version = 1; version <= RING_TICKS + 5; version++)
    ring.push(version, new Frame(Buffer.of(1)));
  expect(ring.since(4, RING_TICKS + 5)).toBeUndefined();
  expect(ring.since(5, RING_TICKS + 5)).toHaveLength(RING_TICKS);
  expect(ring.since(RING_TICKS + 6, RING_TICKS + 5)).toBeUndefined();
});

test('packed frames in any row are one gzip stream of the same bytes', () => {
  const frames = fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 8 });
  fc.assert(
    fc.property(frames, (texts) => {
      const made = texts.map((text) => new Frame(Buffer.from(text)));
      const packed = Buffer.concat([GZIP_HEADER, ...made.map((frame) => frame.packed)]);
      const plain = Buffer.concat(made.map((frame) => frame.plain));
      const read = gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
      expect(read.equals(plain)).toBe(true);
    }),
  );
});
