import { type OpenChromium, openChromium } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { inspectWindow } from './axe.ts';
import { addPasskeyDevice, skipWithoutChromium } from './browser.ts';
import { addApp, fillLogin, logIn, type Office, openOffice, setPasswordByLink, showsTitle } from './sign-in-office.ts';

/** A phone, a tablet and a laptop; the last is the width of a window of 1,280 pixels at a zoom of 400 %, as WCAG 2.2 demands it (1.4.10). */
const WIDTHS = [360, 768, 1280, 320] as const;
const OTHER_LANGUAGES = ['de', 'vi'] as const;

/** A provider that nothing answers for. */
const AWAY = {
  id: 'provider',
  name: 'the company account',
  kind: 'oidc',
  tenants: ['default'],
  issuer: 'http://127.0.0.1:9',
  clientId: 'access-admin',
  clientSecret: 'never sent',
};

let office: Office;
let chromium: OpenChromium | null;

beforeAll(async () => {
  chromium = await openChromium();
  if (chromium === null) return;
  office = await openOffice(() => [AWAY]);
});
beforeEach(skipWithoutChromium);
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]();
  if (chromium !== null) await office[Symbol.asyncDispose]();
});

async function openWindow(): Promise<Page> {
  if (chromium === null) throw new Error('there is no browser');
  const page = await chromium.open();
  onTestFinished(() => page.context().close());
  return page;
}

/** Checks the page that tells a fault. */
async function inspectRefusal(page: Page, heading: string): Promise<void> {
  await page.getByRole('alert').waitFor();
  await inspect(page, heading, `${heading}, refused`);
}

/** Checks the page that is shown in every language, and takes its pictures. The colors are those of one language, in light and dark. */
async function inspect(page: Page, heading: string, name = heading): Promise<void> {
  await inspectOnce(page, heading, name);
  for (const language of OTHER_LANGUAGES) {
    await speak(page, language);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).not.toBe(heading);
    await inspectWindow(page, `${fileOf(name)}-${language}`, [360, 1280], ['light']);
  }
  // What was sent is not sent once more: failures count.
  await choose(page, 'en');
  await page.goto(page.url());
}

/** Checks a page that is shown once: it cannot be loaded again in another language. */
async function inspectOnce(page: Page, heading: string, name = heading): Promise<void> {
  await showsTitle(page, heading);
  await inspectWindow(page, fileOf(name), WIDTHS);
}

const fileOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');

/** Loads the page again in a language; what was sent is sent again. */
async function speak(page: Page, language: string): Promise<void> {
  await choose(page, language);
  await page.reload();
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
}

const choose = (page: Page, language: string) =>
  page.context().addCookies([{ name: 'language', value: language, url: office.address }]);

test('pages of sign-in have no finding of axe and fit their windows', async () => {
  const page = await openWindow();
  await office.addWithPassword('inga');
  await page.goto(`${office.address}/login`);
  await inspect(page, 'Sign in');
  await fillLogin(page, 'nobody');
  await inspectRefusal(page, 'Sign in');
  await page.goto(`${office.address}/login?signed-out`);
  await inspect(page, 'Sign in', 'Sign in, signed out');
  await page.getByRole('link', { name: 'Sign in with the company account' }).click();
  await inspect(page, 'Sign-in is not available');
  await page.goto(`${office.address}/sign-in-link/never-made`);
  await inspect(page, 'This link no longer works');
  await office.addWithPassword('ina', 'ip-second-factor');
  await logIn(page, office.address, 'ina');
  await inspect(page, 'A second factor is needed');
});

test('pages of a link, of enrolment and of the second factor have no finding of axe and fit their windows', async () => {
  const page = await openWindow();
  const link = await office.linkFor(await office.addPerson('ida', 'ip-second-factor'));
  await page.goto(link);
  await inspect(page, 'Set up your sign-in');
  await page.getByLabel('New password', { exact: true }).fill('too short');
  await page.getByLabel('New password again').fill('too short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await inspectRefusal(page, 'Set up your sign-in');
  await setPasswordByLink(page, link);
  await inspect(page, 'Set up a second factor');
  await page.getByLabel('Code from your authenticator app').fill('000000');
  await page.getByRole('button', { name: 'Add the app' }).click();
  await inspectRefusal(page, 'Set up a second factor');
  await addApp(page);
  await inspectOnce(page, 'Your recovery codes');
  await page.context().clearCookies();
  await logIn(page, office.address, 'ida');
  await inspect(page, 'Confirm your sign-in');
  await page.getByLabel('Code from your authenticator app').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await inspectRefusal(page, 'Confirm your sign-in');
  await page.goto(await office.linkFor(await office.addPerson('isa', 'ip-network')));
  await inspect(page, 'You cannot sign in at the moment');
});

test('pages of the account have no finding of axe and fit their windows, and change what they say', async () => {
  const page = await openWindow();
  await addPasskeyDevice(page);
  await office.addWithPassword('ines');
  await logIn(page, office.address, 'ines');
  await inspect(page, 'Your account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey is added.').waitFor();
  await page.getByRole('link', { name: 'Set up an app' }).click();
  await inspect(page, 'Set up an authenticator app');
  await addApp(page);
  await page.goto(`${office.address}/account`);
  expect(await page.getByText('You have 10 recovery codes left.').count()).toBe(1);
  await page.getByRole('button', { name: 'Make ten new codes' }).click();
  await inspect(page, 'Your recovery codes', 'Your recovery codes, new');
  await page.goto(`${office.address}/account`);
  const elsewhere = await openWindow();
  await logIn(elsewhere, office.address, 'ines');
  await page.reload();
  await inspect(page, 'Your account', 'Your account, full');
  // The link has begun another session.
  for (const left of [1, 0]) {
    await page.getByRole('button', { name: 'End session' }).first().click();
    await expect.poll(() => page.getByRole('button', { name: 'End session' }).count()).toBe(left);
  }
  expect(await page.getByRole('status').textContent()).toBe('The session is ended.');
  await elsewhere.reload();
  await showsTitle(elsewhere, 'Sign in');
  await page.goto(`${office.address}/account/confirm`);
  await inspect(page, 'Confirm that it is you');
});
