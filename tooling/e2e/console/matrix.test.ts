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

test('policies that the counts of the register do not name are counted where they are shown', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const cells = page.locator('svg g');
  const titles = () => cells.locator('title').allTextContents();
  await page.goto(`${office.address}/console/matrix`);
  await cells.first().waitFor();
  const counted = await titles();
  expect(counted.some((title) => /: [1-9]\d* violations?$/.test(title))).toBe(true);
  // As in a register in which a thousand other policies have more open violations.
  const summary = await office.client.violations.summary({ days: 90 });
  const byPolicy = Array.from({ length: 1000 }, (_, at) => ({
    policy: { type: 'SOD_POLICY', id: `other-${at}`, name: 'Other' },
    open: 9,
    mitigated: 0,
    oldest: null,
  }));
  await page.route('**/violations/v1/summary?*', (route) => route.fulfill({ json: { ...summary, byPolicy } }));
  await page.reload();
  await expect.poll(titles).toEqual(counted);
  await cells
    .filter({ hasText: /: 1 violation/ })
    .first()
    .click();
  await page.getByRole('table').getByRole('link', { name: /^1 / }).waitFor();
});
