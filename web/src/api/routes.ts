import type { ROUTES, RouteName } from '@bot-analytics/protocol/read-api';

type Table = typeof ROUTES;

/**
 * Addresses and methods of the routes that the page calls. The compiler compares each with the table in
 * `protocol`; only its types are imported, so the validator stays out of the bundle.
 */
export const CALLS = {
  botList: 'GET /v1/bots',
  botCreate: 'POST /v1/bots',
  botGet: 'GET /v1/bots/:bot',
  botSet: 'PATCH /v1/bots/:bot',
  sampleBotCreate: 'POST /v1/sample-bot',
  sampleBotRemove: 'DELETE /v1/sample-bot',
  keyList: 'GET /v1/bots/:bot/keys',
  keyCreate: 'POST /v1/bots/:bot/keys',
  keyRotate: 'POST /v1/bots/:bot/keys/rotate',
  keyRevoke: 'DELETE /v1/keys/:keyId',
  status: 'GET /v1/bots/:bot/status',
  statusStream: 'GET /v1/bots/:bot/status/stream',
  shardHistory: 'GET /v1/bots/:bot/shards/:shard/history',
  apiUsage: 'GET /v1/bots/:bot/api-usage',
  events: 'GET /v1/bots/:bot/events',
  health: 'GET /v1/bots/:bot/health',
  shareList: 'GET /v1/bots/:bot/shares',
  shareCreate: 'POST /v1/bots/:bot/shares',
  shareRevoke: 'DELETE /v1/shares/:shareId',
  publicInfo: 'GET /v1/public/:token',
  publicStatus: 'GET /v1/public/:token/status',
  publicStatusStream: 'GET /v1/public/:token/status/stream',
  publicShardHistory: 'GET /v1/public/:token/shards/:shard/history',
  publicApiUsage: 'GET /v1/public/:token/api-usage',
  sessionCreate: 'POST /v1/session',
  sessionGet: 'GET /v1/session',
  sessionEnd: 'DELETE /v1/session',
} as const satisfies {
  [Name in RouteName]?: `${Table[Name]['method']} ${Table[Name]['path']}`;
};

export type CallName = keyof typeof CALLS;

type Output<Schema> = Schema extends { _zod: { output: infer Out } } ? Out : string;
type Input<Schema> = Schema extends { _zod: { input: infer In } } ? In : undefined;

/** What a route answers. */
export type Answer<Name extends CallName> = Output<Table[Name]['answer']>;
/** What a route takes as JSON body; `undefined` when it takes none. */
export type Body<Name extends CallName> = Input<Table[Name]['body']>;

/** Values for the `:names` of an address. */
export type PathValues = Readonly<Record<string, string | number>>;
/** Query parameters; `undefined` ones are left out. */
export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** Method and address of a call. */
export function addressOf(
  name: CallName,
  path: PathValues = {},
  query: QueryValues = {},
): { readonly method: string; readonly url: string } {
  const [method = 'GET', template = ''] = CALLS[name].split(' ');
  const url = template.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(path[key] ?? '')),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.set(key, String(value));
  }
  const text = search.toString();
  return { method, url: text === '' ? url : `${url}?${text}` };
}
