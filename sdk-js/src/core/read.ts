/**
 * Objects of other people are looked at as they come, and every property is taken only when it has
 * the expected kind: a property that is missing costs one signal and not the bot.
 */

/** True for everything that has properties, except functions. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Property of anything; undefined when there is none or its getter throws. */
export function prop(owner: unknown, name: string): unknown {
  try {
    return (owner as Partial<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** Property behind several names. */
export function path(owner: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(prop, owner);
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function finite(value: unknown): number | null {
  return Number.isFinite(value) ? (value as number) : null;
}

export function integer(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** One decimal: latencies with a resolution of 0.1 ms, memory of 0.1 MB. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
