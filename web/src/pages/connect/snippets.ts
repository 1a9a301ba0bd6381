/** Languages that have an SDK. */
export type Language = 'js' | 'py';

/** What goes into a snippet. */
export interface SnippetValues {
  readonly apiKey: string;
  readonly endpoint: string;
}

/** Said above the commands that install an SDK. The same commands stand in README.md; a test compares. */
export const INSTALL_NOTE =
  'The packages are not on the registries yet; a clone of Bot Analytics makes them. Run this in the ' +
  'folder of your bot; the clone lies beside it as ../bot-analytics.';

/** How to install and use an SDK. */
export interface Snippet {
  readonly language: string;
  readonly install: string;
  readonly file: string;
  readonly code: string;
}

/** Stands where the key would be when it can no longer be shown. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

const js = ({
  apiKey,
  endpoint,
}: SnippetValues): string => `import { Analytics } from '@vendor/chat.js';

new Analytics({
  apiKey: ${JSON.stringify(apiKey)},
  endpoint: ${JSON.stringify(endpoint)},
}).attach(client); // your discord.js Client, before client.login()`;

const py = ({ apiKey, endpoint }: SnippetValues): string => `from vendor_chat import Analytics

analytics = Analytics(
    api_key=${JSON.stringify(apiKey)},
    endpoint=${JSON.stringify(endpoint)},
)
analytics.attach(bot)  # your discord.py Client or Bot, before bot.run()`;

/** Ready to paste, key and endpoint filled in. */
export function snippet(language: Language, values: SnippetValues): Snippet {
  if (language === 'js') {
    return {
      language: 'JavaScript',
      install:
        'npm --prefix ../bot-analytics run build && ' +
        'npm install $(npm --prefix ../bot-analytics pack -s -w @vendor/chat.js)',
      file: 'bot.js',
      code: js(values),
    };
  }
  return {
    language: 'Python',
    install: 'pip install ../bot-analytics/sdk-py',
    file: 'bot.py',
    code: py(values),
  };
}

/** An empty batch: proves that endpoint and key work, and stores nothing. design.md 5. */
export function curlTest({ apiKey, endpoint }: SnippetValues): string {
  const url = endpoint.endsWith('/v1/events')
    ? endpoint
    : `${endpoint.replace(/\/$/, '')}/v1/events`;
  return [
    `curl -i ${url} \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"events":[]}'`,
  ].join('\n');
}
