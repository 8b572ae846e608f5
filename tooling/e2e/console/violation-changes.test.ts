import type { SodViolation } from '@access-admin/client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setPasswordByLink, showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

const present = async (at: number): Promise<SodViolation> => {
  const { client } = opened().office;
  const { items } = await client.violations.page({ filters: 'status eq "Open"', sorters: 'created' });
  const found = items[at];
  if (found === undefined) throw new Error('the sample has no such violation');
  return found;
};

const addressOf = ({ id }: SodViolation) => `${opened().office.address}/console/violations?open=${id}`;
const focused = (page: Page) => page.evaluate('document.activeElement?.textContent');

test('an exception is requested with the keyboard alone, and another window follows it until it is approved', async () => {
  const { office, openWindow } = opened();
  const violation = await present(0);
  const page = await openWindow();
  const other = await openWindow(office.auditor);
  await other.goto(addressOf(violation));
  await other
    .getByRole('dialog')
    .getByText(/\(ORG_ADMIN\) or Policy administrator \(POLICY_ADMIN\)/)
    .waitFor();
  await expect.poll(() => other.getByRole('button', { name: 'Request an exception' }).count()).toBe(0);
  await expect.poll(() => other.getByRole('button', { name: 'Reassign' }).count()).toBe(0);
  await page.goto(addressOf(violation));
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Request an exception' }).press('Enter');
  const form = drawer.getByRole('form', { name: 'Request an exception' });
  await form.getByText('Another person has to approve this').waitFor();
  await expect.poll(() => form.getByRole('button', { name: 'Send the request' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Request an exception');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  await page.keyboard.type('Until the warehouse is staffed again.');
  await inspect(page, 'violation-exception');
  await form.getByRole('button', { name: 'Send the request' }).press('Enter');
  await drawer.getByText('Requested. The violation stays open until another person approves').waitFor();
  await drawer.getByText(/waits for the approval of another person/).waitFor();
  await drawer.getByRole('button', { name: 'Request an exception' }).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toContain('Requested.');
  const { policy, target } = violation;
  const filters = `policyId eq "${policy.id}" and identityId eq "${target.id}"`;
  const approver = await office.actAs('approver');
  const { items } = await approver.sodExceptions.page({ filters });
  await approver.sodExceptions.approve(items[0]?.id ?? '');
  for (const window of [page, other]) {
    await window.getByRole('dialog').getByText('Mitigated', { exact: true }).waitFor();
    await window
      .getByRole('dialog')
      .getByText(/An exception covers it until/)
      .waitFor();
  }
  await drawer.getByText(/is approved\. Until it ends/).waitFor();
});

test('a control is applied with its evidence, and waits for another person', async () => {
  const { office, openWindow } = opened();
  const name = 'Second signature on every payment';
  await office.client.controls.create({
    name,
    description: 'The controller signs each payment above 1,000 €.',
    expiration: '90d',
    justificationRequired: true,
  });
  const page = await openWindow();
  await page.goto(addressOf(await present(1)));
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Apply a control' }).click();
  const form = drawer.getByRole('form', { name: 'Apply a control' });
  await form.getByLabel('Control').selectOption({ label: name });
  await form.getByText('It lasts 90 days from the request.').waitFor();
  await form.getByText('The controller signs each payment').waitFor();
  await expect.poll(() => form.getByRole('button', { name: 'Apply the control' }).isDisabled()).toBe(true);
  await form.getByLabel('Reason and evidence').fill('Ticket FIN-204, signed list of payments.');
  await inspect(page, 'violation-control');
  await form.getByRole('button', { name: 'Apply the control' }).click();
  await drawer.getByText(/applies as soon as another person approves it/).waitFor();
  await drawer.getByText('Ticket FIN-204, signed list of payments.').waitFor();
  await drawer.getByText(/waiting for approval/).waitFor();
});

test('a violation gets another owner, never its own person, and other windows show the owner', async () => {
  const { office, openWindow } = opened();
  const violation = await present(2);
  const page = await openWindow();
  const other = await openWindow(office.auditor);
  await other.goto(addressOf(violation));
  await page.goto(addressOf(violation));
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Reassign' }).click();
  const form = drawer.getByRole('form', { name: 'Reassign' });
  await choose(page, violation.target.name);
  await form.getByText(`The violation goes to ${violation.target.name}.`).waitFor();
  await form.getByRole('button', { name: 'Change the owner' }).click();
  const refusal = form.getByRole('alert');
  await refusal.getByText('an identity must not own its own violation').waitFor();
  await refusal.getByText(/^Number of the request: \S+/).waitFor();
  await inspect(page, 'violation-owner');
  await choose(page, 'Astrid Nygård');
  await form.getByLabel('Comment (optional)').fill('Answers for purchasing.');
  await form.getByRole('button', { name: 'Change the owner' }).click();
  await drawer.getByRole('status').getByText('Astrid Nygård owns the violation now.').waitFor();
  await expect.poll(() => focused(page)).toBe('Reassign');
  for (const window of [page, other])
    await window.getByRole('dialog').getByRole('definition').getByText('Astrid Nygård').waitFor();
});

test('an owner without a capability reassigns a violation, and is told what the rest needs', async () => {
  const { office, openBlankWindow } = opened();
  const violation = await present(3);
  const owner = 'i-0285';
  const next = 'i-0286';
  const { displayName } = await office.client.identities.get(next);
  await office.client.violations.reassign(violation.id, owner);
  const page = await openBlankWindow();
  await setPasswordByLink(page, (await office.client.authUsers.createSignInLink(owner)).url);
  await showsTitle(page, 'Your account');
  await page.goto(addressOf(violation));
  const drawer = page.getByRole('dialog');
  await drawer
    .getByText(/^This needs the capability Administrator \(ORG_ADMIN\) or Policy administrator \(POLICY_ADMIN\)/)
    .waitFor();
  await expect.poll(() => drawer.getByRole('button', { name: 'Apply a control' }).count()).toBe(0);
  await drawer.getByRole('button', { name: 'Reassign' }).click();
  await drawer.getByLabel('Id of the new owner').fill(next);
  await drawer.getByRole('button', { name: 'Change the owner' }).click();
  await drawer.getByText(`${displayName} owns the violation now.`).waitFor();
});

test('an owner without a capability sees the own violations, in groups too, and no button that is refused', async () => {
  const { office, openBlankWindow } = opened();
  const violation = await present(4);
  const owner = 'i-0285';
  await office.client.violations.reassign(violation.id, owner);
  const page = await openBlankWindow();
  await setPasswordByLink(page, (await office.client.authUsers.createSignInLink(owner)).url);
  await showsTitle(page, 'Your account');
  await page.goto(`${office.address}/console/violations?status=Open`);
  await page.getByText(/^You see the violations that you own\./).waitFor();
  await page.getByRole('table').getByRole('button', { name: violation.target.name }).waitFor();
  await page.getByRole('status').getByText('1 violation', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: 'Export as CSV' }).count()).toBe(0);
  await inspect(page, 'violations-mine');
  await page.getByLabel('Group by').selectOption('Policy');
  await page.getByRole('button', { name: violation.policy.name }).click();
  await page.getByRole('table').getByRole('button', { name: violation.target.name }).waitFor();
});

/** Chooses a person in the field for the new owner, by the keyboard. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'New owner' }).fill(name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.getByRole('combobox', { name: 'New owner' }).press('Enter');
}
