import { OPERATIONS, PUBLIC_ENDPOINTS } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import { shareTestApi } from '../share-test-api.ts';
import { openTestApi } from '../test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const PATH = '/ui-metadata/v1/tenant';

describe('abuse of the iframe whitelist', () => {
  const api = shareTestApi(async (shared) => shared);

  test.each([
    'https://a.com; script-src *',
    'https://a.com;script-src',
    'https://a.com,https://b.com',
    'https://a.com, https://b.com',
    'https://a.com\nhttps://b.com',
    'https://a.com\r\nX-Injected: 1',
    'https://a.com\thttps://b.com',
    '*',
    'https://*',
    'https://*.com',
    '*.com',
    'https://a.com *',
    'data:',
    'data:text/html,x',
    'javascript:alert(1)',
    'blob:https://a.com',
    'filesystem:https://a.com',
    'https:',
    "'self'",
    "'none'",
    "'unsafe-inline'",
    'https://user@a.com',
    'https://user:password@a.com',
    'https://a.com@b.com',
    'https://a.com/',
    'https://a.com/path',
    'https://a.com?x',
    'https://a.com#x',
    'https://a.com:*',
    'https://a.com%3B',
    'https://a.com\u0000',
    'https://\u0430.com',
  ])('%j is 400.1.3 and nothing is written: by update, in both spellings, and by import', async (origins) => {
    const { call, importRecords } = api();
    // A NUL cannot be stored: the body is refused before the value is validated.
    const code = origins.includes('\u0000') ? '400.1' : '400.1.3';
    for (const property of ['iFrameWhitelist', 'iframeWhiteList']) {
      const answer = await call('PUT', PATH, {
        headers: EXPERIMENTAL,
        body: { usernameLabel: 'x', [property]: origins },
      });
      expect([answer.status, answer.json.detailCode]).toEqual([400, code]);
      expect(answer.text).not.toContain('script-src');
    }
    const record = { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'x', iFrameWhitelist: origins };
    const imported = await importRecords([record]);
    expect([imported.status, imported.json.detailCode]).toEqual([400, code]);
    const unset = { iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null };
    expect((await call('GET', PATH, { headers: EXPERIMENTAL })).json).toEqual(unset);
  });

  test('no Content-Security-Policy depends on the stored origins', async () => {
    const { call } = await openTestApi();
    const policies = async () => {
      const found: Record<string, string | null> = {};
      for (const { method, path } of [...OPERATIONS, ...PUBLIC_ENDPOINTS]) {
        const answer = await call(method, path.replace(/\{\w+\}/, 'x'), { headers: EXPERIMENTAL });
        found[`${method} ${path}`] = answer.headers.get('content-security-policy');
        expect(answer.headers.get('x-frame-options') ?? '').not.toContain('canary');
      }
      return found;
    };
    const before = await policies();
    expect(before['GET /docs']).toContain("frame-ancestors 'none'");
    const iFrameWhitelist = 'https://canary.example *.canary.example:8443 HTTP://CANARY.example';
    expect((await call('PUT', PATH, { headers: EXPERIMENTAL, body: { iFrameWhitelist } })).status).toBe(200);
    const after = await policies();
    expect(after).toEqual(before);
    expect(JSON.stringify(after).toLowerCase()).not.toContain('canary');
  });
});
