/** What the parent tells the child at its start, as its only argument. */
export interface ChildConfig {
  readonly dataDir: string;
  readonly socketPath: string;
  /** Reader sessions, 1 to 16. */
  readonly readers: number;
}

/** Child to parent. `refused`: a sentence for the operator; the child exits behind it. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly sentence: string };

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

export function parseChildConfig(text: string): ChildConfig {
  const value: unknown = JSON.parse(text);
  const dataDir = field(value, 'dataDir');
  const socketPath = field(value, 'socketPath');
  const readers = field(value, 'readers');
  const valid =
    typeof dataDir === 'string' && typeof socketPath === 'string' && typeof readers === 'number';
  if (!valid) throw new Error('Expected the engine configuration as the first argument.');
  return { dataDir, socketPath, readers };
}

export function parseChildMessage(value: unknown): ChildMessage | undefined {
  const type = field(value, 'type');
  if (type === 'ready') return { type };
  const sentence = field(value, 'sentence');
  return type === 'refused' && typeof sentence === 'string' ? { type, sentence } : undefined;
}

/** Parent to child: end what runs, close the store, exit 0. */
export const STOP = { type: 'stop' } as const;

export function isStop(value: unknown): boolean {
  return field(value, 'type') === STOP.type;
}
