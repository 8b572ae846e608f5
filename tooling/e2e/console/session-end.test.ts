import { expect, test } from 'vitest';
import { findingsOf } from '../axe.ts';
import { showsTitle } from '../sign-in-office.ts';
import { useConsole } from './window.ts';

const opened = useConsole();

test('a session that ends offers a sign-in in another window, and nothing that was typed is lost', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations`);
  const search = page.getByLabel('Name of the person contains');
  await search.fill('xy');
  await office.endSessions();
  await page.getByLabel('Level').selectOption('High');
  await page.getByRole('alertdialog', { name: 'Your session has ended' }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in in a new window' }).click(),
  ]);
  // The sample names its usernames otherwise.
  await other.locator('[name=username]').fill('astrid.nygard');
  await other.getByLabel('Password').fill(office.password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await showsTitle(other, 'Overview');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  expect(await search.inputValue()).toBe('xy');
});
