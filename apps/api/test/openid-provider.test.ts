import { startOpenidProvider } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import type { OidcApplication } from '../src/sign-in/factors/applications.ts';
import { type Browser, ORIGIN } from './browser.ts';
import { openPeople } from './sign-in-people.ts';

/** Opens the pages of a real provider, in a process of its own, for people of which some are known here. */
async function openProviderPeople(changes: Partial<OidcApplication> = {}) {
  const provider = await startOpenidProvider(`${ORIGIN}/login/application/real/callback`);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const { issuer, clientId, clientSecret } = provider;
  const application: OidcApplication = {
    ...({ id: 'real', name: 'Real', kind: 'oidc', tenants: ['default'], issuer, clientId, clientSecret } as const),
    usernameClaim: 'preferred_username',
    scopes: 'openid profile email',
    ...changes,
  };
  return openPeople({
    authProfile: { type: 'PTA', applicationId: 'real' },
    config: { signInApplications: [application] },
  });
}

/** A browser at the provider: follows redirects there, keeps its cookies, and returns the last page or the way back. */
function openProviderBrowser() {
  const cookies = new Map<string, string>();
  return async function load(url: string, form?: Record<string, string>): Promise<{ url: string; text: string }> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(url, { ...sent, redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) return { url, text: await response.text() };
    const next = new URL(location, url);
    return next.origin === ORIGIN ? { url: next.href, text: '' } : load(next.href);
  };
}

/** Goes through the pages of the provider as a person does; returns the path that leads back. */
async function passProvider(browser: Browser, username: string): Promise<string> {
  const load = openProviderBrowser();
  const started = await browser.get('/login/application/real?to=%2Faccount');
  const asked = await load(started.location ?? '');
  const consent = await load(formOf(asked), { prompt: 'login', login: username, password: 'any' });
  return pathOf((await load(formOf(consent), { prompt: 'consent' })).url);
}

const formOf = ({ url, text }: { readonly url: string; readonly text: string }): string =>
  new URL(/<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? 'none', url).href;

const pathOf = (url: string): string => url.slice(ORIGIN.length);

test('a real provider signs in the people that are known here, each answer once', async () => {
  const { browse } = await openProviderPeople();
  const browser = browse();
  const path = await passProvider(browser, 'ada');
  expect((await browse().get(path)).status).toBe(401);
  const done = await browser.get(path);
  expect([done.status, done.location]).toEqual([303, '/account']);
  const current = await browser.get('/sessions/v1/current');
  expect(JSON.parse(current.text)).toMatchObject({ identityId: 'i-ada', factors: ['APPLICATION'] });
  expect((await browser.get(path)).status).toBe(401);
  const stranger = browse();
  expect((await stranger.get(await passProvider(stranger, 'stranger'))).status).toBe(401);

  const cancelling = browse();
  const load = openProviderBrowser();
  const asked = await load((await cancelling.get('/login/application/real')).location ?? '');
  const aborted = pathOf((await load(`${asked.url}/abort`)).url);
  expect(aborted).toContain('error=access_denied');
  expect((await cancelling.get(aborted)).status).toBe(401);
});

test('a real provider that does not accept the secret of this service makes the page of one that is away', async () => {
  const { browse } = await openProviderPeople({ clientSecret: 'another secret' });
  const browser = browse();
  expect((await browser.get(await passProvider(browser, 'ada'))).status).toBe(503);
});
