import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWebFiles, registerWebFiles } from '../../src/http/page/static.ts';

const folder = mkdtempSync(join(tmpdir(), 'web-dist-'));
const script = `console.log(${JSON.stringify('x'.repeat(3_000))})`;
let app: FastifyInstance;

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>app</title>');
  writeFileSync(join(folder, 'public.html'), '<!doctype html><title>public</title>');
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  writeFileSync(join(folder, 'assets', 'index-Bx3k9_aQ.js'), script);
  writeFileSync(join(folder, 'assets', 'index-Bx3k9_aQ.js.map'), '{}');
  symlinkSync('/etc/hostname', join(folder, 'link.txt'));
  app = fastify();
  registerWebFiles(app, readWebFiles(folder));
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('the built page', () => {
  test.each([
    ['/', 'app'],
    ['/login', 'app'],
    ['/new', 'app'],
    ['/b/0193f0a0-0000-7000-8000-0000000000b0/status?open=3', 'app'],
    ['/p/abc', 'public'],
    ['/p/abc/status', 'public'],
  ])('%s is the page "%s", asked for anew each time', async (url, title) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain(`<title>${title}</title>`);
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('comes with a policy that lets no foreign or inline script run', async () => {
    const { headers } = await get('/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; " +
        "object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
        "trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
  });

  test('files with a hash in their name are kept for ever, others for an hour', async () => {
    const asset = await get('/assets/index-Bx3k9_aQ.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(asset.body).toBe(script);
    const icon = await get('/icon.svg');
    expect(icon.headers['cache-control']).toBe('public, max-age=3600');
  });

  test('large text is sent compressed to those who take it', async () => {
    const path = '/assets/index-Bx3k9_aQ.js';
    const packed = await get(path, { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.rawPayload.length).toBeLessThan(200);
    expect(packed.headers['vary']).toBe('accept-encoding');
    const plain = await get(path, { 'accept-encoding': 'br, gzip;q=0' });
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  test('what the browser has is not sent again', async () => {
    const { headers } = await get('/');
    const again = await get('/', { 'if-none-match': String(headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test.each(['/assets/index-Bx3k9_aQ.js.map', '/link.txt', '/index.html', '/nothing', '/b%2f..'])(
    '%s is not there',
    async (url) => expect((await get(url)).statusCode).toBe(404),
  );

  test('a person at an address that leads nowhere gets the page with the 404, nobody else does', async () => {
    const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
    const person = await get('/nothing/here', { accept });
    expect(person.statusCode).toBe(404);
    expect(person.body).toContain('<title>app</title>');
    expect(person.headers['cache-control']).toBe('no-store');
    for (const url of ['/v1/nothing', '/v1', '/wp-login.php', '/.env', '/assets/x-12345678.js']) {
      const answer = await get(url, { accept });
      expect([answer.statusCode, answer.json().code], url).toEqual([404, 'not_found']);
    }
    expect((await get('/nothing')).json()).toMatchObject({ code: 'not_found' });
  });
});

test('without a built page the answer says what to do', async () => {
  const bare = fastify();
  registerWebFiles(bare, readWebFiles(join(folder, 'nowhere')));
  const answer = await bare.inject('/');
  expect(answer.statusCode).toBe(503);
  expect(answer.body).toContain('npm run build');
  await bare.close();
});
