import { describe, expect, test } from 'vitest';
import { cookieName, readSessionCookie, sessionCookie } from '../../../src/sessions/cookie.ts';
import { mayChange, type OriginHeaders } from '../../../src/sessions/origin.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PUBLIC = 'https://stats.example.org';

describe('a change by a session', () => {
  test.each<[string, OriginHeaders, boolean]>([
    ['POST', { ...JSON_TYPE, 'sec-fetch-site': 'same-origin' }, true],
    ['POST', { 'content-type': 'application/json; charset=utf-8', origin: PUBLIC }, true],
    ['POST', { ...JSON_TYPE, origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' }, true],
    ['DELETE', { 'sec-fetch-site': 'same-origin' }, true],
    ['GET', {}, true],
    // A form of another site.
    ['POST', { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' }, false],
    ['POST', { ...JSON_TYPE, 'sec-fetch-site': 'cross-site', origin: PUBLIC }, false],
    ['POST', { ...JSON_TYPE, 'sec-fetch-site': 'same-site' }, false],
    ['POST', { ...JSON_TYPE, 'sec-fetch-site': 'none' }, false],
    ['POST', { ...JSON_TYPE, origin: 'https://evil.example', host: 'stats.example.org' }, false],
    ['POST', { ...JSON_TYPE, origin: 'null', host: 'null' }, false],
    ['POST', { ...JSON_TYPE }, false],
    ['POST', { 'sec-fetch-site': 'same-origin' }, false],
    ['POST', { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }, false],
    ['POST', { 'sec-fetch-site': 'same-origin', 'content-type': 'application/jsonp' }, false],
    ['PATCH', { ...JSON_TYPE, origin: 'https://stats.example.org.evil.example' }, false],
    ['DELETE', { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }, false],
    ['DELETE', {}, false],
  ])('%s with %j: %s', (method, headers, expected) => {
    expect(mayChange(method, headers, PUBLIC)).toBe(expected);
  });
});

describe('the cookie', () => {
  test('is bound to the host over https', () => {
    expect(sessionCookie('abc', true)).toBe(
      '__Host-bot_analytics=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure',
    );
    expect(sessionCookie('abc', false)).toBe(
      'bot_analytics=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict',
    );
    expect(sessionCookie('', false)).toContain('bot_analytics=; Path=/; Max-Age=0');
  });

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['a=b', undefined],
    ['bot_analytics=abc', 'abc'],
    ['a=b; bot_analytics=abc;c=d', 'abc'],
    ['bot_analytics=abc; bot_analytics=planted', 'abc'],
    ['xbot_analytics=abc', undefined],
  ])('%j holds %s', (header, secret) => expect(readSessionCookie(header, false)).toBe(secret));

  test('without the prefix is not believed over https', () => {
    expect(readSessionCookie(`${cookieName(false)}=planted`, true)).toBeUndefined();
  });
});
