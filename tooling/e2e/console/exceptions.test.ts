import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import { beforeAll, expect, test } from 'vitest';
import { addExceptions } from './add-exceptions.ts';
import { inspect, useConsole } from './window.ts';

const DAY_MS = 86_400_000;
const opened = useConsole();

beforeAll(() => addExceptions(opened().office));

test('of two waiting exceptions one is approved and one refused, knowing why, with the keyboard alone', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/exceptions`);
  const salary = page.getByRole('region', { name: /Soo-ah Kang/ });
  await salary.getByText('Covers for a compensation specialist').waitFor();
  await salary.getByRole('img', { name: /^The ways from the person/ }).waitFor();
  await salary.getByText(/^Smallest fix: revoke 1 assignment$/).waitFor();
  await page.getByText('You are neither.').nth(1).waitFor();
  await page
    .getByRole('img', { name: /^The ways from the person/ })
    .nth(1)
    .waitFor();
  await inspect(page, 'exceptions-waiting');
  await salary.getByText('What is approved').waitFor();
  await salary.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.labels?.[0]?.textContent')).toBe('Comment (optional)');
  await page.keyboard.type('Agreed with the head of personnel.');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Approve the exception');
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/^Approved: Soo-ah Kang may violate/)
    .waitFor();
  await salary.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Refuse' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Refuse the request' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing waits for an approval.').waitFor();
  await page
    .getByRole('status')
    .getByText(/^Refused/)
    .waitFor();
});

test('approved exceptions stand in a calendar, and those that end soon are marked', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/exceptions?state=APPROVED`);
  await page.getByRole('img', { name: /^The exceptions over time/ }).waitFor();
  const soon = page.getByRole('row', { name: /Astrid Dahl/ });
  await soon.getByText('Ends within 30 days').waitFor();
  await inspect(page, 'exceptions-approved');
  await page.getByLabel('Only those that end within 30 days').check();
  await page.getByRole('row', { name: /James Fraser/ }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toContain('ending=true');
  await soon.getByRole('button', { name: 'Revoke' }).click();
  await soon.getByRole('button', { name: 'Revoke the exception' }).click();
  await page.getByRole('status').getByText('Revoked: the exception of Astrid Dahl has ended.').waitFor();
  await page.getByText('There is no such exception.').waitFor();
});

test('an approval is of what the page shows: a change of the policy is told, and has to be looked at', async () => {
  const { office, openWindow } = opened();
  const requester = await office.actAs('requester');
  const window = { start: new Date().toISOString(), end: new Date(Date.now() + 9 * DAY_MS).toISOString() };
  const subject = { policyId: 'sod-p2p-01', identityId: 'i-0046' };
  const held = { type: 'ENTITLEMENT', id: 'erp-vendor-create' } as const;
  const paid = { type: 'ENTITLEMENT', id: 'erp-payment-release' } as const;
  for await (const record of office.client.accessModel.export())
    if (record.kind === 'identity' && record.id === subject.identityId)
      await office.client.accessModel.import([{ ...record, access: [...(record.access ?? []), held, paid] }]);
  const { id } = await requester.sodExceptions.create({
    ...subject,
    ...window,
    justification: 'Until the end of May.',
  });
  const page = await openWindow();
  await page.goto(`${office.address}/console/exceptions?person=${subject.identityId}`);
  await page.getByText('Until the end of May.').waitFor();
  await page.getByText('What is approved').waitFor();
  await requester.sodPolicies.patch(subject.policyId, [{ op: 'replace', path: '/level', value: 'LOW' }]);
  await page.getByRole('alert').getByText('This request has changed since it was shown').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve the exception' }).click();
  await page.getByText('The resource is not in the state that If-Match names').waitFor();
  await inspect(page, 'exceptions-changed');
  expect((await office.client.auditEvents.page({ filters: `resourceId eq "${id}"` })).items).toHaveLength(1);
  await page.getByRole('button', { name: 'Look at it as it is now' }).click();
  await page.getByRole('button', { name: 'Approve the exception' }).click();
  await page
    .getByRole('status')
    .getByText(/^Approved/)
    .waitFor();
});

test('a request of one’s own is marked, and its approval is refused in the words of the service', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const identityId = 'i-0046';
  const hostile = '<img src=x onerror="document.title=1"> 👩🏽 عربي עברית';
  const body = { policyId: 'sod-p2p-06', identityId, justification: 'Until the warehouse is staffed again.' };
  for await (const record of office.client.accessModel.export())
    if (record.kind === 'identity' && record.id === identityId)
      await office.client.accessModel.import([{ ...record, displayName: hostile }]);
  await page.goto(`${office.address}/console/exceptions?person=${identityId}`);
  await page.getByText('There is no such exception.').waitFor();
  const status = await page.evaluate(
    async ({ start, end, ...rest }) =>
      (
        await fetch('/sod-exceptions/v1', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...rest, start, end }),
        })
      ).status,
    { ...body, start: new Date().toISOString(), end: new Date(Date.now() + 9 * DAY_MS).toISOString() },
  );
  expect(status).toBe(201);
  await page.getByText('You have requested this yourself.').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve the exception' }).click();
  await page.getByRole('alert').getByText('the approver must not be the requester of the exception').waitFor();
  await page.getByText('<img src=x').first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await inspect(page, 'exceptions-refused');
});

test('an auditor reads exceptions, and is told what deciding needs', async () => {
  const { office, openWindow } = opened();
  const people = JSON.parse(readFileSync(join(ROOT, 'tooling/sample/people.json'), 'utf8'));
  const page = await openWindow(people.auditor);
  await page.goto(`${office.address}/console/exceptions?person=i-0046`);
  await page.getByText(/ORG_ADMIN or POLICY_ADMIN/).waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
});
