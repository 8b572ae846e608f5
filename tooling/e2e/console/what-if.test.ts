import { test } from 'vitest';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

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
