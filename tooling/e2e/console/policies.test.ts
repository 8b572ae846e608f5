import { expect, test } from 'vitest';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();
const VENDOR_AND_PAYMENT = 'sod-p2p-01';

test('a rule is tightened, tried and saved with the keyboard alone', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/policies`);
  await page.getByLabel('Name contains').focus();
  await page.keyboard.type('payment release');
  await page.getByText('5 policies').waitFor();
  await inspect(page, 'policies');
  await page.getByRole('table').getByRole('link', { name: 'Vendor master and payment release', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Vendor master and payment release' }).waitFor();
  await page.getByRole('combobox', { name: 'Add to side 2' }).focus();
  await page.keyboard.type('AP: enter');
  await page.getByRole('listbox').getByRole('option').first().filter({ hasText: 'AP: enter' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('You have changed: Rule.').waitFor();
  await page.getByRole('button', { name: 'Try it' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^\d+ more (people|person) would violate it\.$/).waitFor();
  await inspect(page, 'policy-tried');
  const before = await office.client.sodPolicies.get(VENDOR_AND_PAYMENT);
  expect(JSON.stringify(before.conflictingAccessCriteria)).not.toContain('erp-invoice-enter');
  await page.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Saved. The register follows within seconds.').waitFor();
  const { tags, conflictingAccessCriteria } = await office.client.sodPolicies.get(VENDOR_AND_PAYMENT);
  expect(JSON.stringify(conflictingAccessCriteria)).toContain('erp-invoice-enter');
  expect(tags).toEqual(before.tags);
});

test('a version that somebody else has saved is shown beside the own one, and the own changes go on top', async () => {
  const { office, openWindow } = opened();
  const { sodPolicies } = office.client;
  const page = await openWindow();
  // Without events, the page learns of the other version when its save is refused.
  await page.route('**/events/v1*', (route) => route.abort());
  await page.goto(`${office.address}/console/policies/sod-p2p-05`);
  await page.getByLabel('Correction advice').fill('Ask the purchasing managers.');
  await sodPolicies.patch('sod-p2p-05', [
    { op: 'replace', path: '/level', value: 'LOW' },
    { op: 'replace', path: '/correctionAdvice', value: 'Ask the board.' },
  ]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Somebody else has saved this policy since you began' }).waitFor();
  const comparison = page.getByRole('alert').filter({ hasText: 'Somebody else' });
  await comparison.getByText('Ask the board.').waitFor();
  await comparison.getByText('changed by both: yours would replace theirs').waitFor();
  await inspect(page, 'policy-conflict');
  await page.getByRole('button', { name: 'Apply mine on top' }).click();
  await page.getByText('You have changed: Correction advice.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. The register follows within seconds.').waitFor();
  expect(await sodPolicies.get('sod-p2p-05')).toMatchObject({
    level: 'LOW',
    correctionAdvice: 'Ask the purchasing managers.',
  });
});

test('what fails says what it was, and can be done again', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/policies/sod-p2p-03`);
  const fails = async (method: string, status: number) => {
    await page.route('**/sod-polic*/v1/**', (route) =>
      route.request().method() === method ? route.fulfill({ status, body: '{}' }) : route.fallback(),
    );
  };
  const heals = () => page.unroute('**/sod-polic*/v1/**');
  const alert = page.getByRole('alert');
  await page.getByLabel('Correction advice').fill('Ask the purchasing managers.');
  await fails('POST', 500);
  await page.getByRole('button', { name: 'Try it' }).click();
  await alert.getByText('Trying the policy failed').waitFor();
  await heals();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Checked against 300 people.').waitFor();
  await fails('PUT', 403);
  await page.getByRole('button', { name: 'Save' }).click();
  await alert.getByText('Saving the policy failed').waitFor();
  await alert.getByText('You lack the right to do this.').waitFor();
  await inspect(page, 'policy-save-failed');
  await heals();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Saved. The register follows within seconds.').waitFor();
  await fails('DELETE', 503);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await alert.getByText('Deleting the policy failed').waitFor();
  await expect.poll(() => page.getByText('This cannot be shown').count()).toBe(0);
});

test('a new policy is refused at its fields, survives the end of a session, is saved and deleted', async () => {
  const { office, openWindow } = opened();
  const hostile = '<img src=x onerror="document.title=1"> 👩🏽 עברית';
  const page = await openWindow();
  await page.goto(`${office.address}/console/policies`);
  await page.getByRole('link', { name: 'New policy' }).click();
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByLabel('Name', { exact: true }).fill(hostile);
  await page.getByRole('radio', { name: 'Some of several sides' }).click();
  await page.getByRole('button', { name: 'Add a side' }).click();
  await save.click();
  await expect.poll(() => page.getByText('must not be empty').count()).toBe(3);
  await inspect(page, 'policy-refused');
  await page.getByRole('radio', { name: 'Two sides' }).click();
  const add = async (side: number, typed: string) => {
    await page.getByRole('combobox', { name: `Add to side ${side}` }).fill(typed);
    await page.getByRole('option').filter({ hasText: typed }).first().click();
  };
  await add(1, 'Vendor: create');
  await add(2, 'Vendor: create');
  await save.click();
  await page.getByText('is an item of the other side too').waitFor();
  await page.getByRole('button', { name: 'Remove Vendor: create' }).last().click();
  await add(2, 'AP: enter invoice');
  await page.getByRole('radio', { name: 'Some of several sides' }).click();
  await add(3, 'Payments specialist');
  await page.getByRole('button', { name: 'Remove AP: release payment run' }).waitFor();
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('Checked against 300 people.').waitFor();
  await office.endSessions();
  await save.click();
  await office.signInAgain(page);
  await save.click();
  await page.getByRole('heading', { level: 1, name: '<img src=x' }).waitFor();
  await expect.poll(() => page.locator('img').count()).toBe(0);
  const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  const { conflictingAccessCriteria: rule } = await office.client.sodPolicies.get(id);
  expect('criteria' in rule && rule.criteria.length).toBe(3);
  await page.getByRole('button', { name: 'Delete' }).click();
  await inspect(page, 'policy-delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
  await expect(office.client.sodPolicies.get(id)).rejects.toThrow('404');
});

test('findings of lint lead to what they say, and an auditor reads policies without changing them', async () => {
  const { office, openWindow } = opened();
  const items = (...ids: string[]) => ids.map((id) => ({ type: 'ENTITLEMENT' as const, id }));
  await office.client.accessModel.import([
    {
      kind: 'sodPolicy',
      id: 'broken',
      name: 'Broken',
      conflictingAccessCriteria: {
        leftCriteria: { criteriaList: items('gone') },
        rightCriteria: { criteriaList: items('erp-po-create') },
      },
    },
  ]);
  const page = await openWindow(office.auditor);
  await page.goto(`${office.address}/console/policies?finding=ERROR`);
  await page.getByRole('link', { name: '1 error Broken' }).click();
  await page.getByText('It names an entitlement that no longer exists.').waitFor();
  await page.getByText('Nobody can violate it.').waitFor();
  await page.getByText(/^To change anything here, you need the capability .*\(POLICY_ADMIN\)/).waitFor();
  await expect.poll(() => page.getByRole('main').locator('input, select, textarea').count()).toBe(0);
  await page.getByRole('region', { name: 'Side 1' }).getByText('no longer exists').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /Try it|Save|Delete/ }).count()).toBe(0);
  await inspect(page, 'policy-read-only');
  await page.goto(`${office.address}/console/policies`);
  await page.getByRole('table').getByRole('link', { name: 'Broken', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'New policy' }).count()).toBe(0);
  await page.goto(`${office.address}/console/policies/new`);
  await page
    .getByText('This needs the capability Administrator (ORG_ADMIN) or Policy administrator (POLICY_ADMIN)')
    .waitFor();
});

test('what cannot be read of the list is named once, and is read on request', async () => {
  const { office, openWindow } = opened();
  await office.client.accessModel.import(
    Array.from({ length: 260 }, (_, at) => ({
      kind: 'sodPolicy' as const,
      id: `many-${at}`,
      name: `Zz ${at}`,
      state: 'NOT_ENFORCED' as const,
      conflictingAccessCriteria: {
        criteria: [{ criteriaList: [{ type: 'ENTITLEMENT' as const, id: 'erp-po-create' }] }],
      },
    })),
  );
  const page = await openWindow();
  let begun = 0;
  let refused = 0;
  await page.route('**/sod-policies/v1?*', (route) => {
    if (!/offset=[1-9]/.test(route.request().url())) {
      begun += 1;
      return route.fallback();
    }
    refused += 1;
    return route.fulfill({ status: 403, body: '{}' });
  });
  await page.goto(`${office.address}/console/policies`);
  const table = page.getByRole('region', { name: 'Policies' });
  await table.getByRole('link').first().waitFor();
  // It is read again when the window begins to follow events.
  await expect.poll(() => begun).toBe(2);
  await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const alert = page.getByRole('alert');
  await alert.getByText('This cannot be shown').waitFor();
  // Each of these waits for answers that a request that is repeated at once would have overtaken.
  for (let at = 0; at < 20; at++) await page.evaluate("fetch('/console/').then((answer) => answer.text())");
  expect(refused).toBe(1);
  await page.unroute('**/sod-policies/v1?*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor({ state: 'detached' });
  // The list grows with each part that has come, and is scrolled to its end again.
  const last = table.getByRole('link', { name: 'Zz 99', exact: true });
  await expect
    .poll(async () => {
      await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return last.isVisible();
    })
    .toBe(true);
  await page.route('**/sod-policies/v1/lint*', (route) => route.fulfill({ status: 403, body: '{}' }));
  await page.goto(`${office.address}/console/policies?finding=ERROR`);
  await alert.getByText('This cannot be shown').waitFor();
  await expect.poll(() => page.getByText('No policy meets these filters.').count()).toBe(0);
});
