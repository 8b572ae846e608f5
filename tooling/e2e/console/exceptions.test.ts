import type { AccessModelRecord } from '@access-admin/client';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { addExceptions } from './add-exceptions.ts';
import { inspect, useConsole } from './window.ts';

const DAY_MS = 86_400_000;
const opened = useConsole();

beforeAll(() => addExceptions(opened().office));

/** Whether all of it is within the window, without scrolling. */
async function isInView(page: Page, part: Locator): Promise<boolean> {
  const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
}

/** The request that is shown in full. */
const shownRequest = (page: Page, name: RegExp) => page.getByRole('region', { name });

test('of two waiting exceptions one is approved and one refused, knowing why, with the keyboard alone', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${office.address}/console/exceptions`);
  const waiting = page.getByRole('navigation', { name: 'Requests that wait' }).getByRole('link');
  await waiting.nth(1).waitFor();
  await waiting.filter({ hasText: 'Soo-ah Kang' }).focus();
  await page.keyboard.press('Enter');
  const salary = shownRequest(page, /^Arjun Sharma asks that Soo-ah Kang/);
  await salary.getByText('Covers for a compensation specialist').waitFor();
  await salary.getByRole('img', { name: /^The ways from the person/ }).waitFor();
  await salary.getByText(/^Smallest fix: revoke 1 assignment$/).waitFor();
  for (const name of ['Approve', 'Refuse'])
    expect(await isInView(page, page.getByRole('button', { name, exact: true })), name).toBe(true);
  await inspect(page, 'exceptions-waiting');
  await salary.getByLabel('Comment (optional)').focus();
  await page.keyboard.type('Agreed with the head of personnel.');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Approve');
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/^Approved: Soo-ah Kang may violate/)
    .waitFor();
  await salary.waitFor({ state: 'detached' });
  const { sodExceptions, events } = await office.actAs('requester');
  const [approved] = (await sodExceptions.page({ filters: 'state eq "APPROVED"' })).items.filter(({ decisions }) =>
    decisions.some(({ comment }) => comment === 'Agreed with the head of personnel.'),
  );
  expect(approved?.decisions).toMatchObject([{ action: 'APPROVED', by: { displayName: 'Astrid Nygård' } }]);
  const { items: recorded } = await office.client.auditEvents.page({ filters: `resourceId eq "${approved?.id}"` });
  expect(JSON.stringify(recorded.at(-1)?.changes)).toContain('Agreed with the head of personnel.');
  const told = () => Array.fromAsync(events.list({ types: ['sod.exception.approved'] }));
  // Events are numbered after the commit.
  await expect
    .poll(async () => (await told()).map(({ data }) => data))
    .toContainEqual(expect.objectContaining({ decisions: approved?.decisions }));
  await page.getByRole('button', { name: 'Refuse' }).focus();
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
  await page.goto(`${office.address}/console/exceptions?state=REVOKED`);
  await page
    .getByRole('row', { name: /Astrid Dahl/ })
    .getByRole('link', { name: 'History' })
    .click();
  for (const verb of ['revoked', 'approved', 'asked for'])
    await page.getByText(new RegExp(`\\S ${verb} the exception for Astrid Dahl from the policy \\S`)).waitFor();
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
  await page.goto(`${office.address}/console/exceptions?person=${subject.identityId}&open=${id}`);
  await page.getByText('Until the end of May.').waitFor();
  await page.getByText('What is approved').waitFor();
  await requester.sodPolicies.patch(subject.policyId, [{ op: 'replace', path: '/level', value: 'LOW' }]);
  await page.getByRole('alert').getByText('This request has changed since it was shown').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The resource is not in the state that If-Match names').waitFor();
  await inspect(page, 'exceptions-changed');
  expect((await office.client.auditEvents.page({ filters: `resourceId eq "${id}"` })).items).toHaveLength(1);
  await page.getByRole('button', { name: 'Look at it as it is now' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page
    .getByRole('status')
    .getByText(/^Approved/)
    .waitFor();
});

test('a request that somebody else decides on while it is shown says so, and nothing else is decided in its place', async () => {
  const { office, openWindow } = opened();
  const requester = await office.actAs('requester');
  const window = { start: new Date().toISOString(), end: new Date(Date.now() + 9 * DAY_MS).toISOString() };
  const ask = async (policyId: string, identityId: string) =>
    (await requester.sodExceptions.create({ policyId, identityId, ...window, justification: 'For a while.' })).id;
  const { items } = await office.client.violations.page({ filters: 'status eq "Open"', limit: 2 });
  const [first = '', second = ''] = await Promise.all(items.map(({ policy, target }) => ask(policy.id, target.id)));
  const page = await openWindow();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${office.address}/console/exceptions?open=${first}`);
  await page.getByLabel('Comment (optional)').fill('I agree.');
  const states = page.getByRole('navigation', { name: 'State of the exceptions' });
  expect(await states.count()).toBe(0);
  await requester.sodExceptions.revoke(first);
  await page
    .getByRole('status')
    .getByText(/^The request that was shown no longer waits/)
    .waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^The request that was shown/);
  await states.waitFor();
  // Only requests stand alone.
  await page.goto(`${office.address}/console/exceptions?state=REVOKED&open=${first}`);
  await states.waitFor();
  await requester.sodExceptions.revoke(second);
});

test('a request of one’s own is marked, and its approval is refused in the words of the service', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const identityId = 'i-0056';
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
  await page.getByRole('alert').getByText('the approver must not be the requester of the exception').waitFor();
  await page.getByText('<img src=x').first().waitFor();
  await expect.poll(() => page.locator('img').count()).toBe(0);
  await inspect(page, 'exceptions-refused');
});

test('the requests of one policy are decided together; what is refused stays, and says why', async () => {
  const { office, openWindow } = opened();
  const requester = await office.actAs('requester');
  const policyId = 'sod-p2p-01';
  const held = ['erp-vendor-create', 'erp-payment-release'].map((id) => ({ type: 'ENTITLEMENT' as const, id }));
  const ids = ['i-0051', 'i-0052', 'i-0053', 'i-0054'];
  const records: AccessModelRecord[] = [];
  for await (const record of office.client.accessModel.export())
    if (record.kind === 'identity' && ids.includes(record.id) && !('delete' in record))
      records.push({ ...record, access: [...(record.access ?? []), ...held] });
  await office.client.accessModel.import(records);
  const window = { start: new Date().toISOString(), end: new Date(Date.now() + 9 * DAY_MS).toISOString() };
  for (const identityId of ids)
    await requester.sodExceptions.create({ policyId, identityId, ...window, justification: `For ${identityId}.` });
  const page = await openWindow();
  await page.goto(`${office.address}/console/exceptions`);
  await page.getByRole('navigation', { name: 'Requests that wait' }).getByRole('link').nth(3).click();
  await page.getByRole('link', { name: 'Decide all 4 requests of this policy together' }).click();
  const together = page.getByRole('region', { name: '4 requests to violate “Vendor master and payment release”' });
  await together.getByRole('button', { name: 'Approve 4' }).waitFor();
  await inspect(page, 'exceptions-together');
  await together.getByRole('checkbox').nth(3).uncheck();
  await together.getByLabel('Comment (optional)').fill('Until the new clerk starts.');
  // The third person does not hold it any more by the time of the decision, which the page has not been told.
  await page.route('**/sod-exceptions/v1/*/approve', async (route) => {
    const [, id] = /v1\/([^/]+)\/approve/.exec(route.request().url()) ?? [];
    const { identityId } = await requester.sodExceptions.get(id ?? '');
    await (identityId === 'i-0053'
      ? route.continue({ headers: { ...route.request().headers(), 'if-match': '"old"' } })
      : route.continue());
  });
  await together.getByRole('button', { name: 'Approve 3' }).click();
  await page.getByRole('alert').getByText('1 decision was refused, for the reason in its row. Approved: 2').waitFor();
  const left = page.getByRole('region', { name: '2 requests to violate “Vendor master and payment release”' });
  await left.getByText('The resource is not in the state that If-Match names').waitFor();
  const approved = await requester.sodExceptions.page({
    filters: `policyId eq "${policyId}" and state eq "APPROVED"`,
  });
  const decided = approved.items.filter(({ identityId }) => ids.includes(identityId));
  expect(decided.map(({ identityId, decisions }) => [identityId, decisions[0]?.comment]).toSorted()).toEqual([
    ['i-0051', 'Until the new clerk starts.'],
    ['i-0052', 'Until the new clerk starts.'],
  ]);
  await left.getByRole('checkbox').nth(1).check();
  await left.getByRole('button', { name: 'Refuse 2' }).click();
  await page.getByRole('status').getByText('Refused: 2 requests to violate').waitFor();
});

test('an auditor reads exceptions, and is told what deciding needs', async () => {
  const { office, openWindow } = opened();
  const identityId = 'i-0055';
  const { sodExceptions } = await office.actAs('requester');
  const end = new Date(Date.now() + 9 * DAY_MS).toISOString();
  const start = new Date().toISOString();
  await sodExceptions.create({ policyId: 'sod-p2p-06', identityId, start, end, justification: 'For a week.' });
  const page = await openWindow(office.auditor);
  await page.goto(`${office.address}/console/exceptions?person=${identityId}`);
  await page.getByText(/\(ORG_ADMIN\) or Policy administrator \(POLICY_ADMIN\)/).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
});
