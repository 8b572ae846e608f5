import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { linkOf, useConsole } from './window.ts';

const LATEST_MS = 10_000;
const opened = useConsole();

const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

/** Resolves once the page says that it is not live, and how long it has taken. */
async function isNotLive(page: Page, sinceMs: number): Promise<number> {
  await page.getByText('Not live').waitFor();
  await page.getByText('The connection is lost.').waitFor();
  return Date.now() - sinceMs;
}

test.each(['', 'policies', 'audit-log'])('of a service that hangs, the page /%s says so in time', async (path) => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/${path}`);
  await isLive(page);
  office.pauseApi();
  try {
    expect(await isNotLive(page, Date.now())).toBeLessThan(LATEST_MS);
  } finally {
    office.resumeApi();
  }
  await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
  await isLive(page);
});

test('of a service that has stopped the page says so in time, and shows what changed as soon as it is back', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { open, byPolicy } = await office.client.violations.summary();
  const [first] = byPolicy;
  if (first === undefined) throw new Error('the sample has no violation');
  await isLive(page);
  const sinceMs = Date.now();
  await office.stopApi();
  expect(await isNotLive(page, sinceMs)).toBeLessThan(LATEST_MS);
  await office.startApi();
  const setState = (value: string) =>
    office.client.sodPolicies.patch(first.policy.id, [{ op: 'replace', path: '/state', value }]);
  await setState('NOT_ENFORCED');
  await isLive(page);
  await linkOf(page, new RegExp(`^${open - first.open} open violations$`)).waitFor();
  await setState('ENFORCED');
  await linkOf(page, new RegExp(`^${open} open violations$`)).waitFor();
});
