import type { AnalyticsOptions } from '../../src/api/options.ts';
import type { HostProcess } from '../../src/collect/process-figures.ts';
import { realEnv } from '../../src/core/env.ts';
import type { Env } from '../../src/core/env.ts';
import type { Member } from '../../src/process/member.ts';
import { Sdk } from '../../src/sdk.ts';

export const INSTANCE = '0b8f4c6e-1c1e-4b8e-9d7c-3f1f6f1d2a10';

/** Fixed figures of a process; each can be set. */
export class FixedHost implements HostProcess {
  runtime = 'node';
  runtimeVersion = 'v20.0.0';
  bytes = 100 * 2 ** 20;
  cpu = 0;
  delay: number | null = 1.5;
  stopped = false;
  readonly memoryBytes = (): number => this.bytes;
  readonly cpuMs = (): number => this.cpu;
  readonly uptimeMs = (): number => 1_234;
  readonly takeLoopDelayP95Ms = (): number | null => this.delay;
  readonly stop = (): void => {
    this.stopped = true;
  };
}

/** An SDK with everything from outside in the test's hands. */
export function makeSdk(
  options: AnalyticsOptions,
  outside: { readonly env?: Env; readonly variables?: Record<string, string> } = {},
) {
  const host = new FixedHost();
  const members = new Set<Member>();
  const sdk = new Sdk(options, {
    env: outside.env ?? realEnv(),
    variables: outside.variables ?? {},
    instanceId: () => INSTANCE,
    host: () => host,
    join: (member) => {
      members.add(member);
      return () => members.delete(member);
    },
  });
  return { sdk, host, members };
}
