import type { Env } from '../core/env.ts';
import { tenths } from '../core/read.ts';

/** Figures of the process, as its runtime tells them. */
export interface HostProcess {
  readonly runtime: string;
  readonly runtimeVersion: string;
  /** Resident memory, bytes. */
  memoryBytes(): number;
  /** CPU time since the start, user and system, ms. */
  cpuMs(): number;
  /** Age, ms. */
  uptimeMs(): number;
  /** 95th percentile of the event-loop delay since the last call, ms; null when not measured. */
  takeLoopDelayP95Ms(): number | null;
  /** Ends the measurement. */
  stop(): void;
}

/** Figures that stand once per process in a heartbeat. */
export interface Figures {
  readonly memoryMb: number;
  readonly cpuPercent: number;
  readonly eventLoopDelayP95Ms: number | null;
}

const BYTES_PER_MB = 2 ** 20;

/** Turns running totals into figures since the last call. */
export class ProcessFigures {
  readonly #host: HostProcess;
  readonly #env: Env;
  #cpuMs: number;
  #atMs: number;

  constructor(host: HostProcess, env: Env) {
    this.#host = host;
    this.#env = env;
    this.#cpuMs = host.cpuMs();
    this.#atMs = env.monotonic();
  }

  take(): Figures {
    const cpuMs = this.#host.cpuMs();
    const atMs = this.#env.monotonic();
    const tookMs = atMs - this.#atMs;
    const cpuPercent = tookMs > 0 ? ((cpuMs - this.#cpuMs) / tookMs) * 100 : 0;
    this.#cpuMs = cpuMs;
    this.#atMs = atMs;
    return {
      memoryMb: tenths(this.#host.memoryBytes() / BYTES_PER_MB),
      cpuPercent: tenths(Math.max(0, cpuPercent)),
      eventLoopDelayP95Ms: this.#host.takeLoopDelayP95Ms(),
    };
  }
}
