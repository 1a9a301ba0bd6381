import { ACTION_BODY_FIELDS, apiPath, classifyAction } from '@bot-analytics/protocol';
import { prop, tenths } from '../core/read.ts';
import type { ClientView, RestCall } from './adapter.ts';
import type { Emit } from './parts.ts';

/** Emits the event of a REST call that is one of the 22 actions. Sends no values but array lengths. */
export function emitAction(call: RestCall, client: ClientView, emit: Emit): void {
  const { body, success, status, errorCode, latencyMs } = call;
  // What a library leaves undefined does not reach the platform.
  const fields = ACTION_BODY_FIELDS.filter((name) => prop(body, name) !== undefined);
  const path = apiPath(call.path);
  const type = classifyAction(call.method, path, fields);
  if (!type) return;
  // The shape is known: /guilds/1/members/2, /channels/1/messages/2/reactions/x/3.
  const [, owner, id = '', , member, , , reactor] = path.split('/');
  const channelId = owner === 'channels' ? id : null;
  const guildId = owner === 'guilds' ? id : call.channelGuildId;
  const userId = channelId ? reactor : member;
  const webhook = id === client.applicationId() ? 'followup' : 'webhook';
  const via = channelId ? 'channel' : webhook;
  const list = prop(body, 'messages') ?? prop(body, 'user_ids');
  emit({
    type,
    guildId,
    channelId,
    // `@me` is no id.
    userId: (Number(userId) && userId) || null,
    data: {
      success,
      status,
      errorCode,
      latencyMs: tenths(latencyMs),
      ...(/message|webhook/.test(type) && { via }),
      ...(Array.isArray(list) && { count: list.length }),
      ...(/update|timeout/.test(type) && { fields }),
      ...(/timeout/.test(type) && { cleared: prop(body, 'communication_disabled_until') === null }),
      shardId: guildId && client.shardOfGuild(guildId),
    },
  });
}
