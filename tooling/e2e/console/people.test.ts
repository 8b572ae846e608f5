import { expect, test } from 'vitest';
import { setPasswordByLink, showsTitle } from '../sign-in-office.ts';
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

test('a person who is inactive is marked in the list and on the page', async () => {
  const { office, openWindow } = opened();
  const identityProfile = 'ip-access-office';
  const person = { kind: 'identity', id: 'i-left', uid: 'left', displayName: 'Lea Left', identityProfile } as const;
  await office.client.accessModel.import([{ ...person, active: false }]);
  const page = await openWindow();
  await page.goto(`${office.address}/console/people?text=Lea%20Left`);
  await page
    .getByRole('row', { name: /Lea Left/ })
    .getByText('inactive', { exact: true })
    .waitFor();
  await page.getByRole('link', { name: 'Lea Left', exact: true }).click();
  await showsTitle(page, 'Lea Left');
  await page.getByText('inactive, cannot sign in', { exact: true }).waitFor();
  await inspect(page, 'person-inactive');
});

test('a colleague is invited in one dialog, which says what the profile asks, and signs in by its link', async () => {
  const { office, openWindow, openBlankWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/people`);
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('Name', { exact: true }).fill('Tuấn Nguyễn');
  await dialog.getByRole('button', { name: 'Create and make the link' }).click();
  await dialog
    .getByText(/Must not be empty|must/i)
    .first()
    .waitFor();
  await dialog.getByLabel('Username').fill('Tuấn.Nguyễn');
  // The profile of the session's identity is proposed.
  await expect.poll(() => dialog.getByLabel('Identity profile').inputValue()).toBe('ip-access-office');
  await dialog.getByText('The person signs in with a password').waitFor();
  await dialog.getByRole('checkbox', { name: 'Auditor das:ui-auditor' }).check();
  await inspect(page, 'people-invite');
  await dialog.getByRole('button', { name: 'Create and make the link' }).click();
  const link = await dialog.locator('code', { hasText: '/sign-in-link/' }).textContent();
  await inspect(page, 'people-invited');
  expect(await office.client.identities.get('Tuan.Nguyen')).toMatchObject({
    displayName: 'Tuấn Nguyễn',
    capabilities: ['das:ui-auditor'],
  });
  const other = await openBlankWindow();
  await setPasswordByLink(other, link ?? '');
  await showsTitle(other, 'Overview');
});

test('a link for somebody who cannot sign in by it is refused with the reason, and a taken id at its field', async () => {
  const { office, openWindow } = opened();
  await office.client.accessModel.import([
    { kind: 'identityProfile', id: 'ip-away', name: 'On leave', authProfile: { type: 'BLOCK' } },
  ]);
  const page = await openWindow();
  await page.goto(`${office.address}/console/people`);
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('Username').fill('away');
  await dialog.getByLabel('Identity profile').selectOption('ip-away');
  await dialog.getByText('People with this profile may not sign in').waitFor();
  await dialog.getByLabel('Id', { exact: true }).fill(office.administrator);
  await dialog.getByRole('button', { name: 'Create and make the link' }).click();
  await dialog.getByText('This id is taken').waitFor();
  await dialog.getByLabel('Id', { exact: true }).fill('i-away');
  await dialog.getByRole('button', { name: 'Create and make the link' }).click();
  await dialog.getByText('the auth profile On leave lets nobody sign in').waitFor();
  await inspect(page, 'people-refused-link');
  await dialog.getByRole('link', { name: 'Auth profile On leave' }).click();
  await showsTitle(page, 'Settings');
});
