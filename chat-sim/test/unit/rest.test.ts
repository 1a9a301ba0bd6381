import { Routes } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/json.ts';
import { faultAnswer } from '../../src/rest/fault-answers.ts';
import { decodeBody } from '../../src/rest/body.ts';
import { RestFaults } from '../../src/rest/faults.ts';
import { RateLimits, majorParameter, rateLimitHeaders } from '../../src/rest/rate-limit.ts';
import { Router, stripApiPrefix } from '../../src/rest/router.ts';
import { APPLICATION_ROUTES } from '../../src/rest/routes/application.ts';
import { CHANNEL_ROUTES } from '../../src/rest/routes/channels.ts';
import { GUILD_ROUTES } from '../../src/rest/routes/guilds.ts';
import { INTERACTION_ROUTES } from '../../src/rest/routes/interactions.ts';
import { MESSAGE_ROUTES } from '../../src/rest/routes/messages.ts';

const ID = '123456789012345678';
const OTHER = '223456789012345678';
const router = new Router([
  ...APPLICATION_ROUTES,
  ...INTERACTION_ROUTES,
  ...MESSAGE_ROUTES,
  ...CHANNEL_ROUTES,
  ...GUILD_ROUTES,
]);

describe('routes, built by the official route table', () => {
  const emoji = encodeURIComponent('👍');
  test.each([
    ['POST', Routes.interactionCallback(ID, 'tok'), '/interactions/{id}/{token}/callback'],
    ['PATCH', Routes.webhookMessage(ID, 'tok'), '/webhooks/{id}/{token}/messages/@original'],
    ['PATCH', Routes.webhookMessage(ID, 'tok', OTHER), '/webhooks/{id}/{token}/messages/{id}'],
    ['POST', Routes.webhook(ID, 'tok'), '/webhooks/{id}/{token}'],
    ['POST', Routes.channelMessages(ID), '/channels/{id}/messages'],
    ['POST', Routes.channelBulkDelete(ID), '/channels/{id}/messages/bulk-delete'],
    ['GET', Routes.channelMessagesPins(ID), '/channels/{id}/messages/pins'],
    ['PUT', Routes.channelMessagesPin(ID, OTHER), '/channels/{id}/messages/pins/{id}'],
    ['PUT', Routes.channelPin(ID, OTHER), '/channels/{id}/pins/{id}'],
    ['PUT', Routes.channelMessageOwnReaction(ID, OTHER, emoji), reactions('/@me')],
    ['DELETE', Routes.channelMessageUserReaction(ID, OTHER, emoji, ID), reactions('/{id}')],
    ['DELETE', Routes.channelMessageReaction(ID, OTHER, emoji), reactions('')],
    ['POST', Routes.threads(ID, OTHER), '/channels/{id}/messages/{id}/threads'],
    ['POST', Routes.threads(ID), '/channels/{id}/threads'],
    ['POST', Routes.userChannels(), '/users/@me/channels'],
    ['PUT', Routes.guildMemberRole(ID, OTHER, ID), '/guilds/{id}/members/{id}/roles/{id}'],
    ['PUT', Routes.guildBan(ID, OTHER), '/guilds/{id}/bans/{id}'],
    ['POST', Routes.guildBulkBan(ID), '/guilds/{id}/bulk-ban'],
    ['DELETE', Routes.guildMember(ID, OTHER), '/guilds/{id}/members/{id}'],
    ['PATCH', Routes.guildMember(ID, '@me'), '/guilds/{id}/members/@me'],
    ['POST', Routes.guildChannels(ID), '/guilds/{id}/channels'],
    ['PUT', Routes.channelPermission(ID, OTHER), '/channels/{id}/permissions/{id}'],
    ['POST', Routes.guildRoles(ID), '/guilds/{id}/roles'],
    ['POST', Routes.channelInvites(ID), '/channels/{id}/invites'],
    ['GET', Routes.invite('abc'), '/invites/{code}'],
    ['PUT', Routes.applicationCommands(ID), '/applications/{id}/commands'],
    ['PUT', Routes.applicationGuildCommands(ID, OTHER), '/applications/{id}/guilds/{id}/commands'],
    ['GET', Routes.currentApplication(), '/applications/@me'],
    ['GET', Routes.user(), '/users/@me'],
  ])('%s %s', (method, path, route) => {
    const match = router.match(method, stripApiPrefix(`/api/v10${path}`) ?? '');
    expect(match.route).toBe(route);
    expect(match.handler).toBeTypeOf('function');
  });

  test('parameters are decoded, unknown paths have no handler', () => {
    const path = Routes.channelMessageOwnReaction(ID, OTHER, emoji);
    expect(router.match('PUT', stripApiPrefix(`/api${path}`) ?? '').params).toEqual({
      channel: ID,
      message: OTHER,
      emoji: '👍',
    });
    const unknown = router.match('GET', `/stage-instances/${ID}`);
    expect([unknown.handler, unknown.route]).toEqual([undefined, '/stage-instances/{id}']);
    expect(stripApiPrefix('/metrics')).toBeUndefined();
  });

  function reactions(rest: string): string {
    return `/channels/{id}/messages/{id}/reactions/{emoji}${rest}`;
  }
});

describe('rate limits', () => {
  test('count down, end, and start again with the next window', () => {
    const limits = new RateLimits({ limit: 2, windowMs: 1000 });
    const take = (nowMs: number, major = ID): unknown[] => {
      const state = limits.take('POST /x', major, nowMs);
      return [state.remaining, state.exceeded, state.resetAfterMs];
    };
    expect(take(5000)).toEqual([1, false, 1000]);
    expect(take(5400)).toEqual([0, false, 600]);
    expect(take(5500)).toEqual([0, true, 500]);
    expect(take(5500, OTHER)).toEqual([1, false, 1000]);
    expect(take(6000)).toEqual([1, false, 1000]);
  });

  test("headers are in seconds; the bucket is the route's", () => {
    const limits = new RateLimits({ limit: 5, windowMs: 2000 });
    const one = limits.take('POST /x', ID, 1_700_000_000_250);
    expect(rateLimitHeaders(one)).toEqual({
      'X-RateLimit-Limit': '5',
      'X-RateLimit-Remaining': '4',
      'X-RateLimit-Reset': '1700000002.250',
      'X-RateLimit-Reset-After': '2.000',
      'X-RateLimit-Bucket': one.bucket,
    });
    expect(limits.take('POST /x', OTHER, 0).bucket).toBe(one.bucket);
    expect(limits.take('POST /y', ID, 0).bucket).not.toBe(one.bucket);
  });

  test.each([
    [`/channels/${ID}/messages/${OTHER}`, ID],
    [`/guilds/${ID}/bans`, ID],
    [`/users/${ID}`, ''],
  ])('major parameter of %s is "%s"', (path, major) => {
    expect(majorParameter(path)).toBe(major);
  });
});

describe('faults', () => {
  test('hit what they match, as often as asked, oldest first', () => {
    const faults = new RestFaults();
    const twice = faults.add({ kind: 'forbidden', method: 'POST', times: 2 });
    faults.add({ kind: 'server-error', route: '/x' });
    expect(faults.take('GET', '/y')).toBeUndefined();
    const kinds = [1, 2, 3].map(() => faults.take('POST', '/x')?.kind);
    expect(kinds).toEqual(['forbidden', 'forbidden', 'server-error']);
    expect(twice.hits).toBe(2);
    faults.clear();
    expect(faults.take('POST', '/x')).toBeUndefined();
  });

  test('a CDN block has no platform headers', () => {
    const answer = faultAnswer(
      'rate-limit-edge',
      { kind: 'rate-limit-edge' },
      { 'X-RateLimit-Limit': '5' },
    );
    expect(Object.keys(answer.headers)).toEqual(['Content-Type', 'Retry-After']);
    expect(parseJson(answer.body)).toBeUndefined();
  });
});

test('a form holds its JSON in a field', async () => {
  const form = new URLSearchParams({ payload_json: '{"type":5}' });
  const type = 'application/x-www-form-urlencoded';
  expect(await decodeBody(Buffer.from(form.toString()), type)).toEqual({ type: 5 });
  expect(await decodeBody(Buffer.from('other=1'), type)).toBeUndefined();
});

test('long integers keep every digit, and nothing else changes', () => {
  expect(parseJson('{"ids":[123456789012345678],"n":12,"s":"x 123456789012345678 \\" 1"}')).toEqual(
    {
      ids: ['123456789012345678'],
      n: 12,
      s: 'x 123456789012345678 " 1',
    },
  );
  expect(parseJson('[0.12345678901234567890,1234567890123456e3]')).toEqual([
    0.12345678901234568, 1.234567890123456e18,
  ]);
  expect(parseJson('{')).toBeUndefined();
});
