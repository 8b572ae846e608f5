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
  await page.getByText('3 policies').waitFor();
  await inspect(page, 'policies');
  await page.getByRole('table').getByRole('link', { name: 'Vendor master and payment release', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Vendor master and payment release' }).waitFor();
  await inspect(page, 'policy');
  await page.getByRole('combobox', { name: 'Add to side 2' }).focus();
  await page.keyboard.type('AP: enter');
  await page.getByRole('option').first().filter({ hasText: 'AP: enter' }).waitFor();
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
