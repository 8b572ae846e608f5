import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

test('a person is found by a part of the name, and the page shows what they hold and what is wrong with it', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { items } = await office.client.violations.page({ filters: 'status eq "Open"', sorters: '-level', limit: 1 });
  const [violation] = items;
  if (violation === undefined) throw new Error('the sample has no violation');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await showsTitle(page, 'People');
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(5).waitFor();
  await inspect(page, 'people');
  const { uid, displayName, email } = await office.client.identities.get(violation.target.id);
  const search = page.getByRole('searchbox');
  for (const typed of [displayName ?? '', uid.slice(1), email ?? '']) {
    await search.fill(typed);
    await expect.poll(() => new URL(page.url()).searchParams.get('text')).toBe(typed);
    await page.getByRole('link', { name: violation.target.name, exact: true }).waitFor();
  }
  await page.reload();
  await page.getByRole('link', { name: violation.target.name, exact: true }).click();
  await showsTitle(page, violation.target.name);
  await page.getByRole('main').getByRole('link', { name: violation.policy.name }).waitFor();
  const [item] = violation.conflictingCriteria.flatMap(({ conflictingItems }) => conflictingItems);
  await page
    .locator('li', { hasText: item?.name ?? '' })
    .getByRole('link', { name: 'in a violation' })
    .first()
    .waitFor();
  await inspect(page, 'person');
  await page.getByRole('link', { name: violation.policy.name }).click();
  await page.getByRole('dialog').getByRole('link', { name: violation.target.name }).click();
  await showsTitle(page, violation.target.name);
  await page.getByRole('main').getByRole('link', { name: 'What if' }).click();
  await showsTitle(page, 'What if');
  await page.getByRole('button', { name: `Remove ${violation.target.name}` }).waitFor();
});
