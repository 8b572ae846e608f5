import { expect, test } from 'vitest';
import { findingsOf } from '../axe.ts';
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
  await office.signInAgain(page);
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  expect(await search.inputValue()).toBe('xy');
});
