import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, REST_OF_TASK, useConsole } from './window.ts';

const LONGER_THAN_TYPING_MS = 1000;
const opened = useConsole();

test('a violation is found, opened and understood with the keyboard alone', async () => {
  const { office, openWindow } = opened();
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
  await drawer.getByRole('img', { name: /^The ways from the person/ }).waitFor();
  await drawer.getByText(/^Smallest fix: revoke/).waitFor();
  await drawer.getByText('As text').click();
  await drawer
    .getByText(/^(through |assigned directly)/)
    .first()
    .waitFor();
  await inspect(page, 'violation');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(name);
});

test('where the colors are those of the system, a line marks what can be chosen in a table', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations`);
  await page.getByRole('table').getByRole('row').nth(1).getByRole('button').waitFor();
  const lineOf = () =>
    page.evaluate("getComputedStyle(document.querySelector('[role=table] [role=row] button')).textDecorationLine");
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await lineOf()).toBe('underline');
  await page.emulateMedia({ forcedColors: 'none' });
  expect(await lineOf()).toBe('none');
});

test('a list that cannot be read is not said to be loading', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.route('**/violations/v1?*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto(`${office.address}/console/violations`);
  await page.getByRole('alert').waitFor();
  await expect.poll(() => page.getByText('Loading').count()).toBe(0);
});

test('a list that the service counts up to a bound is not said to be counted, and is read to its end', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { open } = await office.client.violations.summary();
  await page.route('**/violations/v1?*', async (route) => {
    // Each page has as many violations as the service is said to have counted.
    const response = await route.fetch({ url: route.request().url().replace('limit=100', 'limit=10') });
    const { 'x-total-count': total, ...headers } = response.headers();
    const bounded = { 'x-total-count': '10', 'x-total-count-is': 'at-least' };
    await route.fulfill({ response, headers: total === undefined ? headers : { ...headers, ...bounded } });
  });
  await page.goto(`${office.address}/console/violations?status=Open`);
  await page.getByText('At least 10 violations', { exact: true }).waitFor();
  expect(open).toBeGreaterThan(10);
  await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('-1');
  await page.getByRole('table').getByRole('row').nth(12).waitFor();
  await page.getByLabel('Group by').selectOption('level');
  await page.getByRole('table').getByText('At least 10 violations').first().waitFor();
  await page.getByRole('button', { name: /^Account and preferences/ }).click();
  await page.getByLabel('Language').selectOption('de');
  await page.getByText('Mindestens 10 Verstöße').first().waitFor();
});

test('a click opens the drawer at once; what is in it follows in a later task, as does the address', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations?status=Open`);
  const name = page.getByRole('table').getByRole('button').first();
  const drawer = page.getByRole('dialog');
  const reason = drawer.getByRole('heading', { name: 'What to do' });
  // What is opened again is loaded and read already: it could be made in the task of the click.
  await name.click();
  await reason.waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await expect.poll(() => new URL(page.url()).searchParams.get('open')).toBe(null);
  const shown = await page.evaluate(`(async () => {
    document.querySelector('[role=table] button').click();
    ${REST_OF_TASK}
    const drawer = document.querySelector('[role=dialog]');
    return [drawer.checkVisibility(), drawer.querySelector('dl') !== null, location.search];
  })()`);
  expect(shown).toEqual([true, false, '?status=Open']);
  await reason.waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('open')).not.toBe(null);
});

test('what is clicked while a search is typed stays: another page, and a violation', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations?status=Open`);
  const name = page.getByRole('table').getByRole('row').nth(1).getByRole('button');
  const person = (await name.textContent()) ?? '';
  await page.clock.install();
  await page.getByLabel('Name of the person contains').fill(person);
  await name.click();
  await page.clock.runFor(LONGER_THAN_TYPING_MS);
  await expect.poll(() => new URL(page.url()).searchParams.get('person')).toBe(person);
  await page.getByRole('dialog').getByText(`${person} holds access`).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/console/assets/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel('Name of the person contains').fill('Somebody else');
  await page.getByRole('link', { name: 'Matrix' }).click();
  await page.clock.runFor(LONGER_THAN_TYPING_MS);
  release();
  await showsTitle(page, 'Matrix');
  expect(new URL(page.url()).pathname).toBe('/console/matrix');
});

test('violations are grouped by what the address says, and a group says how many it has', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations?status=Open`);
  const groups = page.getByRole('table').locator('[aria-colspan]');
  const { byPolicy, byLevel } = await office.client.violations.summary();
  const [first] = byPolicy;
  await page.getByLabel('Group by').selectOption('Policy');
  await page.getByText(`${byPolicy.filter(({ open }) => open > 0).length} groups`, { exact: true }).waitFor();
  const head = groups.filter({ hasText: first?.policy.name ?? '' });
  await head.getByText(violationsOf(first?.open ?? 0), { exact: true }).waitFor();
  await head.getByRole('button').press('Enter');
  const cells = page.getByRole('table').getByRole('cell');
  // With the head of the group.
  const named = cells.getByText(first?.policy.name ?? '', { exact: true });
  await expect.poll(() => named.count()).toBe((first?.open ?? 0) + 1);
  await inspect(page, 'violations-group-open');
  await page.reload();
  await head.getByRole('button', { expanded: false }).waitFor();
  await page.getByLabel('Group by').selectOption('Level');
  for (const [at, { open }] of byLevel.entries())
    await groups.nth(at).getByText(violationsOf(open), { exact: true }).waitFor();
  await page.getByLabel('Group by').selectOption('Person');
  await page.getByText(/^\d+ groups?$/).waitFor();
  const person = (await groups.first().locator('bdi').textContent()) ?? '';
  await groups.first().getByRole('button').click();
  // The first one is the head of the group.
  await cells.getByRole('button', { name: person, exact: true }).nth(1).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Why' }).waitFor();
  await page.keyboard.press('Escape');
  expect(new URL(page.url()).searchParams.get('group')).toBe('person');
});

test('violations are grouped by owner, and those without one are counted as far as they are read', async () => {
  const { office, openWindow } = opened();
  const { items, total } = await office.client.violations.page({ filters: 'status eq "Open"', count: true });
  const owned = items.filter(({ target }) => target.id !== office.auditor).slice(0, 3);
  for (const { id } of owned) await office.client.violations.reassign(id, office.auditor);
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations?status=Open&group=owner`);
  const groups = page.getByRole('table').locator('[aria-colspan]');
  await page.getByText('2 groups', { exact: true }).waitFor();
  await groups.filter({ hasText: 'Kavya Sharma' }).getByText('3 violations', { exact: true }).waitFor();
  const rest = groups.filter({ hasText: 'Without an owner' });
  await rest.getByText(`${(total ?? 0) - 3} read so far`).waitFor();
  await rest.getByRole('button').click();
  const [unowned] = items.filter(({ owner, id }) => owner === undefined && owned.every((each) => each.id !== id));
  await page
    .getByRole('table')
    .getByRole('button', { name: unowned?.target.name ?? '' })
    .first()
    .waitFor();
});

test('names that look like markup, or read from right to left, are shown as they are', async () => {
  const { office, openWindow } = opened();
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
  await expect.poll(() => page.locator('img').count()).toBe(0);
  await expect.poll(() => page.title()).toBe('Violations – Access Admin');
});

const violationsOf = (count: number) => (count === 1 ? '1 violation' : `${count} violations`);

/** The identity as the export has it. */
async function recordOf(id: string) {
  const { office } = opened();
  for await (const record of office.client.accessModel.export())
    if (record.kind === 'identity' && record.id === id) return record;
  throw new Error(`there is no identity ${id}`);
}
