import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startMock } from '../mock/server.ts';
import type { MockServer } from '../mock/server.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const RUN = {
  all: { type: 'tag', values: TAGS },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;

/** One Chromium and one stand-in server for all suites. */
export class Stage {
  readonly #browser: Browser;
  readonly mock: MockServer;
  /** What went wrong in the pages that were opened: script errors and refusals by the policy. */
  readonly faults: string[] = [];

  private constructor(browser: Browser, mock: MockServer) {
    this.#browser = browser;
    this.mock = mock;
  }

  static async open(): Promise<Stage> {
    const dist = fileURLToPath(new URL('../../dist/index.html', import.meta.url));
    if (!existsSync(dist)) throw new Error('Run `npm run build -w @bot-analytics/web` first.');
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS });
    return new Stage(browser, await startMock());
  }

  async page(width = 1_280): Promise<Page> {
    const context: BrowserContext = await this.#browser.newContext({
      viewport: { width, height: 800 },
      timezoneId: 'Europe/Berlin',
      locale: 'en-US',
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => this.faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedScript|TrustedHTML/i.test(message.text())) {
        this.faults.push(`${page.url()}: ${message.text()}`);
      }
    });
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.mock.close();
  }
}

/** Ends what a page does and forgets what it kept. */
export async function leave(page: Page): Promise<void> {
  if (page.url().startsWith('http')) await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
}

/** Every rule that the page breaks, one line each. */
export async function axeFaults(
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    interface Axe {
      run(root: Document, options: unknown): Promise<{ violations: readonly Violation[] }>;
    }
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const options = { runOnly, resultTypes: ['violations'] };
    const { violations } = await axe.run(document, options);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ''}`,
    );
  }, RUN[rules]);
}

/** Text that does not fit: a page that scrolls sideways, or a card that cuts its content. */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth)
      faults.push(`page is ${scrollWidth} px wide in ${clientWidth} px`);
    for (const box of document.querySelectorAll('[data-clip], [data-clip-items] > *')) {
      const tooHigh = box.scrollHeight > box.clientHeight + 1;
      const tooWide = box.scrollWidth > box.clientWidth + 1;
      if (tooHigh || tooWide) faults.push(`cut: ${box.textContent.slice(0, 60)}`);
    }
    return faults;
  });
}

/** WCAG 1.4.12, as a constructed sheet: the policy refuses style elements. */
export function setTextSpacing(page: Page, on: boolean): Promise<void> {
  return page.evaluate((wanted) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
    );
    document.adoptedStyleSheets = wanted ? [sheet] : [];
  }, on);
}
