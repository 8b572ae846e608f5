import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { useConsole } from './window.ts';

const opened = useConsole();

/** Another origin, whose page shows an address in a frame. Browsers take it for another site than `localhost`. */
async function openPortal(address: string): Promise<string> {
  const html = `<!doctype html><title>Portal</title><iframe src="${address}" width="1200" height="800"></iframe>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function signIn(frame: FrameLocator, password: string) {
  // The sample names its usernames otherwise.
  await frame.locator('[name=username]').fill('astrid.nygard');
  await frame.getByLabel('Password').fill(password);
  await frame.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('framed by an origin of the whitelist the console works, signing in included, and framed by another it does not', async () => {
  const { office, openWindow, openBlankWindow } = opened();
  const address = `${office.address}/console/what-if?person=i-0001`;
  const allowed = await openPortal(address);
  const other = await openPortal(address);
  await office.client.uiMetadata.set({ iFrameWhitelist: allowed });
  // Sets the password. The session of this window is of no use to another one.
  await openWindow();
  const page = await openBlankWindow();
  await page.goto(allowed);
  const frame = page.frameLocator('iframe');
  await signIn(frame, office.password);
  await showsTitle(frame, 'What if');
  await frame.getByText('Live', { exact: true }).waitFor();
  // The question is a POST.
  await frame.getByRole('combobox', { name: 'Access to add' }).fill('Vendor: create');
  await frame.getByRole('option', { name: 'Vendor: create' }).click();
  await frame.getByText('This grant violates 1 policy.').waitFor();
  await office.endSessions();
  await frame.getByLabel('First day').fill('2030-01-01');
  await frame.getByRole('alertdialog', { name: 'Your session has ended' }).waitFor();
  await signIn(frame.frameLocator('iframe'), office.password);
  await frame.getByRole('alertdialog').waitFor({ state: 'detached' });
  await frame.getByText('Live', { exact: true }).waitFor();
  await expect.poll(() => frame.getByLabel('First day').inputValue()).toBe('2030-01-01');
  await page.goto(other);
  const isRefused = () => page.frames().some((each) => each.url().startsWith('chrome-error://'));
  await expect.poll(isRefused).toBe(true);
});
