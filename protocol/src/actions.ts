import type { ActionType } from './catalogue.ts';

/** Methods by which an action reaches the platform. Spec: Actions. */
export type ActionMethod = 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One pattern of an action. */
export interface ActionPattern {
  readonly type: ActionType;
  readonly method: ActionMethod;
  /** Regular expression, anchored, on the path without `/api/vN` prefix and query; `S` stands for a snowflake. */
  readonly path: string;
  /** The pattern holds only when the request body has this key. */
  readonly bodyKey?: string;
}

/** A snowflake in a path. ASCII digits only: `\d` of Python matches digits of every script. */
export const SNOWFLAKE_PATTERN = '[0-9]{17,20}';

const MESSAGE = '^(/channels/S/messages/S|/webhooks/S/[^/]+/messages/(S|@original|%40original))$';
const MEMBER_ROLE = '^/guilds/S/members/S/roles/S$';

/** Tested in this order, the first match wins; no path of the platform fits two. catalogue.md A2. */
export const ACTION_PATTERNS = [
  { type: 'action_message_send', method: 'POST', path: '^/channels/S/messages$' },
  { type: 'action_message_edit', method: 'PATCH', path: MESSAGE },
  { type: 'action_message_delete', method: 'DELETE', path: MESSAGE },
  {
    type: 'action_message_bulk_delete',
    method: 'POST',
    path: '^/channels/S/messages/bulk-delete$',
  },
  { type: 'action_message_pin', method: 'PUT', path: '^/channels/S/(messages/)?pins/S$' },
  {
    type: 'action_reaction_add',
    method: 'PUT',
    path: '^/channels/S/messages/S/reactions/[^/]+/(@me|%40me)$',
  },
  {
    type: 'action_reaction_remove',
    method: 'DELETE',
    path: '^/channels/S/messages/S/reactions(/[^/]+(/(@me|%40me|S))?)?$',
  },
  { type: 'action_thread_create', method: 'POST', path: '^/channels/S/(messages/S/)?threads$' },
  { type: 'action_webhook_send', method: 'POST', path: '^/webhooks/S/[^/]+(/(slack|github))?$' },
  { type: 'action_dm_open', method: 'POST', path: '^/users/(@me|%40me)/channels$' },
  { type: 'action_role_grant', method: 'PUT', path: MEMBER_ROLE },
  { type: 'action_role_revoke', method: 'DELETE', path: MEMBER_ROLE },
  { type: 'action_member_ban', method: 'PUT', path: '^/guilds/S/bans/S$' },
  { type: 'action_member_ban', method: 'POST', path: '^/guilds/S/bulk-ban$' },
  { type: 'action_member_unban', method: 'DELETE', path: '^/guilds/S/bans/S$' },
  { type: 'action_member_kick', method: 'DELETE', path: '^/guilds/S/members/S$' },
  {
    type: 'action_member_timeout',
    method: 'PATCH',
    path: '^/guilds/S/members/S$',
    bodyKey: 'communication_disabled_until',
  },
  { type: 'action_member_update', method: 'PATCH', path: '^/guilds/S/members/(S|@me|%40me)$' },
  { type: 'action_channel_create', method: 'POST', path: '^/guilds/S/channels$' },
  { type: 'action_channel_update', method: 'PATCH', path: '^/channels/S$' },
  { type: 'action_channel_update', method: 'PUT', path: '^/channels/S/permissions/S$' },
  { type: 'action_channel_update', method: 'DELETE', path: '^/channels/S/permissions/S$' },
  { type: 'action_channel_delete', method: 'DELETE', path: '^/channels/S$' },
  { type: 'action_role_create', method: 'POST', path: '^/guilds/S/roles$' },
  { type: 'action_invite_create', method: 'POST', path: '^/channels/S/invites$' },
] as const satisfies readonly ActionPattern[];

/**
 * Body keys whose names may stand in `data.fields`; values never. The list is closed, so that a
 * new property of the platform cannot carry content to the server.
 */
export const ACTION_BODY_FIELDS = [
  'nick',
  'roles',
  'mute',
  'deaf',
  'channel_id',
  'communication_disabled_until',
  'flags',
  'name',
  'type',
  'position',
  'topic',
  'nsfw',
  'rate_limit_per_user',
  'bitrate',
  'user_limit',
  'permission_overwrites',
  'parent_id',
  'archived',
  'locked',
  'invitable',
  'auto_archive_duration',
  'applied_tags',
  'available_tags',
  'allow',
  'deny',
] as const;

interface Compiled {
  readonly type: ActionType;
  readonly regex: RegExp;
  readonly bodyKey: string | undefined;
}

const BY_METHOD: ReadonlyMap<string, readonly Compiled[]> = group();

function group(): ReadonlyMap<string, readonly Compiled[]> {
  const byMethod = new Map<string, Compiled[]>();
  for (const pattern of ACTION_PATTERNS as readonly ActionPattern[]) {
    const compiled = {
      type: pattern.type,
      regex: new RegExp(pattern.path.replaceAll('S', SNOWFLAKE_PATTERN)),
      bodyKey: pattern.bodyKey,
    };
    const list = byMethod.get(pattern.method);
    if (list === undefined) byMethod.set(pattern.method, [compiled]);
    else list.push(compiled);
  }
  return byMethod;
}

/**
 * What is removed from an address, in this order: origin, query and fragment, `/api` or `/api/vN`.
 * Only the path remains.
 */
export const API_PATH_STEPS = [
  '^[A-Za-z]+://[^/]*',
  '[?#][\\s\\S]*$',
  '^/api(/v[0-9]+)?(?=/|$)',
] as const;

const PATH_REGEXES = API_PATH_STEPS.map((pattern) => new RegExp(pattern));

/** The path of a REST call: `https://x/api/v10/users/@me?a=1` becomes `/users/@me`. */
export function apiPath(url: string): string {
  return PATH_REGEXES.reduce((path, regex) => path.replace(regex, ''), url);
}

/**
 * The action of a REST call, or null when it is none of the 22 (an interaction callback is none:
 * the interaction event already carries it).
 *
 * @param method HTTP method in upper case
 * @param url path or whole URL, with or without `/api/vN` and query
 * @param bodyKeys names of the properties of the JSON body
 */
export function classifyAction(
  method: string,
  url: string,
  bodyKeys: readonly string[] = [],
): ActionType | null {
  const candidates = BY_METHOD.get(method);
  if (candidates === undefined) return null;
  const path = apiPath(url);
  for (const { type, regex, bodyKey } of candidates) {
    if (regex.test(path) && (bodyKey === undefined || bodyKeys.includes(bodyKey))) return type;
  }
  return null;
}
