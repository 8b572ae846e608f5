import { readFileSync } from 'node:fs';
import { type ListedSodReport, verifyReceipt } from '@access-admin/client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Reports' }).getByRole('row');

/** Shows a report as another one would be shown, from now on. */
const showAs = (page: Page, change: () => Partial<ListedSodReport>) =>
  page.route('**/sod-reports/v1?*', async (route) => {
    const response = await route.fetch();
    const reports: readonly ListedSodReport[] = await response.json();
    await route.fulfill({ response, json: reports.map((report) => ({ ...report, ...change() })) });
  });

test('a scan is started with the keyboard, waits, and shows its result by itself', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.getByRole('link', { name: 'Reports and checks' }).click();
  await showsTitle(page, 'Reports and checks');
  await page.getByText('There are no reports.').waitFor();
  await inspect(page, 'reports-none');
  await office.pauseWorker();
  await page.getByRole('button', { name: 'Scan' }).press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('datetime-local');
  await inspect(page, 'reports-start');
  await page.keyboard.press('Enter');
  await page.getByText('Started. The report appears in the list').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Scan');
  await page.getByRole('progressbar', { name: 'Waiting for a worker' }).waitFor();
  await inspect(page, 'reports-waiting');
  office.resumeWorker();
  await rowsOf(page)
    .getByText(/^\d+ violations$/)
    .waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await inspect(page, 'reports');
});

test('the progress of a report moves while it runs, and a failed one says why', async () => {
  const { office, openWindow } = opened();
  const { reportId } = await office.client.sodReports.scan();
  await office.client.sodReports.waitFor(reportId);
  const page = await openWindow();
  let shown: Partial<ListedSodReport> = { state: 'RUNNING', completed: null, summary: null };
  await showAs(page, () => shown);
  await page.goto(`${office.address}/console/reports`);
  for (const percent of [25, 50, 75]) {
    shown = { ...shown, progress: percent / 100 };
    await page
      .getByRole('progressbar', { name: `Running, ${percent}%` })
      .first()
      .waitFor();
  }
  shown = { state: 'ERROR', summary: null, message: 'The memory of 1 GiB was not enough.' };
  await page.getByText('The memory of 1 GiB was not enough.').first().waitFor();
  await inspect(page, 'reports-failed');
});

test('a dry-run and a blast radius are started from names', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/reports`);
  const [policy] = (await office.client.sodPolicies.page({ filters: 'state eq "ENFORCED"', limit: 1 })).items;
  const [role] = (await office.client.roles.page({ limit: 1 })).items;
  const [profile] = (await office.client.accessProfiles.page({ limit: 1 })).items;
  if (policy === undefined || role === undefined || profile === undefined) throw new Error('the sample is empty');
  const choose = async (field: string, name: string) => {
    await page.getByLabel(field).fill(name.toLowerCase());
    await page.getByRole('option', { name }).first().click();
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  };
  await page.getByRole('button', { name: 'Dry-run' }).click();
  await choose('Policies', policy.name);
  await inspect(page, 'reports-dry-run');
  await page.getByRole('button', { name: 'Start the dry-run' }).click();
  await rowsOf(page)
    .filter({ hasText: 'Dry-run' })
    .getByText(/ gone, /)
    .waitFor();
  await page.getByRole('button', { name: 'Blast radius' }).click();
  await choose('Role or access profile', role.name);
  await choose('Access that it would gain', profile.name);
  await inspect(page, 'reports-blast-radius');
  await page.getByRole('button', { name: 'Start the report' }).click();
  const blastRadius = rowsOf(page).filter({ hasText: 'Blast radius' });
  await blastRadius.getByText(/ gone, /).waitFor();
  await blastRadius.getByText('by Astrid Nygård').waitFor();
  await blastRadius.getByText(`Of: ${role.name}`).waitFor();
  await blastRadius.getByText(`Gains: ${profile.name}`).waitFor();
  await rowsOf(page).getByText(`Removes: ${policy.name}`).waitFor();
  await inspect(page, 'reports-asked');
  await blastRadius.getByRole('link', { name: 'Blast radius' }).click();
  const asked = page.getByRole('region', { name: 'What was asked' });
  await asked.getByRole('link', { name: 'Astrid Nygård' }).waitFor();
  await asked.getByText(`Gains: ${profile.name}`).waitFor();
  await inspect(page, 'report-asked');
  await page.goBack();
  await page.getByLabel('Kind').selectOption('Dry-run');
  await rowsOf(page).filter({ hasText: 'Blast radius' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('kind')).toBe('DRY_RUN');
});

test('an auditor reads reports and starts none; others are told what is missing', async () => {
  const { office, openWindow } = opened();
  await scan();
  const auditor = await openWindow(office.auditor);
  await auditor.goto(`${office.address}/console/reports`);
  await auditor
    .getByText('This needs the capability Administrator (ORG_ADMIN) or Policy administrator (POLICY_ADMIN)')
    .first()
    .waitFor();
  await rowsOf(auditor).nth(1).waitFor();
  await expect.poll(() => auditor.getByRole('button', { name: 'Scan' }).count()).toBe(0);
  await inspect(auditor, 'reports-auditor');
  // His capabilities do not include the violations of others.
  const other = await openWindow('i-0283');
  await other.goto(`${office.address}/console/reports`);
  await other.getByText(/^This needs the capability .*\(das:ui-auditor\)/).waitFor();
});

/** Makes a scan by the client and returns its violations. */
async function scan() {
  const { sodReports } = opened().office.client;
  const { reportId } = await sodReports.scan();
  await sodReports.waitFor(reportId);
  return { reportId, lines: await Array.fromAsync(sodReports.violations(reportId)) };
}

const download = async (page: Page, name: string) => {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
};

test('the violations of a report are filtered, read in full with the keyboard, and saved', async () => {
  const { office, openWindow } = opened();
  const { reportId, lines } = await scan();
  const critical = lines.filter(({ level }) => level === 'CRITICAL');
  const [first] = critical;
  if (first === undefined) throw new Error('the sample has no critical violation');
  const page = await openWindow();
  await page.goto(`${office.address}/console/reports`);
  await rowsOf(page).nth(1).getByRole('link', { name: 'Scan', exact: true }).press('Enter');
  await page.getByText(`${lines.length} violations`, { exact: true }).first().waitFor();
  expect(page.url()).toContain(reportId);
  await inspect(page, 'report');
  await page.getByLabel('Level').selectOption('Critical');
  await page.getByText(`${critical.length} violations`, { exact: true }).waitFor();
  const person = first.displayName ?? first.identityId;
  const row = page.getByRole('table').getByRole('row').filter({ hasText: person }).first();
  const conflict = row.getByRole('button');
  await conflict.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByText(first.policyName).first().waitFor();
  await inspect(page, 'report-violation');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(() => conflict.evaluate((each) => each.ownerDocument.activeElement === each)).toBe(true);
  const json = await download(page, 'Save as JSON lines');
  expect(json.name).toBe(`report-${reportId}.ndjson`);
  expect(
    json.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(critical);
  const csv = await download(page, 'Save as CSV');
  expect(csv.text.trim().split('\r\n').length).toBe(critical.length + 1);
  await page.getByLabel('Person').fill(person);
  await page.getByRole('option', { name: person }).first().click();
  await page.getByRole('button', { name: 'Show everybody' }).waitFor();
  await page.getByLabel('Policy', { exact: true }).fill(first.policyName.slice(0, 8));
  await page.getByRole('option', { name: first.policyName }).first().click();
  await page.getByText('1 violation', { exact: true }).waitFor();
  const { searchParams } = new URL(page.url());
  expect([...searchParams]).toEqual([
    ['level', 'CRITICAL'],
    ['policy', first.policyId],
    ['person', first.identityId],
  ]);
  await page.getByLabel('Exception').selectOption('With an exception');
  await page.getByText('No violation meets these filters.').waitFor();
  await inspect(page, 'report-nothing');
});

test('the difference to the scan before names what is new and what is gone', async () => {
  const { office, openWindow } = opened();
  const earlier = await scan();
  const [ended, kept] = earlier.lines.map(({ policyId }) => policyId).filter((id, at, ids) => ids.indexOf(id) === at);
  const holder = earlier.lines.find(({ policyId }) => policyId === kept)?.identityId;
  if (ended === undefined || holder === undefined) throw new Error('the sample has violations of one policy at most');
  const hostile = `<img src=x onerror="document.title=1"> 👩🏽 ${'עברית '.repeat(20)}${'W'.repeat(60)}`;
  for await (const record of office.client.accessModel.export())
    if (record.kind === 'identity' && record.id === holder && !('delete' in record))
      await office.client.accessModel.import([{ ...record, id: 'another', uid: 'another', displayName: hostile }]);
  await office.client.sodPolicies.patch(ended, [{ op: 'replace', path: '/state', value: 'NOT_ENFORCED' }]);
  const later = await scan();
  const keysOf = (lines: typeof later.lines) => lines.map(({ policyId, identityId }) => `${policyId} ${identityId}`);
  const before = new Set(keysOf(earlier.lines));
  const after = new Set(keysOf(later.lines));
  const counts = [after.difference(before).size, before.difference(after).size, after.intersection(before).size];
  expect(counts.every((count) => count > 0)).toBe(true);
  const page = await openWindow();
  await page.goto(`${office.address}/console/reports`);
  await rowsOf(page).nth(1).getByRole('link', { name: 'Difference from the previous scan' }).click();
  const said = page.getByRole('status').getByRole('listitem');
  await said.nth(2).waitFor();
  await expect
    .poll(() => said.allTextContents())
    .toEqual([
      `+ ${counts[0]} only in this report`,
      `− ${counts[1]} only in the earlier report`,
      `= ${counts[2]} in both`,
    ]);
  await page
    .getByRole('table', { name: `${counts[0]} only in this report` })
    .getByText(hostile)
    .first()
    .waitFor();
  await expect.poll(() => page.locator('img').count()).toBe(0);
  await inspect(page, 'report-difference');
  await page.getByLabel('Compare with an earlier report').selectOption('None');
  await page.getByText(`${later.lines.length} violations`, { exact: true }).first().waitFor();
  await page.goto(`${office.address}/console/reports/${later.reportId}?since=unknown`);
  await page.getByText('The reports were not compared').waitFor();
  await office.client.sodPolicies.patch(ended, [{ op: 'replace', path: '/state', value: 'ENFORCED' }]);
});

test('a comparison can be stopped, and begun again', async () => {
  const { office, openWindow } = opened();
  const earlier = await scan();
  const later = await scan();
  const page = await openWindow();
  let isHeld = true;
  await page.route(`**/sod-reports/v1/${earlier.reportId}/violations*`, (route) =>
    isHeld ? undefined : route.continue(),
  );
  await page.goto(`${office.address}/console/reports/${later.reportId}?since=${earlier.reportId}`);
  await page.getByRole('progressbar', { name: /^Compared: / }).waitFor();
  await inspect(page, 'report-comparing');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped. A partial comparison is not shown.').waitFor();
  isHeld = false;
  await page.getByRole('button', { name: 'Compare again' }).click();
  await page.getByText(`${later.lines.length} in both`).first().waitFor();
});

test('a check is found by its id or among the latest, and its result is shown as soon as it is there', async () => {
  const { office, openWindow } = opened();
  const { sodViolations } = office.client;
  const [violation] = (await office.client.violations.page({ filters: 'status eq "Open"', limit: 1 })).items;
  const accessRefs = (violation?.conflictingCriteria ?? []).flatMap(({ conflictingItems }) =>
    conflictingItems.map(({ id }) => ({ type: 'ENTITLEMENT' as const, id })),
  );
  const hostile = '<img src=x onerror="document.title=1"> עברית';
  const ask = () =>
    sodViolations.check({ identityId: office.administrator, accessRefs, clientMetadata: { [hostile]: hostile } });
  const page = await openWindow();
  await page.goto(`${office.address}/console/reports`);
  await page.getByText('There are no checks.').waitFor();
  await inspect(page, 'checks-none');
  const { requestId: first } = await ask();
  const row = (id: string) =>
    page.getByRole('table', { name: 'Latest checks' }).getByRole('row').filter({ hasText: id });
  await row(first).getByText('Completed', { exact: true }).waitFor();
  const person = row(first).getByRole('link', { name: 'Astrid Nygård' });
  expect(await person.getAttribute('href')).toBe(`/console/people/${office.administrator}`);
  await page.getByLabel('Id of the check').fill('no-such-check');
  await page.keyboard.press('Enter');
  await page.getByText('There is no check no-such-check.').waitFor();
  await page.getByRole('link', { name: first }).click();
  await page.getByText('new with the grant').first().waitFor();
  expect(new URL(page.url()).searchParams.get('check')).toBe(first);
  await page.getByText(hostile).first().waitFor();
  await inspect(page, 'checks');
  const receipt = await download(page, 'Save the signed receipt');
  expect(receipt.name).toBe(`receipt-${first}.jws`);
  const { requestId } = await verifyReceipt(receipt.text, { jwks: await office.client.health.keys() });
  expect(requestId).toBe(first);
  await office.pauseWorker();
  const { requestId: second } = await ask();
  await page.goto(`${office.address}/console/reports?check=${second}`);
  await page.getByRole('progressbar', { name: 'Waiting for a worker' }).waitFor();
  await row(second).getByText('Waiting for a worker').waitFor();
  expect((await row('').allTextContents()).findIndex((text) => text.includes(second))).toBe(1);
  await inspect(page, 'checks-waiting');
  office.resumeWorker();
  await page.getByText('new with the grant').first().waitFor();
  await row(second).getByText('Completed', { exact: true }).waitFor();
});

test('an auditor is told that checks need another capability', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow(office.auditor);
  await page.goto(`${office.address}/console/reports`);
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks
    .getByText('This needs the capability Administrator (ORG_ADMIN) or Policy administrator (POLICY_ADMIN)')
    .waitFor();
  await expect.poll(() => checks.getByRole('textbox').count()).toBe(0);
});
