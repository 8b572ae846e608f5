import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, linkOf, useConsole } from './window.ts';

const opened = useConsole();

test('the overview shows the counts of the register, each of which leads to its list', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { open } = await office.client.violations.summary();
  await linkOf(page, new RegExp(`^${open} Open violations$`)).waitFor();
  await page.getByRole('table').nth(1).getByRole('row').nth(1).waitFor();
  await inspect(page, 'overview');
  await linkOf(page, /Open violations$/).click();
  await showsTitle(page, 'Violations');
  await page.getByText(`${open} violations`).waitFor();
  expect(new URL(page.url()).search).toBe('?status=Open');
  expect(await page.title()).toBe('Violations – Access Admin');
  await page.goBack();
  await showsTitle(page, 'Overview');
});

test('a change made elsewhere shows without reloading', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.getByText('Live', { exact: true }).waitFor();
  const { open, byPolicy } = await office.client.violations.summary();
  const [first] = byPolicy;
  if (first === undefined) throw new Error('the sample has no violation');
  const setState = (value: string) =>
    office.client.sodPolicies.patch(first.policy.id, [{ op: 'replace', path: '/state', value }]);
  await setState('NOT_ENFORCED');
  await linkOf(page, new RegExp(`^${open - first.open} Open violations$`)).waitFor();
  await setState('ENFORCED');
  await linkOf(page, new RegExp(`^${open} Open violations$`)).waitFor();
});

test('the console speaks three languages, and keeps the choice', async () => {
  const { openWindow } = opened();
  const page = await openWindow();
  for (const [tag, title] of Object.entries({ de: 'Übersicht', vi: 'Tổng quan' })) {
    await page.locator('select').nth(1).selectOption(tag);
    await showsTitle(page, title);
    expect(await page.locator('html').getAttribute('lang')).toBe(tag);
  }
  await page.locator('select').first().selectOption('dark');
  await page.reload();
  await showsTitle(page, 'Tổng quan');
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
});
