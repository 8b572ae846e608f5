import { readFileSync } from 'node:fs';
import { filter } from '@access-admin/client';
import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

test('who changed a policy is found by its name, told in a sentence, and understood', async () => {
  const { office, openWindow } = opened();
  const [policy] = (await office.client.sodPolicies.page({ limit: 1 })).items;
  if (policy === undefined) throw new Error('the sample has no policy');
  const hostile = '<img src=x onerror="document.title=1"> 👩🏽 עברית';
  const { id } = await office.client.oauthClients.create({
    name: 'Rule desk',
    identityId: office.administrator,
    scopes: ['sod-policies:manage'],
  });
  await office.client.sodPolicies.patch(policy.id, [{ op: 'replace', path: '/description', value: hostile }]);
  await office.client.sodPolicies.patch(policy.id, [{ op: 'replace', path: '/state', value: 'NOT_ENFORCED' }]);
  const page = await openWindow();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await showsTitle(page, 'Audit log');
  await page.getByLabel('About the policy').fill(policy.name);
  await page.getByRole('option', { name: policy.name }).first().click();
  await page.getByText('3 entries', { exact: true }).waitFor();
  const rows = page.getByRole('table').getByRole('row');
  await expect.poll(() => rows.nth(1).textContent()).toContain(`changed the policy ${policy.name}`);
  await expect.poll(() => rows.nth(1).textContent()).toContain('Application Bootstrap client');
  // The import made the policy: its first entry is the last of the newest first.
  await expect.poll(() => rows.nth(3).textContent()).toContain(`created the policy ${policy.name}`);
  await inspect(page, 'audit-log');
  await rows.nth(1).getByRole('button').click();
  const entry = page.getByRole('dialog');
  await entry.getByText('From enforced to not enforced').waitFor();
  await entry.getByText('Ids and operation').click();
  await entry.getByText('patch-sod-policy-v1').waitFor();
  await inspect(page, 'audit-log-entry');
  await entry.getByRole('button', { name: 'Close' }).click();
  await rows.nth(2).getByRole('button').click();
  await entry.getByText(hostile).waitFor();
  await expect.poll(() => page.locator('img').count()).toBe(0);
  await entry.getByRole('link', { name: 'History of this resource' }).click();
  await entry.waitFor({ state: 'detached' });
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('type'), searchParams.get('resource')]).toEqual(['SOD_POLICY', policy.id]);
  await page.goto(`${office.address}/console/policies/${policy.id}`);
  await page.getByRole('main').getByRole('link', { name: 'History' }).click();
  await page.getByText('3 entries', { exact: true }).waitFor();
  await page.goto(`${office.address}/console/audit-log?resource=${id}`);
  await page.getByText('created the client Rule desk').waitFor();
});

test('what a person did, and what was done to the person, is found by name', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { displayName } = await office.client.identities.get(office.auditor);
  const name = displayName ?? office.auditor;
  await office.client.authUsers.setCapabilities(office.auditor, ['das:ui-auditor', 'HELPDESK']);
  await page.goto(`${office.address}/console/people/${office.auditor}`);
  await page.getByRole('main').getByRole('link', { name: 'History' }).click();
  await showsTitle(page, 'Audit log');
  await page.getByText(`changed the capabilities of ${name}`).first().waitFor();
  await page.getByRole('button', { name: `Remove ${name}` }).click();
  const { displayName: administrator } = await office.client.identities.get(office.administrator);
  await page.getByLabel('Done by').fill(administrator ?? '');
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByText(`${administrator} signed in`).first().waitFor();
  await page.getByText(`${administrator} changed their own ways to sign in`).first().waitFor();
  await page.getByText('More filters, and the order').click();
  await inspect(page, 'audit-log-of-person');
});

test('the log is verified in the browser up to its signed end, and an end that was kept is compared', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/audit-log`);
  await page.getByText('Verify that the log is as it was recorded').click();
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText(/^The log is intact: all \d+ entries/).waitFor();
  await inspect(page, 'audit-log-verified');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the signed end' }).click(),
  ]);
  const head = JSON.parse(readFileSync(await file.path(), 'utf8'));
  const keep = (content: object) => ({
    name: 'head.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  });
  const kept = page.getByLabel('Signed end that you have kept');
  for (const [content, said] of [
    [head, /^The log is intact: all/],
    [{ ...head, sequence: 1 }, /^The signed end is not valid:/],
  ] as const) {
    await kept.setInputFiles(keep(content));
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText(said).waitFor();
  }
  await kept.setInputFiles(keep({}));
  await page.getByText('This file contains no signed end.').waitFor();
});

test('an entry from which a person was erased tells so', async () => {
  const { office, openWindow } = opened();
  const { identities, auditEvents } = office.client;
  await identities.create({ id: 'i-left', uid: 'left', displayName: 'Lea Ving', identityProfile: 'ip-contractors' });
  await identities.delete('i-left');
  const { pseudonym } = await identities.erase('i-left', { confirm: 'i-left' });
  const entries = () => Array.fromAsync(auditEvents.list({ filters: filter`resourceId eq ${pseudonym}` }));
  await expect.poll(async () => (await entries()).some(({ erased }) => erased !== undefined)).toBe(true);
  const found = (await entries()).find(({ erased }) => erased !== undefined);
  const page = await openWindow();
  await page.goto(`${office.address}/console/audit-log?entry=${found?.sequence}`);
  const entry = page.getByRole('dialog');
  await entry.getByText(/A person was erased from this entry: \d+ texts? (?:is|are) replaced by a pseudonym/).waitFor();
  await entry.getByText('Ids and operation').click();
  await entry.getByText(found?.erased?.digest ?? 'none').waitFor();
  await inspect(page, 'audit-log-erased');
  await page.goto(`${office.address}/console/audit-log?resource=${pseudonym}`);
  await page
    .getByText(/ had the record of .* erased/)
    .first()
    .waitFor();
});

test('a person who may not read the log is told what is missing', async () => {
  const { office, openWindow } = opened();
  // She administers policies alone.
  const page = await openWindow('i-0280');
  await page.goto(`${office.address}/console/audit-log`);
  await page.getByText(/^This needs the capability .*\(das:ui-auditor\)/).waitFor();
  await inspect(page, 'audit-log-refused');
});

test('what is recorded while the log is read is told beside the count, and moves no row until it is asked for', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/audit-log`);
  const first = page.getByRole('table').getByRole('row').nth(1);
  // The sign-in that opened the window; names come after the rows.
  await expect.poll(() => first.textContent()).toContain('Astrid Nygård');
  await page.getByText('More filters, and the order').waitFor();
  const read = async () => ({ box: await first.boundingBox(), text: await first.textContent() });
  const before = await read();
  await office.client.sodPolicies.patch('sod-p2p-02', [{ op: 'replace', path: '/correctionAdvice', value: 'Ask.' }]);
  const show = page.getByRole('button', { name: /^Show \d+ new entr/ });
  await show.waitFor();
  expect(await read()).toEqual(before);
  await inspect(page, 'audit-log-newer');
  await show.click();
  await expect.poll(() => first.textContent()).toContain('changed the policy');
  await show.waitFor({ state: 'detached' });
});
