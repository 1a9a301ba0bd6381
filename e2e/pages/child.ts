import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A process that this test started and ends, by its own handle. */
export class Child {
  readonly #child: ChildProcess;
  #errors = '';

  constructor(command: string, args: readonly string[], variables: Record<string, string>) {
    this.#child = spawn(command, [...args], {
      cwd: root,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4_000);
    });
  }

  /** Sends an order, if any, and waits for the message that says that it is done. */
  async ask(order: string, value: unknown = null): Promise<unknown> {
    const ended = once(this.#child, 'exit').then(() => {
      throw new Error(`The process ended:\n${this.#errors}`);
    });
    const answered = this.#answer(order);
    if (order !== 'start') this.#child.send({ order, value });
    return await Promise.race([answered, ended]);
  }

  #answer(order: string): Promise<unknown> {
    return new Promise((resolve) => {
      const hear = (message: unknown): void => {
        const { done, answer } = message as { done: string; answer: unknown }; // ours, see server.mjs
        if (done !== order) return;
        this.#child.off('message', hear);
        resolve(answer);
      };
      this.#child.on('message', hear);
    });
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }
}
