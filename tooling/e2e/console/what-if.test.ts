import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

/** The name of what has the focus. */
const focused = (page: Page) =>
  page.evaluate('document.activeElement?.ariaLabel ?? document.activeElement?.labels?.[0]?.textContent');

test('what a grant would violate is asked, answered and mended with the keyboard alone', async () => {
  const { office, openWindow } = opened();
  const { displayName } = await office.client.identities.get('i-0001');
  const page = await openWindow();
  await page.goto(`${office.address}/console/what-if`);
  await page.getByText('Nothing is asked yet.').waitFor();
  await page.route('**/roles/v1?*', (route) => route.fulfill({ status: 403, body: '{}' }));
  await page.getByRole('combobox', { name: 'Access to add' }).fill('vend');
  await page.getByText('The search has failed. Type again to repeat it.').waitFor();
  await page.unroute('**/roles/v1?*');
  await page.getByRole('combobox', { name: 'Access to add' }).fill('');
  const choose = async (field: string, name: string) => {
    await page.getByRole('combobox', { name: field }).focus();
    await page.keyboard.type(name);
    await page.getByRole('listbox').getByRole('option').first().filter({ hasText: name }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  };
  await choose('Person', displayName ?? '');
  // The person stands in the place of the field, until somebody else is to be asked about.
  expect(await page.getByRole('combobox', { name: 'Person' }).count()).toBe(0);
  const remove = page.getByRole('button', { name: `Remove ${displayName}`, exact: true });
  await expect.poll(() => focused(page)).toBe(`Remove ${displayName}`);
  await remove.press('Enter');
  await expect.poll(() => focused(page)).toBe('Person');
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

test('a person is found by id, user name and name, and a period says when which policy is violated', async () => {
  const { office, openWindow } = opened();
  const day = (of: number) => new Date(Date.UTC(2031, 0, of)).toISOString();
  const window = { start: day(10), end: day(20) };
  const access = [{ type: 'ENTITLEMENT' as const, id: 'erp-vendor-create', ...window }];
  await office.client.accessModel.import([
    {
      kind: 'identity',
      id: 'period-1',
      uid: 'pia.period',
      displayName: 'Pia Period',
      identityProfile: 'ip-employees',
      access,
    },
  ]);
  const page = await openWindow();
  await page.goto(`${office.address}/console/what-if?from=2031-01-01&until=2031-01-31`);
  for (const typed of ['period-1', 'pia.per', 'Pia P']) {
    await page.getByRole('combobox', { name: 'Person' }).fill(typed);
    await page.getByRole('option', { name: /^Pia Period/ }).waitFor();
  }
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Access to add' }).fill('AP: release payment run');
  await page.getByRole('option').first().click();
  const lines = page.getByRole('region', { name: 'When' }).getByRole('listitem');
  await expect
    .poll(async () => (await lines.allTextContents()).map((line) => /No violation|1 policy violated/.exec(line)?.[0]))
    .toEqual(['No violation', '1 policy violated', 'No violation']);
  await expect
    .poll(() => lines.nth(1).textContent())
    .toMatch(/10 Jan 2031.*20 Jan 2031.*Vendor master and payment release/);
  await inspect(page, 'what-if-period');
});

test('what a grant would violate leads to an exception, and is copied as a request that the service answers', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/what-if?person=i-0001&access=%5B%22ENTITLEMENT%3Aerp-vendor-create%22%5D`);
  await page.getByText('An exception can be requested now, and approved once the person has the access.').waitFor();
  await page.getByRole('button', { name: 'Request an exception' }).click();
  const form = page.getByRole('form', { name: 'Request an exception' });
  await form.getByLabel('Reason').fill('Alone in the office until the new colleague is there.');
  await form.getByRole('button', { name: 'Send the request' }).click();
  await page
    .getByText(/requested/i)
    .first()
    .waitFor();
  const { items } = await (await office.actAs('requester')).sodExceptions.page({
    filters: 'identityId eq "i-0001" and state eq "REQUESTED"',
  });
  expect(items.map(({ policyId }) => policyId)).toEqual(['sod-p2p-01']);
  await page.getByText('The request', { exact: true }).click();
  const request = (await page.locator('pre').textContent()) ?? '';
  const body = JSON.parse(/-d '([\s\S]*)'$/.exec(request)?.[1] ?? '');
  const { violationContexts } = await office.client.sodViolations.predict(body);
  expect(violationContexts.map(({ policy }) => policy.id)).toEqual(['sod-p2p-01']);
  await page.getByRole('button', { name: 'Copy as a request' }).waitFor();
});
