import { describe, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { openTestApi, WORLD } from './test-api.ts';

const PATH = '/branding/v1/tenant';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOQjZqGFTEMLQkAKQ5DQfBTzsYAAAAASUVORK5CYII=',
  'base64',
);
const LOGO = `data:image/png;base64,${PNG.toString('base64')}`;
const SVG = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
const SET = { title: 'Example & Söhne', logo: LOGO, helpText: 'No access? Call <1234>.' };

describe('the branding of a tenant', () => {
  test('is three nulls at first, then what was set', async () => {
    const { call } = await openTestApi();
    const first = await call('GET', PATH);
    expect(first.json).toEqual({ title: null, logo: null, helpText: null });
    const set = await call('PUT', PATH, { body: SET });
    expect(set.json).toEqual(SET);
    const read = await call('GET', PATH);
    expect([read.text, read.headers.get('etag')]).toEqual([set.text, set.headers.get('etag')]);
    expect((await call('PUT', PATH, { body: { title: 'null', helpText: null } })).json).toEqual({
      title: null,
      logo: LOGO,
      helpText: null,
    });
  });

  test('is refused with an unknown property, a bad logo and a stale ETag', async () => {
    const { call } = await openTestApi();
    const codeOf = async (body: object, headers = {}) => (await call('PUT', PATH, { body, headers })).json.detailCode;
    expect(await codeOf({ colour: 'red' })).toBe('400.1');
    expect(await codeOf({ logo: SVG })).toBe('400.1.3');
    expect(await codeOf({ logo: LOGO.replace('png', 'webp') })).toBe('400.1.3');
    expect(await codeOf({ title: 'x'.repeat(101) })).toBe('400.1.2');
    expect(await codeOf({ title: 'x' }, { 'if-match': '"other"' })).toBe('412');
  });

  test('needs the rights of UI metadata', async () => {
    const { call, clientToken } = await openTestApi();
    const reader = await clientToken({ scopes: ['ui-metadata:read'] });
    const other = await clientToken({ scopes: ['auth-org:manage'] });
    expect((await call('GET', PATH, { token: reader })).status).toBe(200);
    expect((await call('PUT', PATH, { token: reader, body: {} })).status).toBe(403);
    expect((await call('GET', PATH, { token: other })).status).toBe(403);
  });

  test('is recorded without the picture', async () => {
    const { call } = await openTestApi();
    await call('PUT', PATH, { body: SET });
    const { json } = await call('GET', `/audit-events/v1?filters=${encodeURIComponent('resourceType eq "BRANDING"')}`);
    expect(json).toMatchObject([{ operation: 'set-tenant-branding-v1', resource: { type: 'BRANDING', id: 'tenant' } }]);
    expect(json[0].changes).toContainEqual({
      field: 'logo',
      before: null,
      after: `image/png, ${PNG.length} bytes`,
    });
  });

  test('travels with the access model', async () => {
    const { call, importRecords } = await openTestApi();
    await call('PUT', PATH, { body: SET });
    const exported = (await call('GET', '/access-model/v1/export')).text;
    expect(exported).toContain(`{"kind":"branding","id":"tenant",${JSON.stringify(SET).slice(1)}`);
    const other = await openTestApi();
    await other.importRecords(
      exported
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    expect((await other.call('GET', PATH)).json).toEqual(SET);
    const again = await importRecords([{ kind: 'branding', id: 'tenant', ...SET }]);
    expect(again.json.counts.branding).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 });
    const bad = await importRecords([{ kind: 'branding', id: 'tenant', title: '' }]);
    expect([bad.status, bad.json.detailCode]).toEqual([400, '400.1.2']);
    const deleted = await importRecords([{ kind: 'branding', id: 'tenant', delete: true }]);
    expect(deleted.json.counts.branding).toMatchObject({ deleted: 1 });
    expect((await call('GET', PATH)).json).toEqual({ title: null, logo: null, helpText: null });
  });
});

describe('pages of sign-in', () => {
  test('show title, logo and text of help within a second, escaped', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const browser = openBrowser(api);
    expect((await browser.get('/login')).text).toContain('<p class="brand" dir="auto">Access Admin</p>');
    await api.call('PUT', PATH, { body: SET });
    const text = (await browser.get('/login')).text;
    expect(text).toContain('Example &amp; Söhne</p>');
    expect(text).toContain('– Example &amp; Söhne</title>');
    expect(text).toContain('No access? Call &lt;1234&gt;.</p>');
    const [, path = ''] = /<img src="([^"]+)"/.exec(text) ?? [];
    const logo = await api.send(path);
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(logo.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await browser.get('/branding/logo/other')).status).toBe(404);
    await api.call('PUT', PATH, { body: { logo: null } });
    expect((await browser.get(path)).status).toBe(404);
  });
});
