import { createServer } from 'node:http';
import { freePort } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspect, useConsole } from './window.ts';

const port = await freePort();
const RECEIVER = `http://127.0.0.1:${port}`;
const opened = useConsole({ WEBHOOK_TARGETS: RECEIVER, SECRET_KEY: 'a-key-that-tests-give-to-their-services' });

let status = 204;
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(status).end());
});
beforeAll(() => new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve)));
afterAll(() => new Promise<void>((resolve) => receiver.close(() => resolve())));

/** Waits until the service has what a form has saved. */
const isSaved = (page: Page) => page.getByText('Saved.', { exact: true }).waitFor();

test('network, lockout and sessions: refusals are at their fields, and a change says whom it locks out', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/settings/sign-in`);
  const network = page.getByRole('form', { name: 'Network' });
  await network.getByLabel('Networks of the organization').fill('203.0.113.0/24\nnot-a-range');
  await network.getByRole('button', { name: 'Save' }).click();
  await network.getByText(/^2: must be an IPv4/).waitFor();
  await network.getByLabel('Networks of the organization').fill('203.0.113.0/24');
  await network.getByText(/^\d+ people could no longer sign in\./).waitFor();
  await network.getByLabel('Countries').fill('ch, de');
  await network.getByRole('radio', { name: 'These are trusted' }).check();
  const lockout = page.getByRole('form', { name: 'Lockout' });
  await lockout.getByLabel('Failed attempts').fill('99');
  await lockout.getByRole('button', { name: 'Save' }).click();
  await lockout.getByText('Must be a whole number from 1 to 15').waitFor();
  await inspect(page, 'settings-sign-in');
  await network.getByRole('button', { name: 'Save' }).click();
  await isSaved(page);
  const saved = { range: ['203.0.113.0/24'], geolocation: ['CH', 'DE'], whitelisted: true };
  expect(await office.client.authOrg.network.get()).toEqual(saved);
  const session = page.getByRole('form', { name: 'Sessions' });
  await session.getByLabel('Without activity').fill('30');
  await session.getByRole('button', { name: 'Save' }).click();
  await session.getByText('Saved.', { exact: true }).waitFor();
  expect(await office.client.authOrg.session.get()).toMatchObject({ maxIdleTime: 30 });
});

test('a client is created, changed, rotated and deleted with the rights of the session', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/settings/clients`);
  await page.getByText('only a program changes it').first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Delete Bootstrap client' }).count()).toBe(0);
  const creation = page.getByRole('form', { name: 'New client' });
  await creation.getByRole('button', { name: 'Create the client' }).click();
  await creation.getByText('Must not be empty').first().waitFor();
  const name = '<b>Ticket system</b> عربي';
  await creation.getByLabel('Name of the new client').fill(name);
  await expect.poll(() => creation.getByRole('checkbox', { name: 'sod-policies:manage' }).count()).toBe(0);
  await creation.getByRole('checkbox', { name: 'sod-violations:read' }).check();
  await creation.getByRole('button', { name: 'Create the client' }).click();
  await page.getByRole('button', { name: 'Copy Secret' }).waitFor();
  await inspect(page, 'settings-clients');
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: `Change ${name}` }).click();
  const editor = page.getByRole('form', { name });
  await editor.getByRole('checkbox', { name: 'events:read', exact: true }).check();
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.getByText('Saved.', { exact: true }).waitFor();
  const { items } = await office.client.oauthClients.page();
  expect(items.find((each) => each.name === name)?.scopes.toSorted()).toEqual(['events:read', 'sod-violations:read']);
  await page.getByRole('button', { name: `Rotate the secret ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('checkbox', { name: 'End the old secret' }).check();
  await inspect(page, 'settings-clients-rotate');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByText('It is shown this once. The old one has ended.').waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  // The button is gone with its client.
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2');
});

test('a client that acts as the administrator is created after a fresh proof, and nothing that was typed is lost', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/settings/clients`);
  const creation = page.getByRole('form', { name: 'New client' });
  await creation.getByLabel('Name of the new client').fill('Mine');
  await creation.getByRole('radio', { name: 'You' }).check();
  await creation.getByRole('checkbox', { name: 'sod-policies:manage' }).check();
  // As the service answers five minutes after the last proof.
  const text =
    'the session needs a fresh proof of a factor: confirm at /account/confirm, which counts for five minutes';
  const cause = { locale: 'en-US', localeOrigin: 'DEFAULT', detailCode: '403', text };
  const refusal = { detailCode: '403', trackingId: '0'.repeat(32), messages: [], causes: [cause] };
  await page.route('**/oauth-clients/v1', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 403, json: refusal }) : route.continue(),
  );
  await creation.getByRole('button', { name: 'Create the client' }).click();
  await creation.getByText('Confirm that it is you first').waitFor();
  await inspect(page, 'settings-clients-proof');
  await page.unroute('**/oauth-clients/v1');
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    creation.getByRole('link', { name: 'Confirm' }).click(),
  ]);
  await other.getByLabel('Password').fill(office.password);
  await other.getByRole('button', { name: 'Continue' }).first().click();
  await other.getByRole('heading', { name: 'Your account' }).waitFor();
  await creation.getByRole('button', { name: 'Create the client' }).click();
  await page.getByRole('button', { name: 'Copy Secret' }).waitFor();
  const { items } = await office.client.oauthClients.page();
  expect(items.find(({ name }) => name === 'Mine')).toMatchObject({
    identityId: office.administrator,
    scopes: ['sod-policies:manage'],
  });
});

test('a webhook is created, tested, resent, rotated and replayed, and says why it was disabled', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/settings/webhooks`);
  await page.getByText('There is no webhook.').waitFor();
  await inspect(page, 'settings-webhooks-none');
  await page.locator('summary', { hasText: 'Other types' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Tickets');
  await page.getByLabel('Address of the receiver').fill('http://198.51.100.1/');
  await page.getByLabel('Other types').fill('odd.*');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await page.getByText(/must be a type of event/i).waitFor();
  await page.getByLabel('Other types').fill('');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await page.getByText(/^Must be an https address/).waitFor();
  await page.getByLabel('Address of the receiver').fill(`${RECEIVER}/`);
  await page.getByRole('checkbox', { name: 'Login page ui-metadata.*' }).check();
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await inspect(page, 'settings-webhook-created');
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  const rows = page.getByRole('table').getByRole('row');
  await rows.filter({ hasText: 'Delivered' }).first().waitFor();
  await page
    .getByRole('button', { name: /^Resend/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await inspect(page, 'settings-webhook');
  await page.getByText('Deliver earlier events again').click();
  await page.getByRole('button', { name: 'Start the replay' }).click();
  await page.getByText('The events are on their way.').waitFor();
  // A receiver that is gone for good disables its webhook.
  status = 410;
  await office.client.uiMetadata.set({ usernameLabel: 'Any' });
  const [webhook] = (await office.client.webhooks.page()).items;
  await expect.poll(async () => (await office.client.webhooks.get(webhook?.id ?? '')).enabled).toBe(false);
  await page.reload();
  await page.getByText('The service disabled it on').waitFor();
  await inspect(page, 'settings-webhook-disabled');
  status = 204;
  await page.getByRole('checkbox', { name: 'Deliver events' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await isSaved(page);
  expect((await office.client.webhooks.get(webhook?.id ?? '')).enabled).toBe(true);
});
