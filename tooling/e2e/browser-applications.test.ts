import {
  DIRECTORY_BIND_DN,
  type OpenChromium,
  openChromium,
  type RunningDirectory,
  type RunningOpenidProvider,
  startDirectory,
  startOpenidProvider,
  whyNoDirectory,
} from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { skipWithoutChromium } from './browser.ts';
import { fillLogin, logIn, type Office, openOffice, showsTitle } from './sign-in-office.ts';

let chromium: OpenChromium | null;
let directory: RunningDirectory | null = null;
let provider: RunningOpenidProvider;
let office: Office;

const COMMON = { tenants: ['default'] };

async function startApplications(address: string): Promise<readonly object[]> {
  provider = await startOpenidProvider(`${address}/login/application/provider/callback`);
  const { issuer, clientId, clientSecret } = provider;
  const openid = { id: 'provider', name: 'the company account', kind: 'oidc', issuer, clientId, clientSecret };
  if (whyNoDirectory !== null) return [{ ...COMMON, ...openid }];
  directory = await startDirectory();
  const ldap = { id: 'directory', name: 'Directory', kind: 'ldap', url: directory.plain, bindDn: DIRECTORY_BIND_DN };
  return [
    { ...COMMON, ...openid },
    { ...COMMON, ...ldap, timeoutMs: 60_000 },
  ];
}

beforeAll(async () => {
  chromium = await openChromium();
  if (chromium !== null) office = await openOffice(startApplications);
});
beforeEach(skipWithoutChromium);
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]();
  if (chromium === null) return;
  await office[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

/** A window with cookies of its own, which is closed with the test. */
async function openWindow(): Promise<Page> {
  if (chromium === null) throw new Error('there is no browser');
  const page = await chromium.open();
  onTestFinished(() => page.context().close());
  return page;
}

/** Whose account the page shows, and by which factors its session began. */
async function sessionShown(page: Page): Promise<readonly unknown[]> {
  await page.waitForURL(({ pathname }) => pathname === '/account');
  const current = await page.evaluate<{ readonly factors: unknown }>(
    'fetch("/sessions/v1/current").then((response) => response.json())',
  );
  return [await page.getByRole('heading', { level: 2 }).first().textContent(), current.factors];
}

/** Begins at the page of sign-in, and signs in at the provider. */
async function logInAtProvider(page: Page, username: string): Promise<void> {
  await page.goto(`${office.address}/login?to=%2Faccount`);
  await page.getByRole('link', { name: 'Sign in with the company account' }).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator('input[name=login]').fill(username);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button').click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${office.address}/**`);
}

test('a provider signs in the person that it names, and the way back works once', async () => {
  const page = await openWindow();
  await office.addPerson('olga', 'ip-provider');
  const ways: string[] = [];
  page.on('request', (request) => void (request.url().includes('/callback?') && ways.push(request.url())));
  await logInAtProvider(page, 'olga');
  expect(await sessionShown(page)).toEqual(['Person olga', ['APPLICATION']]);
  const [cookie, ...others] = await page.context().cookies(office.address);
  expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax' });
  expect(others).toEqual([]);
  await page.context().clearCookies();
  expect((await page.goto(ways[0] ?? ''))?.status()).toBe(401);
});

test('a person whom the provider names and nobody knows here, and one of another profile, are refused', async () => {
  const page = await openWindow();
  await office.addPerson('oskar');
  for (const username of ['stranger', 'oskar']) {
    await page.context().clearCookies();
    await logInAtProvider(page, username);
    await showsTitle(page, 'Sign in');
    expect(await page.getByRole('alert').textContent()).toContain('You could not be signed in.');
  }
});

test('a directory verifies the password of its people', async (context) => {
  if (whyNoDirectory !== null) context.skip(whyNoDirectory);
  const page = await openWindow();
  await office.addPerson('ada', 'ip-directory');
  await logIn(page, office.address, 'ada');
  await page.getByRole('alert').waitFor();
  await fillLogin(page, 'ada', 'ada of the directory');
  expect(await sessionShown(page)).toEqual(['Person ada', ['APPLICATION']]);
  // A password of this service counts no longer once the profile names the directory.
  await office.addWithPassword('bob', 'ip-to-outsource');
  await office.setProfile('ip-to-outsource', { type: 'PTA', applicationId: 'directory' });
  await page.context().clearCookies();
  await logIn(page, office.address, 'bob');
  await page.getByRole('alert').waitFor();
  await fillLogin(page, 'bob', 'bob of the directory');
  expect(await sessionShown(page)).toEqual(['Person bob', ['APPLICATION']]);
});
