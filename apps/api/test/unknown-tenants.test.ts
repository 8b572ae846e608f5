import { readRows } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { bringIntoBeing } from './bring-into-being.ts';
import { headingOf, openBrowser } from './browser.ts';
import { openTestApi } from './test-api.ts';

const BASE = 'http://{tenant}.localhost:8080';

/** Everything that an anonymous caller can ask of a tenant by its host. */
const ASKED: readonly (readonly [string, string, string?])[] = [
  ['GET', '/'],
  ['GET', '/login'],
  ['POST', '/login', 'username=ada&password=a+long+enough+sentence'],
  ['POST', '/login/passkey/options', ''],
  ['POST', '/login/passkey', 'credential=%7B%7D'],
  ['GET', '/login/second-factor'],
  ['POST', '/login/second-factor', 'code=123456'],
  ['GET', '/login/enrolment'],
  ['GET', '/login/application/own'],
  ['GET', '/login/application/own/callback?state=x&code=y'],
  ['GET', '/sign-in-link/x'],
  ['POST', '/sign-in-link/x', 'password=a+long+enough+sentence&repeated=a+long+enough+sentence'],
  ['GET', '/account'],
  ['POST', '/account/confirm', 'password=x'],
  ['POST', '/sign-out', ''],
  ['GET', '/sessions/v1/current'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['POST', '/oauth/token', 'grant_type=client_credentials&client_id=root&client_secret=wrong'],
  ['GET', '/auth-users/v1/i-ada'],
  ['GET', '/auth-profiles/v1'],
  ['POST', '/sod-violations/v1/check', '{}'],
  ['GET', '/events/v1'],
];

/** The tables with rows of an invented tenant. */
async function storedOf(url: string): Promise<readonly string[]> {
  const tables = await readRows<{ name: string }>(
    url,
    url.startsWith('sqlite:')
      ? `select m.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'tenant'`
      : `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant'`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const filled = [];
  for (const { name } of tables) {
    const [row] = await readRows(url, `select tenant from ${name} where tenant like 'invented%' limit 1`);
    if (row !== undefined) filled.push(name);
  }
  return filled;
}

const PAGES = /^\/(login|sign-in-link|account|sign-out|$)/;

test('everything at the address of a tenant that does not exist is 404 and stores nothing', async () => {
  const api = await openTestApi({ baseAddress: BASE });
  const at = (tenant: string) => {
    const host = `${tenant}.localhost:8080`;
    return openBrowser(api, { origin: `http://${host}`, headers: { host } });
  };
  for (const [number, [method, path, body]] of ASKED.entries()) {
    const tenant = `invented-${number}`;
    const browser = at(tenant);
    browser.cookies.set('session', 'x'.repeat(43));
    const answer = await browser.send(method, path, { body });
    const type = answer.headers.get('content-type')?.split(';')[0];
    const isPage = PAGES.test(path);
    expect([method, path, answer.status, type, answer.setCookies]).toEqual([
      method,
      path,
      404,
      isPage ? 'text/html' : 'application/json',
      [],
    ]);
    if (isPage) expect(headingOf(answer)).toBe('There is no such page');
    else expect(JSON.parse(answer.text)).toMatchObject({ detailCode: '404' });
  }
  await api.endMinute();
  expect(await storedOf(api.url)).toEqual([]);
  // A token of another tenant is refused as ever.
  const token = JSON.parse(
    (
      await at('default').send('POST', '/oauth/token', {
        body: 'grant_type=client_credentials&client_id=root&client_secret=root+secret%25',
      })
    ).text,
  ).access_token;
  const refused = await at('invented').get('/auth-profiles/v1', { authorization: `Bearer ${token}` });
  expect(refused.status).toBe(401);
  // Once it exists, its pages are there.
  await bringIntoBeing(api.store, 'invented', new Date(api.clock.nowMs).toISOString());
  expect((await at('invented').get('/login')).status).toBe(200);
  expect((await at('invented').get('/auth-profiles/v1')).status).toBe(401);
});

test('the own tenant of the service exists also in an empty store, and the endpoints of the service are at every host', async () => {
  const api = await openTestApi({ baseAddress: BASE, tenant: 'first' });
  const at = (host: string) => openBrowser(api, { origin: 'http://first.localhost:8080', headers: { host } });
  expect((await at('first.localhost:8080').get('/login')).status).toBe(200);
  expect((await at('first.localhost:8080').post('/login', { username: 'ada', password: 'x' })).status).toBe(401);
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/.well-known/jwks.json'])
    for (const host of ['invented.localhost:8080', '10.0.0.7:8080'])
      expect([path, host, (await at(host).get(path)).status]).toEqual([path, host, 200]);
});
