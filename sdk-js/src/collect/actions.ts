import {
  ACTION_BODY_FIELDS,
  apiPath,
  classifyAction,
  type ActionType,
} from '@bot-analytics/protocol';
import { isObject, prop, tenths } from '../core/read.ts';
import type { EventInput } from '../event/encode.ts';
import type { ClientView, RestCall } from './adapter.ts';

const GUILD = /^\/guilds\/(\d{17,20})/;
const CHANNEL = /^\/channels\/(\d{17,20})/;
/** The user that a call is about: member, ban, or whose reaction is removed. */
const USER = /\/(?:members|bans|reactions\/[^/]+)\/(\d{17,20})/;
const WEBHOOK = /^\/webhooks\/(\d{17,20})/;

/** Actions whose changed properties are reported by name. catalogue.md A2. */
const WITH_FIELDS: ReadonlySet<ActionType> = new Set<ActionType>([
  'action_member_timeout',
  'action_member_update',
  'action_channel_update',
]);
const FIELDS: ReadonlySet<string> = new Set(ACTION_BODY_FIELDS);

/** Names of the properties of a request body; none for a form or a text. */
function bodyKeys(body: unknown): readonly string[] {
  return isObject(body) && !Array.isArray(body) ? Object.keys(body) : [];
}

/** The event of a REST call, null when it is none of the 22 actions. Reads no values but array lengths. */
export function actionEvent(call: RestCall, client: ClientView, nowMs: number): EventInput | null {
  const keys = bodyKeys(call.body);
  const type = classifyAction(call.method, call.path, keys);
  if (type === null) return null;
  const path = apiPath(call.path);
  const channelId = CHANNEL.exec(path)?.[1] ?? null;
  const guildId = GUILD.exec(path)?.[1] ?? call.channelGuildId;
  return {
    type,
    tsMs: nowMs,
    guildId,
    channelId,
    userId: USER.exec(path)?.[1] ?? null,
    data: {
      success: call.success,
      status: call.status,
      errorCode: call.errorCode,
      latencyMs: tenths(call.latencyMs),
      ...details(type, path, call, client),
      shardId: guildId === null ? null : client.shardOfGuild(guildId),
    },
  };
}

function details(type: ActionType, path: string, call: RestCall, client: ClientView): object {
  if (type.startsWith('action_message_') || type === 'action_webhook_send') {
    const via = viaOf(path, client);
    return type === 'action_message_bulk_delete'
      ? { via, ...countOf(call.body, 'messages') }
      : { via };
  }
  if (type === 'action_member_ban') return countOf(call.body, 'user_ids');
  if (!WITH_FIELDS.has(type)) return {};
  const fields = bodyKeys(call.body).filter((key) => FIELDS.has(key));
  if (type !== 'action_member_timeout') return { fields };
  return { fields, cleared: prop(call.body, 'communication_disabled_until') === null };
}

function viaOf(path: string, client: ClientView): 'channel' | 'webhook' | 'followup' {
  const webhookId = WEBHOOK.exec(path)?.[1];
  if (webhookId === undefined) return 'channel';
  return webhookId === client.applicationId() ? 'followup' : 'webhook';
}

function countOf(body: unknown, name: string): object {
  const list = prop(body, name);
  return Array.isArray(list) ? { count: list.length } : {};
}
