import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();
const HOSTILE = '<img src=x onerror="document.title=1"> 👩🏽 عربي';

test('the login page is previewed while somebody types, and saved texts are on the real one', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.getByRole('link', { name: 'Settings' }).click();
  await showsTitle(page, 'Settings');
  await page.getByRole('link', { name: 'Login page' }).click();
  const shown = page.getByRole('form', { name: 'What the page shows' });
  const preview = page.getByRole('figure', { name: 'The login page with these texts' });
  await preview.getByText('Sign in').first().waitFor();
  await page.getByLabel('Label of the username field').fill(HOSTILE);
  await preview.getByText('<img src=x').waitFor();
  await page.getByLabel('Placeholder of the username field').fill('name@example.com');
  await preview.getByText('name@example.com').waitFor();
  const origins = page.getByLabel('Sites that may show these pages in a frame');
  await origins.fill('https://intranet.example.com');
  await page.getByLabel('Address of the other site').fill('https://portal.apps.example.com');
  await page.getByText('Browsers refuse to show the login page in a frame of https://portal').waitFor();
  await origins.fill('https://intranet.example.com\nhttps://*.apps.example.com\nhttps://x.example/path');
  await page.getByText('Pages of https://portal.apps.example.com may show').waitFor();
  await shown.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^3: must be/).waitFor();
  await inspect(page, 'settings-login-page');
  await origins.fill('https://intranet.example.com');
  await shown.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await office.client.uiMetadata.get()).toEqual({
    usernameLabel: HOSTILE,
    usernameEmptyText: 'name@example.com',
    iFrameWhitelist: 'https://intranet.example.com',
  });
  const href = await page.getByRole('link', { name: 'Open the real login page' }).getAttribute('href');
  // Somebody who is signed in would be led on.
  const login = await page.context().browser()?.newPage();
  await login?.goto(`${office.address}${href}`);
  await login?.getByText('<img src=x').waitFor();
  await login?.close();
  await expect.poll(() => page.locator('img').count()).toBe(0);
});

test('somebody else saves the same setting: both versions are shown, and nothing that was typed is lost', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/settings/login-page`);
  await page.getByLabel('Placeholder of the username field').fill('Mine');
  await office.client.uiMetadata.set({ usernameLabel: 'Theirs', usernameEmptyText: 'Theirs too' });
  await page.getByText('Somebody else has changed this in the meantime').waitFor();
  await page.getByRole('cell', { name: 'Theirs too' }).waitFor();
  await inspect(page, 'settings-conflict');
  await page.getByRole('button', { name: 'Continue with mine' }).click();
  await page.getByRole('form', { name: 'What the page shows' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  const { usernameLabel, usernameEmptyText } = await office.client.uiMetadata.get();
  expect({ usernameLabel, usernameEmptyText }).toEqual({ usernameLabel: 'Theirs', usernameEmptyText: 'Mine' });
});

test('a change of an auth profile says whom it locks out before it is saved, and what its guard refuses', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/settings`);
  await page.getByRole('link', { name: /^Access office/ }).click();
  await page.getByRole('radio', { name: 'Not at all' }).check();
  await page.getByText(/^\d+ people could no longer sign in\./).waitFor();
  await page.getByText('You are among those who could no longer sign in.').waitFor();
  await page.getByText('The service would refuse it').waitFor();
  await inspect(page, 'settings-auth-profile');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must not change: the caller signs in with this auth profile itself').waitFor();
  expect((await office.client.authProfiles.get('ip-access-office')).type).toBe('NON_PTA');
  await page.getByRole('button', { name: 'Discard the changes' }).click();
  await office.client.authOrg.network.set({ range: ['203.0.113.0/24'] });
  await page.getByRole('checkbox', { name: 'Only from the configured networks' }).check();
  await page.getByText('You are among those who could no longer sign in.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nothing was changed, to protect you').waitFor();
  expect((await office.client.authProfiles.get('ip-access-office')).offNetwork).toBe(false);
  await page.getByRole('button', { name: 'Discard the changes' }).click();
  await office.client.authOrg.network.set({ range: null });
  await page.getByRole('link', { name: /^Contractors/ }).click();
  await page.getByRole('radio', { name: 'With a password', exact: true }).check();
  await page.getByText('Nobody is locked out.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect((await office.client.authProfiles.get('ip-contractors')).type).toBe('NON_PTA');
  await page.getByRole('link', { name: 'Contractors With a password', exact: true }).waitFor();
});

test('a sign-in is tried with the keyboard alone, and its address holds the question', async () => {
  const { office, openWindow } = opened();
  await office.client.authOrg.network.set({ geolocation: ['CH'], whitelisted: true });
  const { displayName } = await office.client.identities.get('i-0001');
  const page = await openWindow();
  await page.goto(`${office.address}/console/settings/auth-profiles`);
  await page.getByText('Nothing is asked yet.').waitFor();
  await page.getByRole('combobox', { name: 'Person' }).focus();
  await page.keyboard.type(displayName ?? '');
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Address', { exact: true }).focus();
  await page.keyboard.type('203.0.113.400');
  await page.getByText('Must be an IPv4 or IPv6 address').waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Tab');
  await page.keyboard.type('de');
  await page.getByText('The sign-in is blocked.').waitFor();
  await page.getByText('UNTRUSTED_GEOGRAPHY').waitFor();
  await page.getByText('APPLICATION_UNKNOWN').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('country')).toBe('DE');
  await page.reload();
  await page.getByText('UNTRUSTED_GEOGRAPHY').waitFor();
  await inspect(page, 'settings-simulator');
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    person: 'i-0001',
    ip: '203.0.113.40',
    country: 'DE',
  });
  await page
    .getByRole('navigation', { name: 'Sections of the settings' })
    .getByRole('link', { name: 'Auth profiles' })
    .click();
  await page.getByText('Nothing is asked yet.').waitFor();
  await expect.poll(() => page.getByLabel('Address', { exact: true }).inputValue()).toBe('');
  expect(new URL(page.url()).search).toBe('');
});

/** A white circle on blue, 60 × 40 pixels. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADwAAAAoCAIAAAAt2Q6oAAAAcUlEQVR42u3Y0Q2AMAwD0S7CYgzGuscESJRGNJbO8gBP/WmScZxXXIdo0aJFiy4okIHmOR3RvEsjNDNpgWY+m9F8zTY0axH9i3jFLVp0PZq6+NKiRfuNZ6Ajp7zUeTp1c0ndEVO38eC7h2cx0aJFd+4NdTYxFHVzbPkAAAAASUVORK5CYII=',
  'base64',
);

test('title, logo and text of help show on the login page and in the head of the console', async () => {
  const { office, openWindow, openBlankWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/settings/login-page`);
  const form = page.getByRole('form', { name: 'Title, logo and help' });
  await form.getByLabel('Title').fill('Nordwind Gruppe');
  await form.getByLabel('Text of help').fill('No access yet? Call the service desk: 1234.');
  const chooseLogo = (buffer: Buffer) =>
    form.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await chooseLogo(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('must be a PNG').waitFor();
  await chooseLogo(LOGO);
  await inspect(page, 'settings-login-page-branding');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved.', { exact: true }).waitFor();
  await page.getByRole('banner').getByText('Nordwind Gruppe').waitFor();
  const other = await openBlankWindow();
  await other.goto(`${office.address}/login`);
  await other.getByText('Nordwind Gruppe').waitFor();
  await other.getByText('No access yet? Call the service desk: 1234.').waitFor();
  await expect.poll(() => other.evaluate("document.querySelector('header img').naturalWidth")).toBeGreaterThan(0);
  await inspect(other, 'login-branded');
  await other.locator('[name=username]').fill('nobody');
  await other.getByLabel('Password').fill('wrong password');
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByRole('alert').waitFor();
  await expect.poll(() => other.locator('[name=username]').inputValue()).toBe('nobody');
  await inspect(other, 'login-refused');
  await page.reload();
  await page.getByRole('banner').getByText('Nordwind Gruppe').waitFor();
  await page.getByRole('button', { name: 'Remove the logo' }).click();
  await form.getByLabel('Title').fill('');
  await form.getByLabel('Text of help').fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved.', { exact: true }).waitFor();
  expect(await office.client.branding.get()).toEqual({ title: null, logo: null, helpText: null });
});

test('whoever may not change settings reads them, and is offered nothing else', async () => {
  const { office, openWindow } = opened();
  await office.client.accessModel.import([
    {
      kind: 'identity',
      id: 'i-desk',
      uid: 'desk',
      displayName: 'Service desk',
      identityProfile: 'ip-access-office',
      capabilities: ['HELPDESK'],
    },
  ]);
  const auditor = await openWindow(office.auditor);
  await auditor.goto(`${office.address}/console/settings/auth-profiles?profile=ip-contractors`);
  const profile = auditor.getByRole('region', { name: 'Contractors' });
  await profile.getByText('An administrator can change it.').waitFor();
  await expect.poll(() => auditor.getByRole('main').locator('input, select, textarea, form').count()).toBe(0);
  await inspect(auditor, 'settings-auth-profile-read');
  await auditor.goto(`${office.address}/console/settings/webhooks`);
  await auditor.getByText('This needs the capability Administrator (ORG_ADMIN)').waitFor();
  const sections = auditor.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link');
  await expect.poll(() => sections.allTextContents()).toEqual(['Auth profiles']);
  const desk = await openWindow('i-desk');
  await desk.goto(`${office.address}/console/settings/sign-in`);
  await desk.getByText(/^After \d+ failed attempts within/).waitFor();
  await desk.getByText(/^A session ends after/).waitFor();
  await expect.poll(() => desk.getByRole('main').locator('input, select, textarea, form').count()).toBe(0);
  await inspect(desk, 'settings-sign-in-read');
});
