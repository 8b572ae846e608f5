import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { addExceptions } from './add-exceptions.ts';
import { useConsole } from './window.ts';

// What people come for, done by what the pages show, from the first page on.
const DAY_MS = 86_400_000;
const opened = useConsole();

beforeAll(() => addExceptions(opened().office));

/** The first page after signing in, as somebody sees it who has opened nothing else. */
const begin = () => opened().openWindow();

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click();

/** Types into a field and takes what it offers first. */
async function choose(page: Page, field: string | RegExp, typed: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByText('Type a part of the name.').waitFor();
  await page.keyboard.type(typed);
  await page.getByRole('listbox').getByRole('option').first().click();
}

test('who can create a vendor and pay it, since when, and what is the smallest fix', async () => {
  const page = await begin();
  await goTo(page, 'Policies');
  await page.getByRole('searchbox', { name: 'Name contains' }).fill('vendor');
  await page
    .getByRole('row', { name: /^Vendor master and payment release/ })
    .getByRole('link', { name: '1 Vendor master and payment release', exact: true })
    .click();
  await page.getByRole('table').getByRole('button', { name: 'Tuấn Trần' }).click();
  const violation = page.getByRole('dialog', { name: 'Vendor master and payment release' });
  await violation.getByText('One person could invent a vendor, or redirect its bank account, and pay it.').waitFor();
  const since = await violation.getByRole('definition').nth(2).textContent();
  expect(Date.now() - Date.parse(since ?? '')).toBeLessThan(DAY_MS);
  await violation.getByText('maintain vendors', { exact: true }).waitFor();
  await violation.getByText('release payments', { exact: true }).waitFor();
  await violation.getByText('Smallest fix: revoke 1 assignment').waitFor();
  await violation.getByRole('listitem').filter({ hasText: 'Vendor: create (entitlement)' }).waitFor();
});

test('may this person get that role next month, and if not, what to drop', async () => {
  const page = await begin();
  await goTo(page, 'What if');
  await choose(page, 'Person', 'mariana b');
  await choose(page, 'Access to add', 'accounts payable');
  const day = new Date(Date.now() + 31 * DAY_MS);
  await page.getByLabel('On this day').fill(day.toISOString().slice(0, 10));
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText('This grant violates 1 policy.').waitFor();
  await answer.getByText(`Asked for ${day.getUTCDate()} `).waitFor();
  await answer.getByText('Side 1: maintain vendors').waitFor();
  await answer.getByText('Vendor: create (held)').waitFor();
  await answer.getByText('AP: enter invoice (requested)').waitFor();
  await answer.getByText('Or revoke what the person holds: Vendor master data specialist.').waitFor();
  await answer.getByRole('button', { name: 'Drop Accounts payable clerk from the request' }).click();
  await choose(page, 'Access to add', 'accountant');
  await answer.getByText('This grant violates no policy.').waitFor();
});

test('a rule is tightened, and whom it would hit is seen before it is saved', async () => {
  const page = await begin();
  await goTo(page, 'Policies');
  await page.getByRole('searchbox', { name: 'Name contains' }).fill('VENDOR');
  await page.getByRole('table').getByRole('link', { name: 'Vendor master and payment release', exact: true }).click();
  await choose(page, /^Add to side 2/, 'purchase order: create');
  const result = page.getByRole('complementary', { name: 'Try and save' });
  await result.getByText('You have changed: Rule.').waitFor();
  await result.getByRole('button', { name: 'Try it' }).click();
  await result.getByText('2 more people would violate it.').waitFor();
  await result.getByRole('link', { name: 'Mariana Brandão' }).waitFor();
  await result.getByRole('link', { name: 'Iryna Bondar' }).waitFor();
  await result.getByRole('button', { name: 'Discard the changes' }).click();
  await result.getByText('You have changed nothing yet.').waitFor();
});

test('one of two waiting exceptions is approved, knowing why', async () => {
  const page = await begin();
  await page.getByRole('link', { name: '2 Exceptions to approve' }).click();
  const request = page.getByRole('region', { name: /^Arjun Sharma asks that Soo-ah Kang may violate/ });
  await request.getByText('The payroll manager signs each change of a salary.').waitFor();
  await request.getByText('(45 days)').waitFor();
  await request.getByRole('heading', { name: 'What would end the violation instead' }).waitFor();
  await request.getByRole('button', { name: 'Approve' }).click();
  await request.getByRole('button', { name: 'Approve the exception' }).click();
  const done = page.getByRole('status').getByText(/^Approved: Soo-ah Kang may violate “Salary and payroll” until/);
  await done.waitFor();
  // The other request is now where the button was: what has happened must be in view.
  await expect.poll(async () => (await done.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.getByRole('link', { name: 'Approved 3' }).click();
  await page.getByRole('row', { name: /^Soo-ah Kang/ }).waitFor();
  await done.waitFor({ state: 'detached' });
});
