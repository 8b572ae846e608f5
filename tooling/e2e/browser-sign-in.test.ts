import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OpenChromium, openChromium } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { addPasskeyDevice, cookieNames, skipWithoutChromium } from './browser.ts';
import {
  addApp,
  codeOf,
  fillLogin,
  logIn,
  MAXIMUM_ATTEMPTS,
  type Office,
  openOffice,
  PASSWORD,
  setPasswordByLink,
  showsTitle,
  TRUSTED,
} from './sign-in-office.ts';

let office: Office;
let chromium: OpenChromium | null;

beforeAll(async () => {
  chromium = await openChromium();
  if (chromium !== null) office = await openOffice();
});
beforeEach(skipWithoutChromium);
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]();
  if (chromium !== null) await office[Symbol.asyncDispose]();
});

// Each test has people of its own: the tests share the service.
type Ending = Pick<TestContext, 'onTestFinished'>;
type WindowOptions = Parameters<OpenChromium['open']>[0];

/** A window with cookies of its own, which is closed with the test. */
async function openWindow({ onTestFinished }: Ending, options?: WindowOptions): Promise<Page> {
  if (chromium === null) throw new Error('there is no browser');
  const page = await chromium.open(options);
  onTestFinished(() => page.context().close());
  return page;
}

/** Waits for a page by its path: the address of the sign-in page names the page to which it leads. */
const isAt = (page: Page, path: string) => page.waitForURL(({ pathname }) => pathname === path);

/** Whose account the page shows, after a sign-in. */
async function accountShown(page: Page): Promise<string | null> {
  await isAt(page, '/account');
  return page.getByRole('heading', { level: 2 }).first().textContent();
}

const alertOf = (page: Page) => page.getByRole('alert').textContent();

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
}

const FAILED = expect.stringContaining('You could not be signed in.');

describe('a person signs in', () => {
  test('at another name of this machine than that of the base address, and stays there', async (context) => {
    const page = await openWindow(context, { extraHTTPHeaders: TRUSTED });
    const id = await office.addWithPassword('lin');
    const numbered = office.address.replace('localhost', '127.0.0.1');
    await page.goto(numbered);
    await isAt(page, '/login');
    // Browsers offer passkeys at a name alone.
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await fillLogin(page, id);
    expect(await accountShown(page)).toBe('Person lin');
    expect(new URL(page.url()).origin).toBe(numbered);
    await signOut(page);
    expect(new URL(page.url()).origin).toBe(numbered);
  });

  test('by a link, once, setting a password; then by password with the keyboard alone; and signs out', async (context) => {
    const page = await openWindow(context);
    const link = await office.linkFor(await office.addPerson('lea'));
    await setPasswordByLink(page, link);
    expect(await accountShown(page)).toBe('Person lea');
    await signOut(page);
    expect(await cookieNames(page.context())).toEqual([]);
    expect((await page.goto(link))?.status()).toBe(404);

    await page.goto(`${office.address}/account`);
    // The browser moves the focus after the page has loaded.
    await page.locator('input[name=username]:focus').waitFor();
    await page.keyboard.type('LEA');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    expect(await accountShown(page)).toBe('Person lea');
    const [cookie, ...others] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(others).toEqual([]);
  });

  test('with an authenticator app, whose codes work once each, and with a recovery code, once', async (context) => {
    const page = await openWindow(context);
    await setPasswordByLink(page, await office.linkFor(await office.addPerson('theo', 'ip-second-factor')));
    await showsTitle(page, 'Set up a second factor');
    const key = await addApp(page);
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole('link', { name: 'I have kept them' }).click();
    expect(await accountShown(page)).toBe('Person theo');
    await signOut(page);

    await logIn(page, office.address, 'theo');
    await showsTitle(page, 'Confirm your sign-in');
    const next = codeOf(key, 1);
    await confirmByCode(page, next);
    expect(await accountShown(page)).toBe('Person theo');
    await signOut(page);
    await logIn(page, office.address, 'theo');
    await confirmByCode(page, next);
    expect(await alertOf(page)).toContain('This did not work.');
    await confirmByRecoveryCode(page, codes[0] ?? '');
    expect(await accountShown(page)).toBe('Person theo');
    expect(await page.getByText('You have 9 recovery codes left.').count()).toBe(1);
    await signOut(page);
    await logIn(page, office.address, 'theo');
    await confirmByRecoveryCode(page, codes[0] ?? '');
    expect(await alertOf(page)).toContain('This did not work.');
  });

  test('with a passkey alone, where the device recognises the person', async (context) => {
    const page = await openWindow(context);
    const device = await addPasskeyDevice(page);
    await page.goto(await office.linkFor(await office.addPerson('pia', 'ip-second-factor')));
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    expect(await accountShown(page)).toBe('Person pia');
    await signOut(page);
    const usePasskey = () => page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await device.recognise(false);
    await usePasskey();
    await page.getByRole('alert').getByText('The passkey was not used').waitFor();
    await device.recognise(true);
    await usePasskey();
    expect(await accountShown(page)).toBe('Person pia');
  });

  test('with a password and then a passkey', async (context) => {
    const page = await openWindow(context);
    await addPasskeyDevice(page);
    await setPasswordByLink(page, await office.linkFor(await office.addPerson('paul', 'ip-second-factor')));
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await accountShown(page);
    await signOut(page);
    await logIn(page, office.address, 'paul');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    expect(await accountShown(page)).toBe('Person paul');
  });

  test('without JavaScript, with a password and an authenticator app', async (context) => {
    const page = await openWindow(context, { javaScriptEnabled: false });
    await setPasswordByLink(page, await office.linkFor(await office.addPerson('nils', 'ip-second-factor')));
    const key = await addApp(page);
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await isAt(page, '/account');
    await signOut(page);
    await logIn(page, office.address, 'nils');
    await confirmByCode(page, codeOf(key, 1));
    expect(await accountShown(page)).toBe('Person nils');
    await signOut(page);
    expect(await page.getByRole('button', { name: 'passkey' }).count()).toBe(0);
  });
});

async function confirmByCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code from your authenticator app').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function confirmByRecoveryCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
}

describe('a person with the right password is refused, with the text of a wrong one', () => {
  type Expecting = Pick<TestContext, 'expect'>;

  /** Signs in with the right password, and expects the refusal and its reason. */
  async function isRefused({ expect }: Expecting, page: Page, [id, reason]: readonly [string, string]): Promise<void> {
    await logIn(page, office.address, id);
    expect(await alertOf(page)).toEqual(FAILED);
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe(id);
    await expect.poll(() => reasonsOf(id)).toEqual([reason]);
  }

  /** The reasons of all blocks and locks of an identity. */
  async function reasonsOf(identityId: string): Promise<readonly string[]> {
    const { items } = await office.client.events.page({ types: ['sign-in.*'] });
    const blocks = items.map(({ data }) => data as { readonly id: string; readonly reasons: readonly string[] });
    return blocks.filter(({ id }) => id === identityId).flatMap(({ reasons }) => reasons);
  }

  test('when the auth profile blocks; a session that there is ends', async (context) => {
    const page = await openWindow(context);
    await office.addWithPassword('bea', 'ip-to-block');
    await logIn(page, office.address, 'bea');
    await accountShown(page);
    await office.setProfile('ip-to-block', { type: 'BLOCK' });
    await page.reload();
    await showsTitle(page, 'Sign in');
    await isRefused(context, page, ['bea', 'PROFILE_BLOCKED']);
  });

  test('when the application that is to verify is unknown', async (context) => {
    const page = await openWindow(context);
    await office.addWithPassword('anna', 'ip-to-outsource');
    await office.setProfile('ip-to-outsource', { type: 'PTA', applicationId: 'never-named' });
    await isRefused(context, page, ['anna', 'APPLICATION_UNKNOWN']);
  });

  test.for([
    ['nora', 'ip-network', 'OFF_NETWORK', { ...TRUSTED, 'x-forwarded-for': '198.51.100.9' }],
    ['gina', 'ip-geography', 'UNTRUSTED_GEOGRAPHY', { ...TRUSTED, 'x-country': 'FR' }],
  ] as const)('when %s of %s is elsewhere: %s', async ([id, profile, reason, elsewhere], context) => {
    const page = await openWindow(context, { extraHTTPHeaders: TRUSTED });
    await office.addWithPassword(id, profile);
    await logIn(page, office.address, id);
    expect(await accountShown(page)).toBe(`Person ${id}`);
    await signOut(page);
    await page.setExtraHTTPHeaders(elsewhere);
    await isRefused(context, page, [id, reason]);
  });

  test('when too many attempts have locked the user', async (context) => {
    const page = await openWindow(context);
    await office.addWithPassword('lutz');
    for (const _ of Array.from({ length: MAXIMUM_ATTEMPTS })) {
      await page.goto(`${office.address}/login`);
      await fillLogin(page, 'lutz', 'not the sentence of lutz');
      expect(await alertOf(page)).toEqual(FAILED);
    }
    await isRefused(context, page, ['lutz', 'LOCKED_OUT']);
  });
});

describe('a page of another origin', () => {
  /** A page on a server of its own that shows the sign-in in a frame. Returns its port. */
  async function openPortal({ onTestFinished }: Ending): Promise<number> {
    const frame = `<iframe width="500" height="700" src="${office.address}/login"></iframe>`;
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Portal</title>${frame}`),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  test('frames the sign-in where it is allowed to, with a session that this frame on this site alone has', async (context) => {
    const port = await openPortal(context);
    const [allowed, another, refused] = ['127.0.0.1', 'portal.localhost', 'other.localhost'].map(
      (host) => `http://${host}:${port}`,
    ) as [string, string, string];
    await office.client.uiMetadata.set({ iFrameWhitelist: `${allowed} ${another}` });
    await office.addWithPassword('fay');
    const page = await openWindow(context);
    await page.goto(allowed);
    const frame = page.frameLocator('iframe');
    await fillLogin(frame, 'fay');
    await frame.getByRole('heading', { name: 'Person fay' }).waitFor();
    expect(await frame.getByRole('button', { name: 'passkey' }).count()).toBe(0);
    const [cookie, ...others] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: '__Host-session-framed', httpOnly: true, secure: true, sameSite: 'None' });
    expect(cookie?.partitionKey).toBe('http://127.0.0.1');
    expect(others).toEqual([]);

    await page.goto(allowed);
    await showsTitle(frame, 'Your account');
    await page.goto(another);
    await showsTitle(frame, 'Sign in');
    await page.goto(`${office.address}/account`);
    await showsTitle(page, 'Sign in');

    const isReported = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.goto(refused);
    await isReported;
    expect(await frame.getByLabel('Username').count()).toBe(0);
  });
});
