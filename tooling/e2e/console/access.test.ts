import { filter } from '@access-admin/client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

test('an entitlement is found by the search, with its holders, what it permits, and the policies that name it', async () => {
  const { office, openWindow } = opened();
  const { entitlements, sodPolicies } = office.client;
  const id = 'erp-vendor-create';
  const grants = [{ resourceType: 'vendor', resourceId: '*', action: 'create' }];
  await entitlements.patch(id, [{ op: 'add', path: '/grants', value: grants }]);
  const page = await openWindow();
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('vendor: create');
  await page.getByRole('group', { name: 'Access' }).getByRole('option').first().click();
  await showsTitle(page, 'Vendor: create');
  expect(new URL(page.url()).pathname).toBe(`/console/entitlements/${id}`);
  const holders = await Array.fromAsync(entitlements.holders(id));
  await card(page, 'Holders').getByText(`${holders.length} assignments`).waitFor();
  const [holder] = holders;
  if (holder === undefined) throw new Error('nobody holds it');
  await card(page, 'Holders').getByRole('link', { name: holder.identity.name }).first().waitFor();
  await card(page, 'What it permits').getByRole('rowheader', { name: 'create' }).waitFor();
  const naming = (await Array.fromAsync(sodPolicies.list())).filter((policy) =>
    JSON.stringify(policy.conflictingAccessCriteria).includes(`"${id}"`),
  );
  await expect.poll(() => card(page, 'Policies').getByRole('listitem').count()).toBe(naming.length);
  await card(page, 'Could be given to').getByRole('button').click();
  await card(page, 'Could be given to').getByRole('link').first().waitFor();
  const possible = await card(page, 'Could be given to').getByRole('link').allTextContents();
  const { authzen, identities } = office.client;
  const question = { action: { name: 'request' }, resource: { type: 'entitlement', id } };
  const found = await Array.fromAsync(authzen.searchSubjects({ ...question, subject: { type: 'identity' } }));
  const first = found.slice(0, 25).map((each) => each.id);
  const { items } = await identities.page({ filters: filter`id in ${first}` });
  expect(possible.toSorted()).toEqual(items.map(({ displayName }) => displayName).toSorted());
  await inspect(page, 'entitlement');
});

test('the menu leads to roles, access profiles and entitlements, each found by a part of its name', async () => {
  const { office, openWindow } = opened();
  const { roles, accessProfiles, entitlements } = office.client;
  const page = await openWindow();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Access', exact: true }).click();
  await showsTitle(page, 'Access');
  const counts = { roles, 'access profiles': accessProfiles, entitlements };
  for (const [kind, records] of Object.entries(counts)) {
    const { total } = await records.page({ limit: 1, count: true });
    await page.getByLabel('Kind').selectOption(`${kind[0]?.toUpperCase()}${kind.slice(1)}`);
    await page.getByText(new RegExp(`^${total} ${kind}$`)).waitFor();
    const { items } = await records.page({ sorters: 'name', limit: 1 });
    await page
      .getByRole('row')
      .getByRole('link', { name: items[0]?.name ?? '' })
      .first()
      .waitFor();
  }
  await inspect(page, 'access');
  await page.getByLabel('Name contains').fill('vendor: create');
  await page.getByText('1 entitlement', { exact: true }).waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ type: 'ENTITLEMENT', text: 'vendor: create' });
  await page.getByRole('row').getByRole('link', { name: 'Vendor: create' }).press('Enter');
  await showsTitle(page, 'Vendor: create');
  await page.goBack();
  await page.getByLabel('Name contains').fill('nothing of this name');
  await page.getByText('There is nothing of this kind.').waitFor();
});

test('the access of a person leads to roles, and from there to what they contain', async () => {
  const { office, openWindow } = opened();
  const [role] = (await office.client.roles.page({ filters: 'name co "payment"' })).items;
  const content = role?.accessProfiles[0] ?? role?.entitlements[0];
  if (role === undefined || content === undefined) throw new Error('the sample has no such role');
  const [holder] = (await office.client.roles.holdersPage(role.id, { limit: 1 })).items;
  const page = await openWindow();
  await page.goto(`${office.address}/console/people/${holder?.identity.id}`);
  await page
    .getByRole('region', { name: 'Access', exact: true })
    .getByRole('link', { name: role.name })
    .first()
    .click();
  await showsTitle(page, role.name);
  await card(page, 'Policies').getByRole('listitem').first().waitFor();
  await inspect(page, 'role');
  await card(page, 'Content').getByRole('link', { name: content.name }).first().click();
  await showsTitle(page, content.name);
  await page.goBack();
  await page.getByRole('link', { name: 'What if' }).last().click();
  await page.getByRole('button', { name: `Remove ${role.name}` }).waitFor();
});

test('what is not in the catalogue is told, and what the session may not read is not asked for', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/roles/none`);
  await showsTitle(page, 'This is not in the catalogue');
  await inspect(page, 'access-unknown');
  const helper = await office.appointHelper();
  const window = await openWindow(helper);
  await window.goto(`${office.address}/console/entitlements/erp-vendor-create`, { waitUntil: 'networkidle' });
  await card(window, 'Policies')
    .getByText(/^This needs the capability .*\(POLICY_ADMIN\)/)
    .waitFor();
  const outsider = await openWindow(office.outsider);
  await outsider.goto(`${office.address}/console/entitlements/erp-vendor-create`, { waitUntil: 'networkidle' });
  await outsider.getByText(/^This needs the capability /).waitFor();
  for (const id of [helper, office.outsider]) {
    const denials = office.client.auditEvents.list({ filters: filter`actor eq ${id} and outcome eq ${'DENIED'}` });
    expect(await Array.fromAsync(denials)).toEqual([]);
  }
});
