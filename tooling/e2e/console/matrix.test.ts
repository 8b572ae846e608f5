import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

test('the matrix shows where the violations are, and leads to them', async () => {
  const { openWindow } = opened();
  const page = await openWindow();
  await page.getByRole('link', { name: 'Matrix' }).click();
  await showsTitle(page, 'Matrix');
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(2).waitFor();
  await inspect(page, 'matrix');
  await page.locator('svg g').first().click();
  await page.getByRole('heading', { name: 'Policies of the chosen pair' }).waitFor();
  expect(await rows.count()).toBe(2);
  const open = Number(/^\d+/.exec((await rows.nth(1).getByRole('link').last().textContent()) ?? '')?.[0]);
  await rows.nth(1).getByRole('link').last().click();
  await showsTitle(page, 'Violations');
  await page.getByText(open === 1 ? '1 violation' : `${open} violations`, { exact: true }).waitFor();
});
