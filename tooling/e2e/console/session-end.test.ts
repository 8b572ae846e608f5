import { expect, test } from 'vitest';
import { findingsOf } from '../axe.ts';
import { useConsole } from './window.ts';

const MINUTE_MS = 60_000;

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
  await expect.poll(() => search.inputValue()).toBe('xy');
});

test('after its session has ended, a page asks for nothing by itself', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.clock.install();
  await page.goto(`${office.address}/console/audit-log`);
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  await page.getByText('More filters, and the order').click();
  await office.endSessions();
  await page.getByLabel('Outcome').selectOption('Denied');
  await page.getByRole('alertdialog', { name: 'Your session has ended' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.clock.runFor(MINUTE_MS);
  expect(asked).toEqual([]);
});
