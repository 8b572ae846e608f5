import { createHash, randomBytes } from 'node:crypto';
import type { AuthProfileSettings } from '@access-admin/domain';
import { fromBase32, stepAt } from '../src/sign-in/factors/totp.ts';
import { type Browser, type BrowserOptions, ORIGIN, openBrowser } from './browser.ts';
import { openTestApi, type TestApi } from './test-api.ts';
import { codeOfStep } from './totp-code.ts';

export const PASSWORD = 'a long enough sentence';

type Config = NonNullable<Parameters<typeof openTestApi>[0]>;

/** Which auth profile the people have. */
export interface PeopleOptions {
  readonly authProfile?: Partial<AuthProfileSettings>;
  readonly config?: Config;
  /** The capabilities of Cleo. */
  readonly capabilities?: readonly string[];
}

/** An API with the people Ada (an administrator), Bob and Cleo, who have no credentials yet. */
export async function openPeople({ authProfile = {}, config = {}, capabilities = [] }: PeopleOptions = {}) {
  const api = await openTestApi(config);
  const records = [
    { kind: 'identityProfile', id: 'ip', name: 'Staff', authProfile: { type: 'NON_PTA', ...authProfile } },
    {
      kind: 'identity',
      id: 'i-ada',
      uid: 'Ada',
      displayName: 'Ada L.',
      identityProfile: 'ip',
      capabilities: ['ORG_ADMIN'],
    },
    { kind: 'identity', id: 'i-bob', uid: 'bob', displayName: 'Bob', identityProfile: 'ip' },
    { kind: 'identity', id: 'i-cleo', uid: 'cleo', identityProfile: 'ip', capabilities },
  ];
  await importAt(api, (config.baseAddress ?? ORIGIN).replace('{tenant}', 'default'), records);
  return { ...api, ...createPeopleCalls(api) };
}

/** Imports with the Host of the base address, as a tenant's host demands it. */
async function importAt(api: TestApi, address: string, records: readonly object[]): Promise<void> {
  const { send } = openBrowser(api, { headers: { host: new URL(address).host } });
  const grant = { grant_type: 'client_credentials', client_id: 'root', client_secret: 'root secret%' };
  const token = await send('POST', '/oauth/token', { body: new URLSearchParams(grant).toString() });
  const imported = await send('POST', '/access-model/v1/import', {
    body: records.map((line) => JSON.stringify(line)).join('\n'),
    headers: {
      'content-type': 'application/x-ndjson',
      authorization: `Bearer ${JSON.parse(token.text).access_token}`,
    },
  });
  if (imported.status !== 200) throw new Error(imported.text);
}

function createPeopleCalls(api: TestApi) {
  const browse = (options?: BrowserOptions) => openBrowser(api, options);
  /** The path of a new link. */
  const linkFor = async (identityId: string, tenant = 'default'): Promise<string> => {
    const token = randomBytes(32).toString('base64url');
    const actor = { clientId: 'test', identityId: null };
    const time = new Date(api.clock.nowMs).toISOString();
    const context = { tenant, actor, operation: 'sign-in-link', time, trackingId: 'a'.repeat(32) };
    const link = { hash: createHash('sha256').update(token).digest('hex'), expiresMs: api.clock.nowMs + 3_600_000 };
    const created = await api.store.signInLinks.create(context, { identityId, link }, () => ({
      ok: true,
      value: null,
    }));
    if (!created.ok) throw new Error('no link');
    return `/sign-in-link/${token}`;
  };
  /** Sets a password by a link, in a browser of its own. */
  const setPassword = async (identityId: string, password = PASSWORD) => {
    const path = await linkFor(identityId);
    return browse().post(path, { password, repeated: password });
  };
  const logIn = (browser: Browser, username: string, fields: { password?: string; to?: string } = {}) =>
    browser.post('/login', { username, password: PASSWORD, ...fields });
  /** The code that an app with this secret shows now, or some steps later. */
  const codeOf = (secret: string, steps = 0) =>
    codeOfStep(fromBase32(secret) ?? new Uint8Array(), stepAt(api.clock.nowMs) + steps);
  /** The events of the audit log about sign-ins. */
  const audited = async (operation: string) => {
    await api.endMinute();
    const filters = encodeURIComponent(`operation eq "${operation}"`);
    // The token of a test expires with its clock.
    const token = await api.tokenFor('root', 'root secret%');
    return (await api.call('GET', `/audit-events/v1?filters=${filters}`, { token })).json;
  };
  return { browse, linkFor, setPassword, logIn, codeOf, audited };
}

/** The secret of an authenticator app that a page shows. */
export const secretOf = (text: string): string => /name="secret" value="([A-Z2-7]+)"/.exec(text)?.[1] ?? '';
