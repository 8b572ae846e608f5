import { createHash } from 'node:crypto';
import { createEngineDatabase } from '@access-admin/harness';
import { openStore, type Store } from '@access-admin/store';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from './run-here.ts';

/** A store with the schema and nothing else, and the command on it. */
async function openEmpty(baseAddress = 'https://acme.example') {
  const { url, remove } = await createEngineDatabase(undefined, async (address) => (await openStore(address)).close());
  const store = await openStore(url);
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
  const env = { DATABASE_URL: url, BASE_ADDRESS: baseAddress };
  const invite = (...args: readonly string[]) => runHere(['invite', ...args], { env });
  const json = async (...args: readonly string[]) => JSON.parse((await invite(...args, '--format', 'json')).out);
  const events = async () => {
    const told: (readonly [operation: string, type: string, text: string])[] = [];
    for await (const event of store.audit.export('default'))
      told.push([event.operation, event.resource.type, JSON.stringify(event)]);
    return told;
  };
  return { store, invite, json, events };
}

const tokenOf = (url: string) => /^https:\/\/acme\.example\/sign-in-link\/([\w-]{40,})$/.exec(url)?.[1] ?? '';

/** The link that a token of the output opens, as a page finds it. */
const openLink = (store: Store, url: string, tenant = 'default') =>
  store.signInLinks.find(tenant, createHash('sha256').update(tokenOf(url)).digest('hex'), Date.now());

test('makes an administrator, whose link opens once for a day', async () => {
  const { store, invite, events } = await openEmpty();
  const beforeMs = Date.now();
  const { code, out, notes } = await invite('ada', '--name', 'Ada Lovelace', '--email', 'ada@example.org');
  expect([code, notes]).toEqual([0, '']);
  const [, expires = '', url = ''] =
    /^ada is an administrator \(ORG_ADMIN\) now\. The link works once, until (\S+):\n\n {2}(\S+)\n\n$/.exec(out) ?? [];
  expect((Date.parse(expires) - beforeMs) / 3_600_000).toBeCloseTo(24, 1);
  const identity = await store.credentials.findByUsername('default', 'ADA');
  expect(identity).toMatchObject({
    uid: 'ada',
    displayName: 'Ada Lovelace',
    capabilities: ['ORG_ADMIN'],
    authProfile: { name: 'Administrators', type: 'NON_PTA' },
  });
  expect(await openLink(store, url)).toMatchObject({ identityId: identity?.id });
  const told = await events();
  expect(told.map(([operation, type]) => [operation, type])).toEqual(
    ['AUTH_PROFILE', 'IDENTITY', 'AUTH_USER'].map((type) => ['invite-administrator', type]),
  );
  expect(told.map(([, , text]) => text).join()).not.toContain(tokenOf(url));
});

test('gives another link to who is an administrator, and ORG_ADMIN to who is none', async () => {
  const { store, invite, json } = await openEmpty();
  const first = await json('ada');
  await invite('bob');
  expect((await invite('ada')).out).toMatch(/^ada was an administrator \(ORG_ADMIN\) already\./);
  const { identityId } = await json('Ada');
  expect(identityId).toBe(first.identityId);
  const context = { tenant: 'default', actor: { clientId: 'c', identityId: null }, operation: 'o', trackingId: 't' };
  const time = new Date().toISOString();
  await store.authUsers.change({ ...context, time }, identityId, {
    decide: ({ user }) => ({ ok: true, value: { ...user, capabilities: ['HELPDESK'] } }),
  });
  expect((await invite('ada')).out).toMatch(/^ada was there, and is an administrator \(ORG_ADMIN\) now\./);
  expect(await store.credentials.findByUsername('default', 'ada')).toMatchObject({
    capabilities: ['HELPDESK', 'ORG_ADMIN'],
  });
});

test('invites into the tenant that is named, a new one too, where its pages have an address', async () => {
  const { store, json } = await openEmpty('https://{tenant}.example');
  const { url } = await json('ada', '--tenant', 'acme');
  expect(await openLink(store, url, 'acme')).not.toBeNull();
  expect(await store.credentials.findByUsername('default', 'ada')).toBeNull();
});

test('makes no tenant whose pages the base address does not serve', async () => {
  const { store, invite } = await openEmpty();
  expect(await invite('ada', '--tenant', 'nope')).toEqual({
    code: 2,
    out: '',
    notes: expect.stringContaining('several tenants need {tenant} in BASE_ADDRESS'),
  });
  expect(await store.tenants.exists('nope')).toBe(false);
  expect((await invite('ada', '--tenant', 'default')).code).toBe(0);
});

test.each([
  ['what no username is', [''], 2, /^uid: /],
  ['a username in compatibility forms', ['ａda'], 2, /^uid: /],
  ['a name that is too long', ['ada', '--name', 'x'.repeat(257)], 2, /^displayName: /],
  [
    'a name for somebody who has one',
    ['known', '--name', 'Other'],
    1,
    /^known is the username of the identity \S+, which keeps/,
  ],
  ['an empty tenant', ['ada', '--tenant', ''], 2, /--tenant must not be empty/],
  ['no username', [], 2, /missing required argument 'uid'/],
])('refuses %s', async (_, args, code, text) => {
  const { store, invite } = await openEmpty();
  await invite('known');
  const refused = await invite(...args);
  expect(refused).toMatchObject({ code, out: '', notes: expect.stringMatching(text) });
  expect(await store.credentials.findByUsername('default', 'ada')).toBeNull();
});

test.each([
  ['BLOCK', /whose auth profile Administrators blocks/],
  ['PTA', /whose auth profile Administrators signs in by Directory, not by a link/],
] as const)('makes no link that would not work: %s', async (type, text) => {
  const { store, invite } = await openEmpty();
  await invite('ada');
  const context = { tenant: 'default', actor: { clientId: 'c', identityId: null }, operation: 'o', trackingId: 't' };
  await store.authProfiles.change({ ...context, time: new Date().toISOString() }, 'administrators', {
    decide: (profile) => ({
      ok: true,
      value: { ...profile, type, applicationId: 'd', applicationName: 'Directory' },
    }),
  });
  expect(await invite('ada')).toMatchObject({ code: 1, out: '', notes: expect.stringMatching(text) });
  expect(await invite('bob')).toMatchObject({
    code: 1,
    out: '',
    notes: expect.stringContaining('would have the identity'),
  });
  expect(await store.credentials.findByUsername('default', 'bob')).toBeNull();
});
