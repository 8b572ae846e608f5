import { filter } from '@access-admin/client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

const entitlement = { type: 'ENTITLEMENT', id: 'erp-vendor-create' } as const;

/** A source with an account of each kind: of a rule, of several people, of nobody yet. Returns the people of the ambiguous one. */
async function loadAccounts(id: string) {
  const { client } = opened().office;
  const people = (await client.identities.page({ filters: 'email sw "a"', limit: 3 })).items;
  const [one, other, linked] = people;
  if (one === undefined || other === undefined || linked === undefined)
    throw new Error('the sample has too few people');
  // A rule over the profile finds several people.
  await client.accessModel.import([
    {
      kind: 'source',
      id,
      name: `ERP ${id}`,
      description: 'The finance system.',
      correlation: [
        { account: 'name', identity: 'uid' },
        { account: 'attributes.twin', identity: 'attributes.twin' },
      ],
    },
    ...(await recordsOf([one.id, other.id])).map((record) => ({ ...record, attributes: { twin: id } })),
    { kind: 'account', source: id, id: '1', name: linked.uid.toUpperCase(), access: [entitlement] },
    { kind: 'account', source: id, id: '2', name: 'twins', email: 't@example.com', attributes: { twin: id } },
    { kind: 'account', source: id, id: '3', name: 'batch', displayName: 'Nightly batch', disabled: true },
  ]);
  return { one, other, linked };
}

async function recordsOf(ids: readonly string[]) {
  const records = await Array.fromAsync(opened().office.client.accessModel.export());
  return records.flatMap((record) =>
    record.kind === 'identity' && ids.includes(record.id) && !('delete' in record) ? [record] : [],
  );
}

const accountOf = async (source: string, name: string) => {
  const filters = `source eq "${source}" and name sw "${name}"`;
  const [account] = await Array.fromAsync(opened().office.client.accounts.list({ filters }));
  if (account === undefined) throw new Error(`there is no account ${name}`);
  return account;
};

const drawerOf = (page: Page) => page.getByRole('dialog');

test('a source is created, refused at its fields, changed beside somebody else, and deleted', async () => {
  const { office, openWindow } = opened();
  const { client } = office;
  const page = await openWindow();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Sources' }).click();
  await showsTitle(page, 'Sources');
  await page.getByText('There are no sources yet.').waitFor();
  await page.getByRole('button', { name: 'New source' }).click();
  const form = drawerOf(page).getByRole('form', { name: 'New source' });
  await form.getByRole('button', { name: 'Add a rule' }).click();
  const rule = form.getByRole('group', { name: 'Rule 3' });
  await rule.getByLabel('Account', { exact: true }).selectOption('Attribute');
  await form.getByRole('button', { name: 'Create the source' }).click();
  await form.getByRole('alert').first().waitFor();
  await inspect(page, 'sources-refused');
  await rule.getByLabel('Name of the attribute').fill('employeeNumber');
  await rule.getByLabel('Person').selectOption('Identification number');
  await rule.getByRole('button', { name: 'Move up Rule 3' }).click();
  await form.getByRole('button', { name: 'Remove Rule 3' }).click();
  await form.getByLabel('Name', { exact: true }).fill('Directory עברית');
  await form.getByLabel('Id', { exact: true }).fill('ad');
  await form.getByLabel('Name', { exact: true }).press('Enter');
  await showsTitle(page, 'Directory עברית');
  await page.getByText('There are no accounts yet.').waitFor();
  expect(await client.sources.get('ad')).toMatchObject({
    name: 'Directory עברית',
    correlation: [
      { account: 'name', identity: 'uid' },
      { account: 'attributes.employeeNumber', identity: 'identificationNumber' },
    ],
  });
  await inspect(page, 'source-empty');
  await page.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('form', { name: 'Settings' });
  await editor.getByRole('checkbox', { name: 'Authoritative for people' }).check();
  await editor.getByLabel('Profile of new people').selectOption('ip-access-office');
  await client.sources.patch('ad', [{ op: 'replace', path: '/correlation', value: [] }]);
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.getByText('Somebody else has changed this in the meantime').waitFor();
  await inspect(page, 'source-conflict');
  await editor.getByRole('button', { name: 'Continue with mine' }).click();
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.getByText('Saved.', { exact: true }).waitFor();
  expect(await client.sources.get('ad')).toMatchObject({
    authoritative: true,
    identityProfileId: 'ip-access-office',
    correlation: [],
  });
  await drawerOf(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await showsTitle(page, 'Sources');
  await page.getByText('There are no sources yet.').waitFor();
});

test('accounts that wait for somebody are found from the list, and linked by hand to a candidate, to another person, or to nobody', async () => {
  const { office, openWindow } = opened();
  const { one, linked } = await loadAccounts('erp');
  const page = await openWindow();
  await page.goto(`${office.address}/console/sources`);
  const row = page.getByRole('row', { name: /ERP erp/ });
  await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['3', '1 ERP erp', '1 ERP erp', '–']);
  await inspect(page, 'sources');
  await row.getByRole('cell').nth(2).getByRole('link').click();
  await showsTitle(page, 'ERP erp');
  expect(new URL(page.url()).searchParams.get('link')).toBe('AMBIGUOUS');
  await page.getByText('1 ambiguous').waitFor();
  await page.getByRole('table').getByRole('button', { name: 'twins' }).click();
  const drawer = drawerOf(page);
  await drawer.getByText('A rule finds several people.').waitFor();
  const name = one.displayName ?? one.id;
  const choose = drawer.getByRole('button', { name: `Link ${name}`, exact: true });
  await choose.waitFor();
  await inspect(page, 'account-ambiguous');
  // The second click meets the same button.
  await choose.dblclick();
  await drawer.getByText(`twins is linked to ${name}.`).waitFor();
  expect(await accountOf('erp', 'twins')).toMatchObject({ identityId: one.id, correlation: 'MANUAL' });
  await drawer.getByText('Linked by hand').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.getByText('No account was found.').waitFor();
  await page.getByRole('button', { name: 'Show all accounts' }).click();
  await page.getByRole('table').getByRole('button', { name: 'batch' }).waitFor();
  await inspect(page, 'source');
  await page.getByRole('table').getByRole('button', { name: 'batch' }).click();
  await drawer.getByText('No rule finds a person.').waitFor();
  await drawer.getByRole('button', { name: 'Belongs to nobody' }).click();
  await drawer.getByText('batch belongs to nobody.').waitFor();
  expect(await accountOf('erp', 'batch')).toMatchObject({ identityId: null, correlation: 'MANUAL' });
  await drawer.getByRole('combobox', { name: 'Somebody else' }).fill(linked.displayName ?? '');
  await page.getByRole('option').first().click();
  await drawer.getByRole('button', { name: `Link to ${linked.displayName}` }).click();
  await drawer.getByText(`batch is linked to ${linked.displayName}.`).waitFor();
  expect(await accountOf('erp', 'batch')).toMatchObject({ identityId: linked.id, correlation: 'MANUAL' });
  await inspect(page, 'account-by-hand');
});

test('an account that has changed since it was read is shown again before it is linked', async () => {
  const { office, openWindow } = opened();
  const { one, other } = await loadAccounts('hr');
  const page = await openWindow();
  const { key } = await accountOf('hr', 'twins');
  await page.goto(`${office.address}/console/sources/hr?account=${key}`);
  const drawer = drawerOf(page);
  const choose = drawer.getByRole('button', { name: `Link ${one.displayName}`, exact: true });
  await choose.waitFor();
  await page.route('**/accounts/v1/**', async (route) => {
    if (route.request().method() === 'PUT') await office.client.accounts.link(key, other.id);
    await route.continue();
  });
  await choose.click();
  await drawer.getByText('The account has changed in the meantime.').waitFor();
  await drawer.getByText('Linked by hand').waitFor();
  expect(await accountOf('hr', 'twins')).toMatchObject({ identityId: other.id });
});

test('the page of a person lists the accounts, and a violation by one begins with it', async () => {
  const { office, openWindow } = opened();
  const { client } = office;
  const { linked } = await loadAccounts('why');
  const { conflictingAccessCriteria: rule } = await client.sodPolicies.get('sod-p2p-01');
  const sides = 'leftCriteria' in rule ? [rule.leftCriteria, rule.rightCriteria] : rule.criteria;
  const access = sides.flatMap(({ criteriaList: [item] }) =>
    item === undefined ? [] : [{ type: 'ENTITLEMENT' as const, id: item.id }],
  );
  await client.accessModel.import([
    { kind: 'account', source: 'why', id: '1', name: linked.uid.toUpperCase(), access },
  ]);
  const filters = filter`targetId eq ${linked.id} and policyId eq ${'sod-p2p-01'} and status eq ${'Open'}`;
  await expect.poll(async () => (await client.violations.page({ filters })).items.length).toBe(1);
  const page = await openWindow();
  await page.goto(`${office.address}/console/people/${linked.id}`);
  const accounts = page.getByRole('region', { name: 'Accounts' });
  const name = linked.uid.toUpperCase();
  await accounts.getByRole('listitem').filter({ hasText: 'ERP why' }).getByRole('link', { name }).waitFor();
  const granted = accounts.getByRole('listitem').filter({ hasText: 'ERP why' }).getByRole('listitem');
  await expect.poll(() => granted.count()).toBe(2);
  await page.getByRole('region', { name: 'Access', exact: true }).getByText('in why').first().waitFor();
  await inspect(page, 'person-accounts');
  await page
    .getByRole('region', { name: 'Violations' })
    .getByRole('link', { name: 'Vendor master and payment release' })
    .click();
  const drawer = drawerOf(page);
  await drawer.getByRole('img', { name: /^The ways from the person/ }).waitFor();
  await drawer.getByText('As text').click();
  await drawer.getByText(`through ${name} (why)`).first().waitFor();
  await drawer.getByText(`of the account ${name} (why)`).first().waitFor();
  await inspect(page, 'why-account');
  await page.goto(`${office.address}/console/people/${linked.id}`);
  await accounts.getByRole('listitem').filter({ hasText: 'ERP why' }).getByRole('link', { name }).click();
  await showsTitle(page, 'ERP why');
  await drawer.getByText('Linked by a rule').waitFor();
  // Whoever may not read accounts sees their sources.
  const analyst = await openWindow('i-0280');
  await analyst.goto(`${office.address}/console/people/${linked.id}`);
  await analyst.getByRole('region', { name: 'Access', exact: true }).getByText('in why').first().waitFor();
  expect(await analyst.getByRole('region', { name: 'Accounts' }).count()).toBe(0);
  await analyst
    .getByRole('region', { name: 'Violations' })
    .getByRole('link', { name: 'Vendor master and payment release' })
    .click();
  await drawerOf(analyst).getByText('As text').click();
  await drawerOf(analyst).getByText('through why').first().waitFor();
});
