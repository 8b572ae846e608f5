import { OPERATIONS, PUBLIC_ENDPOINTS } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import { openTestApi, type TestAnswer, WORLD } from './test-api.ts';

const concrete = (path: string) => path.replace(/\{\w+\}/, 'some-id');
const DOCS = ['/docs', '/docs/start.js', '/docs/page.css', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'];
const CACHED = ['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'];

const of = ({ headers }: TestAnswer, ...names: readonly string[]) => names.map((name) => headers.get(name));

describe('every answer', () => {
  test('is neither sniffed nor cached', async () => {
    const { call, importRecords } = await openTestApi();
    await importRecords(WORLD);
    const answers: [string, TestAnswer][] = [];
    for (const { method, path } of [...OPERATIONS, ...PUBLIC_ENDPOINTS])
      for (const token of [undefined, null, 'bad'])
        answers.push([
          `${method} ${path} with the token ${token}`,
          await call(method, concrete(path), { ...(token === undefined ? {} : { token }) }),
        ]);
    answers.push(['an unknown route', await call('GET', '/nope')]);
    answers.push(['another method', await call('PROPFIND', '/healthz')]);
    answers.push(['a long target', await call('GET', `/healthz?${'x'.repeat(3000)}`)]);
    answers.push(['HEAD', await call('HEAD', '/auth-users/v1/i-ada')]);
    answers.push(['200', await call('GET', '/auth-users/v1/i-ada')]);
    expect(answers.length).toBeGreaterThan(60);
    for (const [what, answer] of answers)
      expect([what, ...of(answer, 'x-content-type-options', 'cache-control')]).toEqual([what, 'nosniff', 'no-store']);
  });

  test('does not name the software, and cannot be read by other origins', async () => {
    const { call } = await openTestApi();
    for (const path of ['/healthz', '/docs', '/nope', '/auth-users/v1/x']) {
      const answer = await call('GET', path, { headers: { origin: 'https://elsewhere.example' } });
      expect(of(answer, 'server', 'x-powered-by', 'access-control-allow-origin')).toEqual([null, null, null]);
    }
  });
});

describe('the reference page', () => {
  test('loads only its own resources, cannot be framed, and sends no referrer', async () => {
    const { call } = await openTestApi();
    const page = await call('GET', '/docs', { token: null });
    expect(page.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(of(page, 'referrer-policy', 'cross-origin-opener-policy')).toEqual(['no-referrer', 'same-origin']);
  });

  test('gives its headers to its own paths alone', async () => {
    const { call, lines } = await openTestApi();
    const answer = await call('GET', '/docs/none', { token: null });
    expect([answer.status, ...of(answer, 'cross-origin-resource-policy')]).toEqual([404, null]);
    expect(lines.at(-1)?.fields).toMatchObject({ operation: null });
  });

  test('has no inline content that its policy would refuse', async () => {
    const { call } = await openTestApi();
    const { text } = await call('GET', '/docs', { token: null });
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc="\/docs\/)/i);
    const script = (await call('GET', '/docs/swagger-ui-bundle.js', { token: null })).text;
    expect(script).not.toMatch(/createElement\(["']style["']\)|insertRule|setAttribute\(["']style["']/);
  });

  test('cannot be embedded by other pages; its constant parts are cached for an hour', async () => {
    const { call } = await openTestApi();
    for (const path of DOCS) {
      const answer = await call('GET', path, { token: null });
      expect([path, ...of(answer, 'x-content-type-options', 'cross-origin-resource-policy', 'cache-control')]).toEqual([
        path,
        'nosniff',
        'same-origin',
        CACHED.includes(path) ? 'max-age=3600' : 'no-store',
      ]);
    }
  });
});

describe('Strict-Transport-Security', () => {
  const policyAt = async (baseAddress: string, path: string) => {
    const { call } = await openTestApi({ baseAddress });
    return (await call('GET', path, { token: null })).headers.get('strict-transport-security');
  };

  test.each(['/healthz', '/docs', '/auth-users/v1/x', '/nope'])(
    'is part of the response to %s if the base address is https',
    async (path) => {
      expect(await policyAt('https://access.example', path)).toBe('max-age=31536000');
      expect(await policyAt('https://{tenant}.access.example', path)).toBe('max-age=31536000');
    },
  );

  test('is not sent otherwise', async () => {
    expect(await policyAt('http://127.0.0.1:8080', '/healthz')).toBeNull();
  });
});
