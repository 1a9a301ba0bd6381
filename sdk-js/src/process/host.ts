import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { HostProcess } from '../collect/process-figures.ts';
import { tenths } from '../core/read.ts';

/** Sampling interval of the loop delay. An idle loop shows this value, so it is subtracted. */
const RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;
const P95 = 95;

interface DelayMonitor {
  percentile(percent: number): number;
  readonly count: number;
  reset(): void;
  disable(): boolean;
}

/** Figures of this process. */
export function hostProcess(): HostProcess {
  const delays = startDelays();
  return {
    runtime: runtimeName(),
    runtimeVersion: process.version,
    memoryBytes: () => process.memoryUsage.rss(),
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    uptimeMs: () => Math.round(process.uptime() * 1_000),
    takeLoopDelayP95Ms: () => (delays === null ? null : takeP95(delays)),
    stop: () => {
      delays?.disable();
    },
  };
}

/** Null where the runtime has no such monitor. */
function startDelays(): DelayMonitor | null {
  try {
    const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    monitor.enable();
    return monitor;
  } catch {
    return null;
  }
}

function takeP95(delays: DelayMonitor): number | null {
  if (delays.count === 0) return null;
  const ms = delays.percentile(P95) / NS_PER_MS - RESOLUTION_MS;
  delays.reset();
  return tenths(Math.max(0, ms));
}

function runtimeName(): string {
  if ('bun' in process.versions) return 'bun';
  return 'deno' in process.versions ? 'deno' : 'node';
}

let instance: string | undefined;

/** UUID of this process; all instances share it. */
export function instanceId(): string {
  instance ??= crypto.randomUUID();
  return instance;
}

/** Environment variables; empty where the runtime does not allow to read them. */
export function environment(): Readonly<Record<string, string | undefined>> {
  try {
    return { ...process.env };
  } catch {
    return {};
  }
}
