import type { CDPSession, Page } from 'playwright-core';

/** Reads the CPU time that the main thread of a page has used, ms. Wall time says nothing on two shared cores. */
export class CpuMeter {
  readonly #cdp: CDPSession;

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  static async of(page: Page): Promise<CpuMeter> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new CpuMeter(cdp);
  }

  async #taskMs(): Promise<number> {
    const { metrics } = await this.#cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  }

  /** CPU of `act` and of everything that it sets off, ms. */
  async during(act: () => Promise<unknown>): Promise<number> {
    const before = await this.#taskMs();
    await act();
    return (await this.#taskMs()) - before;
  }

  /** Live bytes of the script heap after a collection. */
  async heapBytes(): Promise<number> {
    await this.#cdp.send('HeapProfiler.enable');
    await this.#cdp.send('HeapProfiler.collectGarbage');
    return (await this.#cdp.send('Runtime.getHeapUsage')).usedSize;
  }
}

/** Two frames: style, layout and paint of what was just done are over. */
export function settled(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)));
      }),
  );
}

/** Waits in the page for an element. A locator that searches text would cost more than what it waits for. */
export function appears(page: Page, selector: string): Promise<void> {
  return page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (document.querySelector(wanted) === null) return;
          clearInterval(timer);
          resolve();
        }, 5);
      }),
    selector,
  );
}

/** Clicks without searching text. */
export function clickOn(page: Page, selector: string): Promise<void> {
  return page.evaluate((wanted) => {
    document.querySelector<HTMLElement>(wanted)?.click();
  }, selector);
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
