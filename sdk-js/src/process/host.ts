import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { HostProcess } from '../collect/process-figures.ts';
import { tenths } from '../core/read.ts';

/** Sampling interval of the loop delay. An idle loop shows this value, so it is subtracted. */
const RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;
const P95 = 95;

/** Figures of this process. */
export function hostProcess(): HostProcess {
  let delays: IntervalHistogram | undefined;
  try {
    delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delays.enable();
  } catch {
    // The runtime has no such monitor.
  }
  return {
    runtime: ['bun', 'deno'].find((name) => name in process.versions) ?? 'node',
    runtimeVersion: process.version,
    memoryBytes: () => process.memoryUsage.rss(),
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    uptimeMs: () => Math.round(process.uptime() * 1_000),
    takeLoopDelayP95Ms: () => {
      if (!delays?.count) return null;
      const ms = delays.percentile(P95) / NS_PER_MS - RESOLUTION_MS;
      delays.reset();
      return tenths(Math.max(0, ms));
    },
    stop: () => delays?.disable(),
  };
}

let instance: string | undefined;

/** UUID of this process; all instances share it. */
export function instanceId(): string {
  return (instance ??= crypto.randomUUID());
}

/** Environment variables; empty where the runtime does not allow to read them. */
export function environment(): Readonly<Record<string, string | undefined>> {
  try {
    return { ...process.env };
  } catch {
    return {};
  }
}
