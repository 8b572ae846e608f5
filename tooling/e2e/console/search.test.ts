import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findingsOf } from '../axe.ts';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Search everything' });
const optionOf = (page: Page, name: RegExp) => page.getByRole('option', { name });

test('a key opens the search from every page, which finds people, policies, violations, access and pages, and leads to them', async () => {
  const page = await opened().openWindow();
  await page.keyboard.press('/');
  await optionOf(page, /^Network and sessions/).waitFor();
  await page.keyboard.type('tuan tran');
  await page.getByRole('group', { name: 'Violations' }).getByRole('option').first().waitFor();
  await expect.poll(() => fieldOf(page).getAttribute('aria-activedescendant')).not.toBe(null);
  await page.keyboard.press('Enter');
  await showsTitle(page, 'Tuấn Trần');
  await page.keyboard.press('Control+k');
  await fieldOf(page).fill('tuan.tran');
  await optionOf(page, /^Tuấn Trần tuan.tran/).waitFor();
  await fieldOf(page).fill('vendor master and pay');
  await optionOf(page, /^Vendor master and payment release$/).click();
  await showsTitle(page, 'Vendor master and payment release');
  await page.keyboard.press('Control+k');
  await fieldOf(page).fill('payment run');
  await optionOf(page, /entitlement · ERP$/)
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: /^AP: / }).waitFor();
  await page.keyboard.press('Control+k');
  await fieldOf(page).fill('webh');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  // There is none yet.
  await page.getByRole('heading', { name: 'New webhook' }).waitFor();
});

test('a whole id finds what has no name, nothing found says what to try, and Escape gives the focus back', async () => {
  const { office, openWindow } = opened();
  const { reportId } = await office.client.sodReports.scan();
  const page = await openWindow();
  const opener = page.getByRole('button', { name: 'Search', exact: true });
  await opener.press('Enter');
  await fieldOf(page).fill('no such thing anywhere');
  await page.getByText('Nothing is found. Try a shorter part of the name, or an id.').waitFor();
  await page.keyboard.press('Escape');
  await fieldOf(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Search/');
  await opener.press('Enter');
  await fieldOf(page).fill(reportId.toUpperCase());
  await optionOf(page, /^Report/).click();
  await page.waitForURL(`**/reports/${reportId}`);
});

test('what the session may not read is left out, and the search is found by a finger on a narrow screen', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow(office.auditor);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  // A client of this name is what an administrator would find.
  await fieldOf(page).fill('bootstrap client');
  await page.getByText('Nothing is found.').waitFor();
  await fieldOf(page).fill('vendor');
  await page.getByRole('group', { name: 'Policies' }).getByRole('option').first().waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await inspect(page, 'search');
});

test('a slash in a field is a slash', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/people`);
  await page.getByRole('searchbox').press('/');
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('/');
  await expect.poll(() => fieldOf(page).count()).toBe(0);
});
