import type { ListedSodReport } from '@access-admin/client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

const rowsOf = (page: Page) => page.getByRole('group', { name: 'Reports' }).getByRole('row');

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
  office.pauseWorker();
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
  let progress = 0;
  await showAs(page, () => {
    progress += 0.25;
    if (progress > 1) return { state: 'ERROR', summary: null, message: 'The memory of 1 GiB was not enough.' };
    return { state: 'RUNNING', progress: Math.min(0.75, progress), completed: null, summary: null };
  });
  await page.goto(`${office.address}/console/reports`);
  for (const percent of ['25', '50', '75'])
    await page
      .getByRole('progressbar', { name: `Running, ${percent}%` })
      .first()
      .waitFor();
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
    await page.getByLabel(field).fill(name);
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
  await rowsOf(page)
    .filter({ hasText: 'Blast radius' })
    .getByText(/ gone, /)
    .waitFor();
  await page.getByLabel('Kind').selectOption('Dry-run');
  await rowsOf(page).filter({ hasText: 'Blast radius' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('kind')).toBe('DRY_RUN');
});

test('an auditor reads reports and starts none; others are told what is missing', async () => {
  const { office, openWindow } = opened();
  const auditor = await openWindow(office.auditor);
  await auditor.goto(`${office.address}/console/reports`);
  await auditor.getByText('This needs the capability ORG_ADMIN or POLICY_ADMIN').first().waitFor();
  await rowsOf(auditor).nth(1).waitFor();
  expect(await auditor.getByRole('button', { name: 'Scan' }).count()).toBe(0);
  await inspect(auditor, 'reports-auditor');
  // His capabilities do not include the violations of others.
  const other = await openWindow('i-0283');
  await other.goto(`${office.address}/console/reports`);
  await other.getByText('You lack the right to read this.').first().waitFor();
});
