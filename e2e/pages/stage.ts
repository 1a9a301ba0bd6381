import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Api, openBrowser, tempFolder, until, type BotKeys } from '../stage.ts';
import { Child, root } from './child.ts';

/** How a page is looked at. */
export interface View {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Without a session. */
  readonly stranger?: boolean;
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** Faults that a test brings about on purpose: refused requests and a server that is away. */
const EXPECTED = /Failed to load resource|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/;

/** The real server with a clock of its own, and one Chromium. */
export class Stage {
  readonly browser: Browser;
  /** Script errors, errors on the console and breaches of the policy, of all pages. */
  readonly faults: string[] = [];
  readonly #folder = tempFolder();
  readonly #children = new Set<Child>();
  #server: Child | undefined;
  #api: Api | undefined;
  #aheadMs = 0;
  #port = 0;
  #cookies: Cookies = [];

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  /** `aheadMs`: how far the clock of the server is ahead at first; may be negative. */
  static async open(aheadMs = 0): Promise<Stage> {
    const stage = new Stage(await openBrowser());
    stage.#aheadMs = aheadMs;
    await stage.startServer();
    return stage;
  }

  get api(): Api {
    if (this.#api === undefined) throw new Error('The server does not run.');
    return this.#api;
  }

  get url(): string {
    return this.api.url;
  }

  /** Starts the server; a second start takes the same port, the same data and the same clock. */
  async startServer(): Promise<void> {
    this.#server = this.run(process.execPath, ['e2e/pages/server.mjs'], {
      PORT: String(this.#port),
      DATA_DIR: this.#folder.path,
      AHEAD_MS: String(this.#aheadMs),
    });
    const answer = await this.#server.ask('start');
    const { url, adminToken } = answer as { url: string; adminToken: string }; // of server.mjs
    this.#port = Number(new URL(url).port);
    this.#api = new Api(url, adminToken);
  }

  /** As the kernel does when memory runs out. */
  async killServer(): Promise<void> {
    await this.#server?.kill('SIGKILL');
  }

  /** Turns the clock of the server to `ms` before or after the real one. */
  async setAhead(ms: number): Promise<void> {
    this.#aheadMs = ms;
    await this.#server?.ask('ahead', ms);
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Does now what the server does every minute or more seldom. */
  async chores(): Promise<void> {
    await this.#server?.ask('chores');
  }

  async loginLink(): Promise<string> {
    return String(await this.#server?.ask('loginLink'));
  }

  /** A process that ends with the stage at the latest. */
  run(command: string, args: readonly string[], variables: Record<string, string>): Child {
    const child = new Child(command, args, variables);
    this.#children.add(child);
    return child;
  }

  /** A discord.js bot, one process of it. */
  discordJs(bot: BotKeys, restUrl: string, variables: Record<string, string> = {}): Child {
    return this.run(process.execPath, ['e2e/pages/bot.mjs'], {
      CHAT_SIM_REST: restUrl,
      BOT_ANALYTICS_API_KEY: bot.apiKey,
      BOT_ANALYTICS_ENDPOINT: this.url,
      ...variables,
    });
  }

  /** A discord.py bot. */
  discordPy(bot: BotKeys, sim: { readonly restUrl: string; readonly gatewayUrl: string }): Child {
    return this.run(join(root, '.venv/bin/python'), ['-u', 'sdk-py/examples/demo_bot.py'], {
      CHAT_SIM_REST: sim.restUrl,
      CHAT_SIM_GATEWAY: sim.gatewayUrl,
      BOT_ANALYTICS_API_KEY: bot.apiKey,
      BOT_ANALYTICS_ENDPOINT: this.url,
      DISCORD_TOKEN: 'any.token',
    });
  }

  /** A page in a browser of its own, logged in unless told otherwise. */
  async page(view: View = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: view.width ?? 1_280, height: 800 },
      colorScheme: view.colorScheme ?? 'light',
      timezoneId: 'Europe/Berlin',
      locale: 'en-US',
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' || EXPECTED.test(message.text())) return;
      this.faults.push(`${page.url()}: ${message.text()}`);
    });
    if (view.stranger !== true) await this.#logIn(context, page);
    return page;
  }

  /** With a link the first time, with its session afterwards. */
  async #logIn(context: BrowserContext, page: Page): Promise<void> {
    if (this.#cookies.length > 0) return context.addCookies(this.#cookies);
    await page.goto(await this.loginLink());
    await page.waitForURL((url) => url.pathname !== '/login');
    this.#cookies = await context.cookies();
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#server?.kill('SIGTERM');
    for (const child of this.#children) await child.kill();
    this.#folder.remove();
  }
}

/** Asks the read API of a bot until the answer pleases. */
export async function answerOf<T>(
  stage: Stage,
  bot: BotKeys,
  path: string,
  pleases: (answer: T) => boolean,
): Promise<T> {
  const ask = async (): Promise<T | undefined> => {
    const response = await fetch(`${stage.url}/v1/bots/${bot.botId}/${path}`, {
      headers: { authorization: `Bearer ${bot.readKey}` },
    });
    const answer = (await response.json()) as T;
    return response.ok && pleases(answer) ? answer : undefined;
  };
  return await until(path, ask, 120_000);
}
