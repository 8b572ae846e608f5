import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  addPasskeyDevice,
  cookieNames,
  type OpenChromium,
  openChromium,
  skipWithoutChromium,
} from './open-chromium.ts';
import {
  addApp,
  codeOf,
  fillLogin,
  headingOf,
  logIn,
  type Office,
  openOffice,
  PASSWORD,
  setPasswordByLink,
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

type WindowOptions = Parameters<OpenChromium['open']>[0];

/** A window with cookies of its own, which is closed with the test. */
async function openWindow(options?: WindowOptions): Promise<Page> {
  if (chromium === null) throw new Error('there is no browser');
  const page = await chromium.open(options);
  onTestFinished(() => page.context().close());
  return page;
}

/** Whose account the page shows, after a sign-in. */
async function accountShown(page: Page): Promise<string | null> {
  await page.waitForURL('**/account*');
  return page.getByRole('heading', { level: 2 }).first().textContent();
}

const alertOf = (page: Page) => page.getByRole('alert').textContent();

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
}

const FAILED = expect.stringContaining('You could not be signed in.');

describe('a person signs in', () => {
  test('by a link, once, setting a password; then by password with the keyboard alone; and signs out', async () => {
    const page = await openWindow();
    const link = await office.linkFor(await office.addPerson('lea'));
    await setPasswordByLink(page, link);
    expect(await accountShown(page)).toBe('Person lea');
    await signOut(page);
    expect(await cookieNames(page.context())).toEqual([]);
    expect((await page.goto(link))?.status()).toBe(404);

    await page.goto(`${office.address}/account`);
    await page.keyboard.type('LEA');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    expect(await accountShown(page)).toBe('Person lea');
    const [cookie, ...others] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(others).toEqual([]);
  });

  test('with an authenticator app, whose codes work once each, and with a recovery code, once', async () => {
    const page = await openWindow();
    await setPasswordByLink(page, await office.linkFor(await office.addPerson('theo', 'ip-second-factor')));
    await expect.poll(() => headingOf(page)).toBe('Set up a second factor');
    const key = await addApp(page);
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole('link', { name: 'I have kept them' }).click();
    expect(await accountShown(page)).toBe('Person theo');
    await signOut(page);

    await logIn(page, office.address, 'theo');
    await expect.poll(() => headingOf(page)).toBe('Confirm your sign-in');
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

  test('with a passkey alone, where the device recognises the person', async () => {
    const page = await openWindow();
    const device = await addPasskeyDevice(page);
    await page.goto(await office.linkFor(await office.addPerson('pia', 'ip-second-factor')));
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    expect(await accountShown(page)).toBe('Person pia');
    await signOut(page);
    const usePasskey = () => page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await device.recognise(false);
    await usePasskey();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('The passkey was not used');
    await device.recognise(true);
    await usePasskey();
    expect(await accountShown(page)).toBe('Person pia');
  });

  test('with a password and then a passkey', async () => {
    const page = await openWindow();
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

  test('without JavaScript, with a password and an authenticator app', async () => {
    const page = await openWindow({ javaScriptEnabled: false });
    await setPasswordByLink(page, await office.linkFor(await office.addPerson('nils', 'ip-second-factor')));
    const key = await addApp(page);
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.waitForURL('**/account*');
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
  /** The reasons of all blocks and locks of an identity. */
  const reasonsOf = async (identityId: string) => {
    const reasons: string[] = [];
    for await (const { data } of office.client.events.list({ types: ['sign-in.*'] })) {
      const blocked = data as { readonly id: string; readonly reasons: readonly string[] };
      if (blocked.id === identityId) reasons.push(...blocked.reasons);
    }
    return reasons;
  };

  test('when the auth profile blocks; a session that there is ends', async () => {
    const page = await openWindow();
    await office.addWithPassword('bea', 'ip-to-block');
    await logIn(page, office.address, 'bea');
    await accountShown(page);
    await office.setProfile('ip-to-block', { type: 'BLOCK' });
    await page.reload();
    await expect.poll(() => headingOf(page)).toBe('Sign in');
    await fillLogin(page, 'bea');
    expect(await alertOf(page)).toEqual(FAILED);
    await expect.poll(() => reasonsOf('bea')).toEqual(['PROFILE_BLOCKED']);
  });

  test.each([
    ['nora', 'ip-network', 'OFF_NETWORK', { ...TRUSTED, 'x-forwarded-for': '198.51.100.9' }],
    ['gina', 'ip-geography', 'UNTRUSTED_GEOGRAPHY', { ...TRUSTED, 'x-country': 'FR' }],
  ] as const)('when %s of %s is elsewhere: %s', async (id, profile, reason, elsewhere) => {
    await office.addWithPassword(id, profile);
    const trusted = await openWindow({ extraHTTPHeaders: TRUSTED });
    await logIn(trusted, office.address, id);
    expect(await accountShown(trusted)).toBe(`Person ${id}`);
    const page = await openWindow({ extraHTTPHeaders: elsewhere });
    await logIn(page, office.address, id);
    expect(await alertOf(page)).toEqual(FAILED);
    await expect.poll(() => reasonsOf(id)).toEqual([reason]);
  });

  test('when too many attempts have locked the user', async () => {
    const { lockout } = office.client.authOrg;
    const setAttempts = (value: number) => lockout.patch([{ op: 'replace', path: '/maximumAttempts', value }]);
    await setAttempts(2);
    onTestFinished(async () => void (await setAttempts(5)));
    const page = await openWindow();
    await office.addWithPassword('lutz');
    for (const _ of [1, 2]) {
      await page.goto(`${office.address}/login`);
      await page.getByLabel('Username').fill('lutz');
      await page.getByLabel('Password').fill('not the sentence of lutz');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      expect(await alertOf(page)).toEqual(FAILED);
    }
    await logIn(page, office.address, 'lutz');
    expect(await alertOf(page)).toEqual(FAILED);
    await expect.poll(() => reasonsOf('lutz')).toEqual(['LOCKED_OUT']);
  });
});

describe('a page of another origin', () => {
  /** A page on a server of its own that shows the sign-in in a frame. Its site is not that of the service. */
  async function openPortal(): Promise<string> {
    const server = createServer((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<!doctype html><title>Portal</title><iframe width="500" height="700" src="${office.address}/login"></iframe>`,
        ),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('frames the sign-in where it is allowed to, with a session that the frame alone has', async () => {
    const [allowed, other] = [await openPortal(), await openPortal()];
    await office.client.uiMetadata.set({ iFrameWhitelist: allowed });
    await office.addWithPassword('fay');
    const page = await openWindow();
    await page.goto(allowed);
    const frame = page.frameLocator('iframe');
    await fillLogin(frame, 'fay');
    await frame.getByRole('heading', { name: 'Person fay' }).waitFor();
    expect(await frame.getByRole('button', { name: 'passkey' }).count()).toBe(0);
    const [cookie, ...others] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: '__Host-session-framed', httpOnly: true, secure: true, sameSite: 'None' });
    expect(others).toEqual([]);
    await page.goto(`${office.address}/account`);
    await expect.poll(() => headingOf(page)).toBe('Sign in');

    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(other);
    await expect.poll(() => refused.join()).toContain('frame-ancestors');
    expect(await page.frameLocator('iframe').getByLabel('Username').count()).toBe(0);
  });
});
