import { describe, expect, test } from 'vitest';
import { openTestApi } from './test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const PATH = '/ui-metadata/v1/tenant';

describe('tenant UI metadata', () => {
  test('a tenant without metadata gets three nulls', async () => {
    const { call } = await openTestApi();
    const answer = await call('GET', PATH, { headers: EXPERIMENTAL });
    expect(answer.json).toEqual({ iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null });
    expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/);
  });

  test('a given property replaces the value, an omitted one keeps it, and null and "null" reset it', async () => {
    const { call } = await openTestApi();
    const put = (body: object) => call('PUT', PATH, { headers: EXPERIMENTAL, body });
    await put({ iFrameWhitelist: 'https://a.example  https://b.example'.replace('  ', ' '), usernameLabel: 'User' });
    expect((await put({ usernameEmptyText: 'your name' })).json).toEqual({
      iFrameWhitelist: 'https://a.example https://b.example',
      usernameLabel: 'User',
      usernameEmptyText: 'your name',
    });
    await put({ iFrameWhitelist: 'null', usernameLabel: null });
    expect((await call('GET', PATH, { headers: EXPERIMENTAL })).json).toEqual({
      iFrameWhitelist: null,
      usernameLabel: null,
      usernameEmptyText: 'your name',
    });
  });

  test.each([
    ['an unknown property', { theme: 'dark' }, '400.1'],
    ['both spellings', { iFrameWhitelist: 'a.example', iframeWhiteList: 'a.example' }, '400.1'],
    ['a directive', { iFrameWhitelist: 'https://a.com; script-src *' }, '400.1.3'],
    ['a star alone', { iFrameWhitelist: '*' }, '400.1.3'],
    ['a star over one label', { iFrameWhitelist: 'https://*.com' }, '400.1.3'],
    ['a data address', { iFrameWhitelist: 'data:text/html' }, '400.1.3'],
    ['101 origins', { iFrameWhitelist: Array(101).fill('a.example').join(' ') }, '400.1.4'],
    ['an empty list', { iFrameWhitelist: '' }, '400.1.2'],
    ['an empty text', { usernameLabel: '' }, '400.1.2'],
    ['a text of 201 characters', { usernameLabel: 'x'.repeat(201) }, '400.1.2'],
    ['a control character', { usernameLabel: 'a\nb' }, '400.1.3'],
    ['a number', { usernameLabel: 7 }, '400.1.3'],
  ])('refuses %s and writes nothing', async (_, body, detailCode) => {
    const { call } = await openTestApi();
    const answer = await call('PUT', PATH, { headers: EXPERIMENTAL, body: { usernameEmptyText: 'x', ...body } });
    expect([answer.status, answer.json.detailCode]).toEqual([400, detailCode]);
    expect((await call('GET', PATH, { headers: EXPERIMENTAL })).json.usernameEmptyText).toBeNull();
  });

  test('honours If-Match', async () => {
    const { call } = await openTestApi();
    const etag = (await call('GET', PATH, { headers: EXPERIMENTAL })).headers.get('etag') ?? '';
    const put = () =>
      call('PUT', PATH, { headers: { ...EXPERIMENTAL, 'if-match': etag }, body: { usernameLabel: 'A' } });
    expect((await put()).status).toBe(200);
    expect((await put()).status).toBe(412);
  });

  test('callers of SailPoint get its spelling in addition', async () => {
    const { call } = await openTestApi();
    const put = await call('PUT', PATH, { headers: EXPERIMENTAL, body: { iframeWhiteList: 'a.example' } });
    expect(put.json).toMatchObject({ iFrameWhitelist: 'a.example', iframeWhiteList: 'a.example' });
    expect((await call('GET', PATH, { headers: EXPERIMENTAL })).json).not.toHaveProperty('iframeWhiteList');
    const foreign = await call('GET', PATH, { headers: { 'X-SailPoint-Experimental': 'true' } });
    expect(foreign.json).toMatchObject({ iFrameWhitelist: 'a.example', iframeWhiteList: 'a.example' });
    expect(foreign.headers.get('etag')).toBe((await call('GET', PATH, { headers: EXPERIMENTAL })).headers.get('etag'));
  });

  test('belongs to the tenant of the token', async () => {
    const { call, clientToken } = await openTestApi();
    await call('PUT', PATH, { headers: EXPERIMENTAL, body: { usernameLabel: 'ours' } });
    const other = await clientToken({ tenant: 'other' });
    expect((await call('GET', PATH, { token: other, headers: EXPERIMENTAL })).json.usernameLabel).toBeNull();
  });
});
