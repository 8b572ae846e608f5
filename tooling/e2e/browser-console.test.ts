import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { addAxe, findingsOf } from './axe.ts';
import { type ConsoleOffice, openConsoleOffice } from './console-office.ts';
import { type OpenChromium, openChromium, skipWithoutChromium } from './open-chromium.ts';
import { showsTitle } from './sign-in-office.ts';

/** The folder that gets a picture of each page; none are taken where it is not named. */
const PICTURES = process.env['PICTURES'];
const WIDTHS = [360, 1280, 1920] as const;
const HEIGHT = 900;

let office: ConsoleOffice;
let chromium: OpenChromium | null;

beforeAll(async () => {
  chromium = await openChromium();
  if (chromium === null) return;
  office = await openConsoleOffice();
  if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
});
beforeEach(skipWithoutChromium);
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]();
  if (chromium !== null) await office[Symbol.asyncDispose]();
});

/** A window that is signed in, in which nothing is refused by the policy of the page and no script fails. */
async function openWindow(): Promise<Page> {
  if (chromium === null) throw new Error('there is no browser');
  const page = await chromium.open({ locale: 'en-GB', viewport: { width: 1280, height: HEIGHT } });
  await addAxe(page);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|Refused to/.test(message.text())) faults.push(message.text());
  });
  onTestFinished(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });
  await office.signIn(page);
  return page;
}

/** Checks the page that is shown, in light and dark, and takes its pictures. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const shown = `${name}-${width}-${colorScheme}`;
      if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${shown}.png`), fullPage: true });
      expect(await findingsOf(page), shown).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), shown).toBeLessThanOrEqual(width);
    }
  }
  await page.setViewportSize({ width: 1280, height: HEIGHT });
}

const linkOf = (page: Page, name: RegExp) => page.getByRole('main').getByRole('link', { name });

test('the overview shows the counts of the register, each of which leads to its list', async () => {
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

test('a violation is found, opened and understood with the keyboard alone', async () => {
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations?status=Open&level=Critical`);
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(1).waitFor();
  const name = (await rows.nth(1).getByRole('button').textContent()) ?? '';
  await page.getByLabel('Name of the person contains').focus();
  await page.keyboard.type(name.slice(0, 6));
  await expect.poll(() => new URL(page.url()).searchParams.get('person')).toBe(name.slice(0, 6));
  await page.getByRole('table').getByRole('button', { name }).first().focus();
  await inspect(page, 'violations');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toContain(name);
  await page.getByRole('table').getByRole('button', { name }).first().focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByText(`${name} holds access that violates the policy:`).waitFor();
  await drawer.getByRole('heading', { name: 'What to do' }).waitFor();
  await drawer
    .getByText(/^(through |assigned directly)/)
    .first()
    .waitFor();
  await inspect(page, 'violation');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(name);
});

test('the matrix shows where the violations are, and leads to them', async () => {
  const page = await openWindow();
  await page.getByRole('link', { name: 'Matrix' }).click();
  await showsTitle(page, 'Matrix');
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(2).waitFor();
  await inspect(page, 'matrix');
  await page.locator('svg g').first().click();
  await page.getByRole('heading', { name: 'Policies of the chosen pair' }).waitFor();
  expect(await rows.count()).toBe(2);
  const open = Number(/^\d+/.exec((await rows.nth(1).getByRole('link').textContent()) ?? '')?.[0]);
  await rows.nth(1).getByRole('link').click();
  await showsTitle(page, 'Violations');
  await page.getByText(open === 1 ? '1 violation' : `${open} violations`, { exact: true }).waitFor();
});

test('what a grant would violate is asked, answered and mended with the keyboard alone', async () => {
  const { displayName } = await office.client.identities.get('i-0001');
  const page = await openWindow();
  await page.goto(`${office.address}/console/what-if`);
  await page.getByText('Nothing is asked yet.').waitFor();
  const choose = async (field: string, name: string) => {
    await page.getByRole('combobox', { name: field }).focus();
    await page.keyboard.type(name);
    await page.getByRole('option').first().filter({ hasText: name }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  };
  await choose('Person', displayName ?? '');
  await choose('Access to add', 'Vendor: create');
  await page.getByText('This grant violates 1 policy.').waitFor();
  await page.getByRole('heading', { name: 'Vendor master and payment release' }).waitFor();
  await page.getByText('AP: release payment run (held)').waitFor();
  await inspect(page, 'what-if');
  await page.reload();
  await page.getByText('This grant violates 1 policy.').waitFor();
  await choose('Access to add', 'Production: read');
  await page.getByRole('button', { name: 'Drop Vendor: create from the request' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('This grant violates no policy.').waitFor();
});

test('the console speaks three languages, and keeps the choice', async () => {
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

test('a session that ends offers a sign-in in another window, and nothing that was typed is lost', async () => {
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

test('names that look like markup, or read from right to left, are shown as they are', async () => {
  const hostile = '<img src=x onerror="document.title=1"> 👩🏽 عربي עברית';
  const { items } = await office.client.violations.page({ filters: 'status eq "Open"', limit: 1 });
  const target = items[0]?.target ?? { id: '' };
  const { items: known } = await office.client.identities.page({ filters: `id eq "${target.id}"` });
  const record = { kind: 'identity' as const, id: target.id, displayName: hostile };
  expect(known).toHaveLength(1);
  await office.client.accessModel.import([{ ...(await recordOf(target.id)), ...record }]);
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations?person=onerror`);
  await page.getByRole('table').getByRole('button', { name: '<img src=x' }).first().click();
  await page.getByRole('dialog').getByText('<img src=x').first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toBe('Violations – Access Admin');
});

/** The identity as the export has it. */
async function recordOf(id: string) {
  for await (const record of office.client.accessModel.export())
    if (record.kind === 'identity' && record.id === id) return record;
  throw new Error(`there is no identity ${id}`);
}
