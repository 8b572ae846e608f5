import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

test('the matrix shows which systems have violations between them, then the sides, the policies and the people', async () => {
  const { openWindow } = opened();
  const page = await openWindow();
  await page.getByRole('navigation').getByRole('link', { name: 'Matrix' }).click();
  await showsTitle(page, 'Matrix');
  const heat = page.getByRole('region', { name: 'Systems against systems' });
  await heat.getByRole('button').first().waitFor();
  await inspect(page, 'matrix');
  await heat.getByRole('button', { name: /^Bank portal × ERP: 2 violations$/ }).press('Enter');
  const people = page.getByRole('region', { name: 'People' });
  await people.getByRole('link', { name: 'Tuấn Trần' }).waitFor();
  expect(new URL(page.url()).searchParams.get('row')).toBe('ERP');
  const policies = page.getByRole('region', { name: 'Policies with most open violations' });
  await policies.getByText(/policies without open violations are not listed/).waitFor();
  const counts = await policies.getByRole('row').getByRole('link').allTextContents();
  expect(counts.filter((each) => each.startsWith('0 '))).toEqual([]);
  await inspect(page, 'matrix-cell');
  await page
    .locator('main svg g')
    .filter({ hasText: /: 1 violation/ })
    .first()
    .click();
  const parts = page.getByRole('navigation', { name: 'Part of the matrix' });
  const chosen = page.getByRole('region', { name: 'Policies of the chosen pair' });
  await chosen.waitFor();
  await expect.poll(() => chosen.getByRole('row').count()).toBe(2);
  await parts.getByRole('button', { name: 'Bank portal × ERP' }).press('Enter');
  await policies.waitFor();
  await parts.getByRole('button', { name: 'All systems' }).press('Enter');
  await people.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.title')).toMatch(/^Bank portal × ERP/);
  await page.keyboard.press('Enter');
  await people.getByRole('link').first().click();
  await page.waitForURL('**/violations?*open=*');
  await page.getByRole('dialog').getByRole('heading', { name: 'What to do' }).waitFor();
});

test('tags and sides are rows too, and the address keeps which', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/matrix`);
  const rows = page.getByRole('combobox', { name: 'Compare' });
  await rows.selectOption({ label: 'Tags with systems' });
  await page.getByRole('region', { name: 'Tags against systems' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'All tags' }).click();
  await rows.selectOption({ label: 'Sides with sides' });
  await page.reload();
  await page.getByRole('region', { name: 'Sides against sides' }).first().waitFor();
  await inspect(page, 'matrix-sides');
});

test('policies that the counts of the register do not name are counted where they are shown', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const cells = page.locator('svg g');
  const titles = () => cells.locator('title').allTextContents();
  await page.goto(`${office.address}/console/matrix?rows=side`);
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
  // Until the pair is shown, the table has the policies of all of them.
  await expect.poll(() => page.getByRole('table').getByRole('link', { name: /^1 / }).count()).toBe(1);
});
