import type { APIResponse, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addApp, setPasswordByLink, showsTitle } from '../sign-in-office.ts';
import type { ConsoleOffice } from './office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();
const MAXIMUM_ATTEMPTS = 3;

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function openPerson(page: Page, { address, client }: ConsoleOffice, id: string): Promise<void> {
  await page.goto(`${address}/console/people/${id}`);
  const { displayName } = await client.identities.get(id);
  await showsTitle(page, displayName ?? id);
}

/** Adds a person without capabilities who signs in with a password. */
async function addPerson({ client }: ConsoleOffice, id: string, displayName: string): Promise<string> {
  const identityProfile = 'ip-access-office';
  await client.accessModel.import([{ kind: 'identity', id, uid: id, displayName, identityProfile }]);
  return id;
}

const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

const confirm = async (page: Page, name: string) => {
  await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
};

/** Fills in the page of sign-in that is shown. The sample names its usernames otherwise. */
async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.locator('[name=username]').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a capability is given with the keyboard, takes effect in another window at once, and is taken', async () => {
  const { office, openWindow, openBlankWindow } = opened();
  const page = await openWindow();
  // A capability ends the sessions that began with a link, so the other window signs in with the password that one has set.
  const byLink = await openWindow(office.auditor);
  const other = await openBlankWindow();
  await other.goto(office.address);
  await logIn(other, (await office.client.identities.get(office.auditor)).uid, office.password);
  await showsTitle(other, 'Overview');
  await openPerson(other, office, 'i-0001');
  await card(other, 'Sessions').getByText('This needs the capability Administrator (ORG_ADMIN)').waitFor();
  await openPerson(page, office, office.auditor);
  const form = page.getByRole('form', { name: 'Capabilities' });
  await form.getByText('Reads violations, policies, exceptions').waitFor();
  await expect.poll(() => form.getByRole('checkbox', { name: 'HELPDESK' }).isDisabled()).toBe(false);
  await form.getByRole('checkbox', { name: 'ORG_ADMIN' }).focus();
  await page.keyboard.press('Space');
  await inspect(page, 'person-capabilities');
  await form.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await form.getByText('Saved.', { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe('Save');
  await card(other, 'Sessions').getByText('The person is not signed in.').waitFor();
  await byLink.getByRole('alertdialog', { name: 'Your session has ended' }).waitFor();
  await form.getByRole('checkbox', { name: 'ORG_ADMIN' }).uncheck();
  await form.getByText('An administrator who can sign in must remain').waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  await card(other, 'Sessions').getByText('This needs the capability Administrator (ORG_ADMIN)').waitFor();
  const { capabilities } = await office.client.authUsers.get(office.auditor);
  expect(capabilities).toEqual(['das:ui-auditor', 'das:ui-compliance_manager']);
});

test('the last administrator stays, and one changes one’s own way in elsewhere', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await openPerson(page, office, office.administrator);
  const form = page.getByRole('form', { name: 'Capabilities' });
  await form.getByRole('checkbox', { name: 'ORG_ADMIN' }).uncheck();
  await form.getByText('You take this from yourself.').waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Nothing was changed: no administrator would be left').waitFor();
  await inspect(page, 'person-last-administrator');
  await form.getByRole('button', { name: 'Discard the changes' }).click();
  expect((await office.client.authUsers.get(office.administrator)).capabilities).toContain('ORG_ADMIN');
  const signIn = card(page, 'Sign-in');
  await signIn.getByText('Password', { exact: true }).waitFor();
  await expect.poll(() => signIn.getByRole('button').count()).toBe(0);
  await card(page, 'Sessions').getByText('this window').waitFor();
  await signIn.getByRole('link', { name: 'Your account' }).click();
  await showsTitle(page, 'Your account');
});

test('two administrators who change one person see both versions', async () => {
  const { office, openWindow } = opened();
  const id = await addPerson(office, 'i-two-windows', 'Tove Twice');
  const page = await openWindow();
  await openPerson(page, office, id);
  const form = page.getByRole('form', { name: 'Capabilities' });
  await form.getByRole('checkbox', { name: 'ORG_ADMIN' }).check();
  await office.client.authUsers.setCapabilities(id, ['CERT_ADMIN']);
  const conflict = form.getByRole('alert');
  await conflict.getByText('Somebody else has changed this in the meantime').waitFor();
  await conflict.getByRole('row', { name: 'CERT_ADMIN yes (not changed: theirs remains)' }).waitFor();
  await conflict.getByRole('row', { name: 'ORG_ADMIN no yes' }).waitFor();
  await inspect(page, 'person-conflict');
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  await form.getByText('Capabilities for other services, 1 given').click();
  await expect.poll(() => form.getByRole('checkbox', { name: 'CERT_ADMIN' }).isChecked()).toBe(true);
  // The page keeps the version that it has read, so that the service refuses it (412).
  let read: APIResponse | null = null;
  let isStale = true;
  await page.route(`**/auth-users/v1/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') isStale = false;
    if (!isStale) return route.continue();
    read ??= await route.fetch();
    return route.fulfill({ response: read });
  });
  await page.reload();
  await form.getByRole('checkbox', { name: 'ORG_ADMIN' }).check();
  await office.client.authUsers.setCapabilities(id, ['ROLE_ADMIN']);
  await form.getByRole('button', { name: 'Save' }).click();
  await conflict.getByRole('row', { name: 'ROLE_ADMIN yes (not changed: theirs remains)' }).waitFor();
  await conflict.getByRole('button', { name: 'Continue with mine' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved.', { exact: true }).waitFor();
  expect((await office.client.authUsers.get(id)).capabilities).toEqual(['ROLE_ADMIN', 'ORG_ADMIN']);
});

test('a link lets a person in who sets up an app; the app is removed, and the person signs in again after a lock-out', async () => {
  const { office, openWindow, openBlankWindow } = opened();
  await office.client.authOrg.lockout.patch([{ op: 'replace', path: '/maximumAttempts', value: MAXIMUM_ATTEMPTS }]);
  const id = await addPerson(office, 'i-wanda', 'Wanda Way');
  const page = await openWindow();
  await openPerson(page, office, id);
  const signIn = card(page, 'Sign-in');
  await signIn.getByText('Nothing is set up here.').waitFor();
  await inspect(page, 'person-nothing-set-up');
  await signIn.getByLabel('Valid for').selectOption('1 hour');
  await signIn.getByRole('button', { name: 'Create a link' }).click();
  const made = signIn.getByRole('region', { name: 'The link for Wanda Way' });
  const label = "document.activeElement.getAttribute('aria-label')";
  await expect.poll(() => page.evaluate(label)).toBe('The link for Wanda Way');
  // As in a frame that may not write the clipboard.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await made.getByRole('button', { name: 'Copy Link' }).click();
  await made.getByText('The browser does not permit it.').waitFor();
  const link = (await made.locator('code').textContent()) ?? '';
  const wanda = await openBlankWindow();
  await setPasswordByLink(wanda, link);
  await showsTitle(wanda, 'Your account');
  await wanda.goto(link);
  await wanda.getByText('This link').first().waitFor();
  await wanda.goto(`${office.address}/account/authenticator`);
  await addApp(wanda);
  await inspect(page, 'person-link');
  await page.reload();
  await signIn.getByText('10 left').waitFor();
  await card(page, 'Sessions')
    .getByText('By password and link')
    .or(card(page, 'Sessions').getByText('By link and password'))
    .waitFor();
  await card(page, 'Sessions')
    .getByText('From 127.0.0.1')
    .or(card(page, 'Sessions').getByText('From 0:0:0:0:0:0:0:1'))
    .waitFor();
  await inspect(page, 'person-signed-in');
  await signIn.getByRole('button', { name: 'Remove Authenticator app' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Remove Authenticator app of Wanda Way?' }).waitFor();
  // Cancel comes first.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await signIn.getByRole('button', { name: 'Remove Authenticator app' }).waitFor({ state: 'detached' });
  await card(page, 'Sessions').getByText('The person is not signed in.').waitFor();
  await expect.poll(() => focused(page)).toBe('Signs in with');
  await wanda.goto(`${office.address}/account`);
  await showsTitle(wanda, 'Sign in');
  for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt++) {
    await logIn(wanda, id, 'not the right sentence');
    await wanda.getByText('You could not be signed in.').waitFor();
  }
  await signIn.getByText(/^Locked until /).waitFor();
  await inspect(page, 'person-locked');
  await logIn(wanda, id, office.password);
  await wanda.getByText('You could not be signed in.').waitFor();
  await signIn.getByRole('button', { name: 'Unlock' }).click();
  await confirm(page, 'Unlock');
  await signIn.getByText('Not locked, no failed attempt.').waitFor();
  await logIn(wanda, id, office.password);
  await showsTitle(wanda, 'Your account');
  await page.reload();
  await signIn.getByRole('button', { name: 'Remove all of them' }).click();
  await confirm(page, 'Remove all of them');
  await signIn.getByText('Nothing is set up here.').waitFor();
});

test('what is typed or shown only once stays while the page cannot be read again', async () => {
  const { office, openWindow } = opened();
  const id = await addPerson(office, 'i-unread', 'Una Unread');
  const page = await openWindow();
  await openPerson(page, office, id);
  const form = page.getByRole('form', { name: 'Capabilities' });
  await form.getByRole('checkbox', { name: 'ORG_ADMIN' }).check();
  await card(page, 'Sign-in').getByRole('button', { name: 'Create a link' }).click();
  const made = page.getByRole('region', { name: 'The link for Una Unread' });
  const link = await made.locator('code').textContent();
  const places = [`**/identities/v1/${id}`, `**/auth-users/v1/${id}*`, `**/auth-users/v1/${id}/**`];
  for (const place of places) await page.route(place, (route) => route.fulfill({ status: 403, body: '{}' }));
  // The event of this change lets the page read the person again.
  await office.client.authUsers.setCapabilities(id, ['ORG_ADMIN']);
  const failure = page.getByRole('alert').filter({ hasText: 'This cannot be shown' });
  await failure.first().waitFor();
  await inspect(page, 'person-unread');
  await expect.poll(() => made.locator('code').textContent()).toBe(link);
  await expect.poll(() => form.getByRole('checkbox', { name: 'ORG_ADMIN' }).isChecked()).toBe(true);
  for (const place of places) await page.unroute(place);
  await office.client.authUsers.setCapabilities(id, []);
  await failure.first().waitFor({ state: 'detached' });
  await expect.poll(() => form.getByRole('checkbox', { name: 'ORG_ADMIN' }).isChecked()).toBe(true);
  await expect.poll(() => made.locator('code').textContent()).toBe(link);
  await made.getByRole('button', { name: 'I have kept it' }).click();
  await expect.poll(() => focused(page)).toBe('Sign-in link');
});

test('a card that cannot be read says so beside the others, which stay while it is read again', async () => {
  const { office, openWindow } = opened();
  const id = await addPerson(office, 'i-no-exceptions', 'Noor Example');
  const page = await openWindow();
  let reads = 0;
  await page.route('**/sod-exceptions/v1?*', (route) => {
    reads += 1;
    return route.fulfill({ status: 400, body: '{}' });
  });
  await openPerson(page, office, id);
  const failed = card(page, 'Exceptions');
  await failed.getByRole('alert').waitFor();
  const helpdesk = card(page, 'Capabilities').getByRole('checkbox', { name: 'HELPDESK' });
  await helpdesk.check();
  const before = reads;
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => reads).toBeGreaterThan(before);
  await page.unroute('**/sod-exceptions/v1?*');
  // The event of this import lets the page read everything again.
  await addPerson(office, 'i-another', 'Ada Another');
  await failed.getByRole('alert').waitFor({ state: 'detached' });
  expect(await helpdesk.isChecked()).toBe(true);
});

test('what is typed while a change is saved is another change', async () => {
  const { office, openWindow } = opened();
  const id = await addPerson(office, 'i-quick', 'Quinn Quick');
  await office.client.authUsers.setCapabilities(id, ['CERT_ADMIN']);
  const page = await openWindow();
  await openPerson(page, office, id);
  const form = page.getByRole('form', { name: 'Capabilities' });
  await form.getByRole('checkbox', { name: 'ORG_ADMIN' }).check();
  const typed = Promise.withResolvers<void>();
  await page.route(`**/auth-users/v1/${id}*`, async (route) => {
    if (route.request().method() === 'PATCH') await typed.promise;
    await route.continue();
  });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('button', { name: 'Saving' }).waitFor();
  await form.getByText('Capabilities for other services').click();
  await form.getByRole('checkbox', { name: 'CERT_ADMIN' }).uncheck();
  typed.resolve();
  await form.getByText('1 change is not saved.').waitFor();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.getByText('Saved.', { exact: true }).waitFor();
  expect((await office.client.authUsers.get(id)).capabilities).toEqual(['ORG_ADMIN']);
});

test('one session is ended, then all of them, and their windows ask for a sign-in', async () => {
  const { office, openWindow, openBlankWindow } = opened();
  const page = await openWindow();
  // The new password ends all sessions before it.
  const windows = [await openWindow(office.auditor), await openBlankWindow(), await openBlankWindow()];
  const { uid } = await office.client.identities.get(office.auditor);
  for (const other of windows.slice(1)) {
    await other.goto(office.address);
    await logIn(other, uid, office.password);
    await showsTitle(other, 'Overview');
  }
  await openPerson(page, office, office.auditor);
  const sessions = card(page, 'Sessions');
  await sessions.getByRole('button', { name: 'End 3 sessions' }).waitFor();
  await inspect(page, 'person-sessions');
  const asksForSignIn = async (other: Page | undefined) => {
    // The window may have noticed by itself: then the dialog keeps pointers from the link.
    await other?.locator('nav a', { hasText: /^People$/ }).dispatchEvent('click');
    await other?.getByRole('alertdialog', { name: 'Your session has ended' }).waitFor();
  };
  // The latest is the first.
  await sessions
    .getByRole('button', { name: /^End Since/ })
    .first()
    .click();
  await confirm(page, 'End');
  await sessions.getByRole('button', { name: 'End 2 sessions' }).click();
  await asksForSignIn(windows[2]);
  await confirm(page, 'End 2 sessions');
  await sessions.getByText('The person is not signed in.').waitFor();
  await asksForSignIn(windows[0]);
  await asksForSignIn(windows[1]);
});

test('the latest sign-in that is known is shown as such, and the one before it only where it is known', async () => {
  const { office, openWindow } = opened();
  const times = {
    never: {},
    once: { lastLoginTimestamp: 1_793_136_413_038 },
    twice: { lastLoginTimestamp: 1_793_136_413_038, currentLoginTimestamp: 1_793_222_813_038 },
  };
  const identityProfile = 'ip-access-office';
  await office.client.accessModel.import(
    Object.entries(times).map(([id, fields]) => ({ kind: 'identity', id, uid: id, identityProfile, ...fields })),
  );
  const page = await openWindow();
  const signInsOf = async (id: string) => {
    await openPerson(page, office, id);
    const facts = card(page, 'Sign-in').locator('dl');
    await facts.getByText('Latest sign-in').waitFor();
    return (await facts.locator('dt, dd').allTextContents()).slice(2).map((text) => text.replace(/,.*$/, ''));
  };
  expect(await signInsOf('never')).toEqual(['Latest sign-in', 'Never']);
  expect(await signInsOf('once')).toEqual(['Latest sign-in', '27 Oct 2026']);
  expect(await signInsOf('twice')).toEqual(['Latest sign-in', '28 Oct 2026', 'Previous sign-in', '27 Oct 2026']);
});

test('an auditor reads what a person may administer, and changes nothing', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow(office.auditor);
  await openPerson(page, office, office.administrator);
  await card(page, 'Capabilities').getByText('Administers everything').waitFor();
  await card(page, 'Sign-in')
    .getByText('This needs the capability Administrator (ORG_ADMIN) or Service desk (HELPDESK)')
    .waitFor();
  await card(page, 'Sessions').getByText('This needs the capability Administrator (ORG_ADMIN)').waitFor();
  await inspect(page, 'person-auditor');
  for (const name of ['Capabilities', 'Sign-in', 'Sessions'])
    expect([name, await card(page, name).locator('button, input, select').count()]).toEqual([name, 0]);
});
