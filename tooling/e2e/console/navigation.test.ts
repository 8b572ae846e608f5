import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findingsOf } from '../axe.ts';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, REST_OF_TASK, useConsole } from './window.ts';

const opened = useConsole();
const NARROW = { width: 360, height: 740 };
/** Where the build names its files. */
const MANIFEST = join(ROOT, 'apps/console/dist/.vite/manifest.json');

const focused = (page: Page) => page.evaluate('document.activeElement?.textContent');

test('on a narrow screen the pages are behind a button, which the keyboard opens, and closes without a choice', async () => {
  const page = await opened().openWindow();
  await inspect(page, 'navigation');
  await page.setViewportSize(NARROW);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Menu', expanded: false }).press('Enter');
  await pages.waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await pages.waitFor({ state: 'hidden' });
  await expect.poll(() => focused(page)).toBe('Menu');
  await page.keyboard.press('Enter');
  await pages.getByRole('link', { name: 'What if' }).press('Enter');
  await showsTitle(page, 'What if');
  await pages.waitFor({ state: 'hidden' });
  await expect.poll(() => focused(page)).toBe('What if');
});

test('on a wide screen the pages are beside the page, and the current one is marked', async () => {
  const page = await opened().openWindow();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  for (const name of ['Violations', 'Matrix']) {
    await pages.getByRole('link', { name, exact: true }).click();
    await showsTitle(page, name);
    await expect.poll(() => pages.locator('[aria-current=page]').allTextContents()).toEqual([name]);
  }
  await page.getByRole('button', { name: 'Menu' }).waitFor({ state: 'hidden' });
});

test('the way back to a list stands above the title and begins where it begins, however wide the screen is', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const [policy] = (await office.client.sodPolicies.page({ limit: 1 })).items;
  await page.goto(`${office.address}/console/policies/${policy?.id}`);
  await showsTitle(page, policy?.name ?? '');
  for (const width of [360, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const back = await page.getByRole('link', { name: 'All policies' }).boundingBox();
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(back?.x, `${width}`).toBe(title?.x);
    expect((back?.y ?? 0) + (back?.height ?? 0), `${width}`).toBeLessThanOrEqual(title?.y ?? 0);
  }
});

test('a click marks the page that is opened at once, and the page is made in a later task', async () => {
  const page = await opened().openWindow();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  // What is opened again is loaded already: it could be made in the task of the click.
  for (const name of ['Matrix', 'People']) {
    await pages.getByRole('link', { name, exact: true }).click();
    await showsTitle(page, name);
  }
  const shown = await page.evaluate(`(async () => {
    document.querySelector('nav a[href$="/matrix"]').click();
    ${REST_OF_TASK}
    return ['nav [aria-current=page]', 'h1'].map((each) => document.querySelector(each).textContent);
  })()`);
  expect(shown).toEqual(['Matrix', 'People']);
  await showsTitle(page, 'Matrix');
});

test('a page whose part cannot be loaded says so, and is loaded again', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { file } = JSON.parse(readFileSync(MANIFEST, 'utf8'))['src/violations/details.tsx'];
  await page.route(`**/console/${file}`, (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(`${office.address}/console/violations?status=Open`);
  await page.getByRole('table').getByRole('row').nth(1).getByRole('button').click();
  await page.getByRole('alert').getByText('A part of the console has failed, or could not be loaded.').waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.unroute(`**/console/${file}`);
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'What to do' }).waitFor();
});

test('pages are grouped by what they are for, and the account is behind its name', async () => {
  const page = await opened().openWindow();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const groups = await pages.getByRole('list').all();
  const named = await Promise.all(groups.map((group) => group.getByRole('link').allTextContents()));
  expect(named).toEqual([
    ['Overview', 'Violations', 'Exceptions', 'What if'],
    ['Policies', 'Matrix', 'Controls'],
    ['People', 'Access', 'Sources'],
    ['Reports and checks', 'Audit log'],
    ['Settings'],
  ]);
  const account = page.getByRole('button', { name: /^Account and preferences: / });
  await account.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await inspect(page, 'account');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'hidden' });
  await expect.poll(() => focused(page)).toContain('Account and preferences');
});

test.each([
  ['matrix?rows=x', 'Matrix'],
  ['violations?status=x&level=x', 'Violations'],
  ['policies?level=x&state=x', 'Policies'],
  ['exceptions?state=x', 'Exceptions'],
  ['audit-log?operation=%00', 'Audit log'],
])('what the page does not understand of the address %s is left out', async (path, title) => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/${path}`);
  await showsTitle(page, title);
  await expect.poll(() => page.getByText('Loading').count()).toBe(0);
  expect(await page.getByText('This cannot be shown').count()).toBe(0);
});
