import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, openTestService, type RunningApi } from '@access-admin/harness';
import { createGuardrails, generateSync, NobleCryptoPlugin, ScureBase32Plugin } from 'otplib';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const PASSWORD = 'a long enough sentence';
/** What a trusted proxy says of a sign-in from an address and a country that the network config lists. */
export const TRUSTED = { 'x-forwarded-for': '203.0.113.7', 'x-country': 'CH' };

/** Tests that do not lock a user fail less often than this. */
export const MAXIMUM_ATTEMPTS = 4;

/** How the people of each identity profile sign in. */
const PROFILES = {
  'ip-password': { type: 'NON_PTA' },
  'ip-second-factor': { type: 'MFA' },
  'ip-network': { type: 'NON_PTA', offNetwork: true },
  'ip-geography': { type: 'NON_PTA', untrustedGeography: true },
  'ip-to-block': { type: 'NON_PTA' },
  'ip-to-outsource': { type: 'NON_PTA' },
  'ip-directory': { type: 'PTA', applicationId: 'directory' },
  'ip-provider': { type: 'PTA', applicationId: 'provider' },
} as const;

export type ProfileId = keyof typeof PROFILES;
export type Office = Awaited<ReturnType<typeof openOffice>>;

/** The applications that verify people, for a service at this address. */
type ApplicationsAt = (address: string) => readonly object[] | Promise<readonly object[]>;

/** A service at a host name, which passkeys need, with an identity profile for each way to sign in. */
export async function openOffice(applicationsAt: ApplicationsAt = () => []) {
  const service = await openTestService();
  const port = String(await freePort());
  const address = `http://localhost:${port}`;
  const applications = join(service.folder, 'applications.json');
  writeFileSync(applications, JSON.stringify(await applicationsAt(address)));
  const { client } = await service.startApi({
    PORT: port,
    BASE_ADDRESS: address,
    SIGN_IN_APPLICATIONS: applications,
    TRUSTED_PROXIES: '127.0.0.1/32',
    COUNTRY_HEADER: 'x-country',
    // These tests are about the pages of sign-in, which lead to the account then.
    CONSOLE: 'off',
  });
  const setProfile = (id: ProfileId, authProfile: object) =>
    client.accessModel.import([{ kind: 'identityProfile', id, name: id, authProfile }]);
  for (const [id, authProfile] of Object.entries(PROFILES)) await setProfile(id as ProfileId, authProfile);
  await client.authOrg.lockout.patch([{ op: 'replace', path: '/maximumAttempts', value: MAXIMUM_ATTEMPTS }]);
  await client.authOrg.network.set({ range: ['203.0.113.0/24'], geolocation: ['CH'], whitelisted: true });
  return {
    address,
    client,
    setProfile,
    ...createPeople(client),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

function createPeople({ accessModel, authUsers }: RunningApi['client']) {
  /** A new identity without credentials; its username is its id. */
  const addPerson = async (id: string, identityProfile: ProfileId = 'ip-password') => {
    await accessModel.import([{ kind: 'identity', id, uid: id, displayName: `Person ${id}`, identityProfile }]);
    return id;
  };
  const linkFor = async (id: string) => (await authUsers.createSignInLink(id)).url;
  /** A new identity with a password, set by a link from a trusted address. */
  const addWithPassword = async (id: string, identityProfile?: ProfileId) => {
    const link = await linkFor(await addPerson(id, identityProfile));
    const body = new URLSearchParams({ password: PASSWORD, repeated: PASSWORD });
    const headers = { ...TRUSTED, origin: new URL(link).origin };
    const { status } = await fetch(link, { method: 'POST', body, headers, redirect: 'manual' });
    expect(status).toBe(303);
    return id;
  };
  return { addPerson, linkFor, addWithPassword };
}

/** Signs in by username and password on the page of sign-in. */
export async function logIn(page: Page, address: string, username: string): Promise<void> {
  await page.goto(`${address}/login`);
  await fillLogin(page, username);
}

/** Fills in the page of sign-in that is shown. */
export async function fillLogin(
  page: Pick<Page, 'getByLabel' | 'getByRole'>,
  username: string,
  password = PASSWORD,
): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Sets a password on the page of a link. */
export async function setPasswordByLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
}

/** Sets an authenticator app up on the page that shows its key. Returns the key. */
export async function addApp(page: Page): Promise<string> {
  const key = ((await page.locator('dd code').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Code from your authenticator app').fill(codeOf(key));
  await page.getByRole('button', { name: 'Add the app' }).click();
  return key;
}

const STEP_SECONDS = 30;
const PLUGINS = {
  crypto: new NobleCryptoPlugin(),
  base32: new ScureBase32Plugin(),
  guardrails: createGuardrails({ MIN_SECRET_BYTES: 10 }),
};

/** The code that an app shows now, or some steps later; one step of drift is allowed. */
export function codeOf(secret: string, steps = 0): string {
  const epoch = Math.floor(Date.now() / 1_000) + steps * STEP_SECONDS;
  return generateSync({ ...PLUGINS, strategy: 'totp', secret, epoch });
}

/** Waits until the page with this title is shown. */
export const showsTitle = (page: Pick<Page, 'getByRole'>, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
