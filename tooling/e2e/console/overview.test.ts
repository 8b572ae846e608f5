import { beforeAll, expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { addExceptions } from './add-exceptions.ts';
import { inspect, linkOf, useConsole } from './window.ts';

const opened = useConsole();

beforeAll(() => addExceptions(opened().office));

test('the overview shows the counts of the register, each of which leads to its list', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { open } = await office.client.violations.summary();
  await linkOf(page, new RegExp(`^${open} Open violations$`)).waitFor();
  await page.getByRole('table').nth(1).getByRole('row').nth(1).waitFor();
  await inspect(page, 'overview');
  await linkOf(page, /Open violations$/).click();
  await showsTitle(page, 'Violations');
  await page.getByText(`${open} violations`).waitFor();
  expect(new URL(page.url()).search).toBe('?status=Open');
  expect(await page.title()).toBe('Violations – Access Admin');
  await page.goBack();
  await showsTitle(page, 'Overview');
});

test('what waits, what ends soon and what lint has found is counted, and leads to its list', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await linkOf(page, /^2 Exceptions to approve$/).click();
  await showsTitle(page, 'Exceptions');
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(2);
  await page.goBack();
  await linkOf(page, /^1 Exceptions that end within 30 days$/).click();
  await page.getByRole('row', { name: /Astrid Dahl/ }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.goBack();
  const { sodPolicies } = office.client;
  const [rule] = (await sodPolicies.page({ limit: 1 })).items;
  if (rule === undefined) throw new Error('the sample has no policy');
  const countFound = async () => new Set((await sodPolicies.lint()).map(({ policyId }) => policyId)).size;
  const counted = (count: number) => linkOf(page, new RegExp(`^${count} Policies with findings$`));
  await counted(await countFound()).waitFor();
  const { conflictingAccessCriteria } = rule;
  const { id } = await sodPolicies.create({ name: 'A repetition', level: 'LOW', conflictingAccessCriteria });
  const count = await countFound();
  expect(count).toBeGreaterThan(0);
  await counted(count).click();
  await page.getByText(count === 1 ? '1 policy' : `${count} policies`, { exact: true }).waitFor();
  await sodPolicies.delete(id);
});

test('reports that are under way are counted, and lead to their list', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await linkOf(page, /^0 Reports under way$/).waitFor();
  office.pauseWorker();
  try {
    await office.client.sodReports.scan();
    await linkOf(page, /^1 Reports under way$/).click();
    await page.getByRole('progressbar', { name: 'Waiting for a worker' }).waitFor();
  } finally {
    office.resumeWorker();
  }
  await page.getByText('No report is of this kind and state.').waitFor();
});

test('days of the trend are those of UTC in every time zone', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Los_Angeles' });
  await page.reload();
  await page.getByText('As a table').click();
  const { trend } = await office.client.violations.summary({ days: 90 });
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  const [day = ''] = trend.flatMap(({ date, opened: count }) => (count > 0 ? [format.format(new Date(date))] : []));
  await page.getByRole('rowheader', { name: day, exact: true }).waitFor();
});

test('a count that cannot be read says so, and the others are shown', async () => {
  const page = await opened().openWindow();
  await page.route('**/sod-exceptions/v1?*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.reload();
  await page.getByRole('alert').getByText('Something went wrong in the service.').waitFor();
  await linkOf(page, /^– Exceptions to approve$/).waitFor();
  await linkOf(page, /^\d+ Policies with findings$/).waitFor();
  await page.unroute('**/sod-exceptions/v1?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await linkOf(page, /^2 Exceptions to approve$/).waitFor();
});

test('a change made elsewhere shows without reloading', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.getByText('Live', { exact: true }).waitFor();
  const { open, byPolicy } = await office.client.violations.summary();
  const [first] = byPolicy;
  if (first === undefined) throw new Error('the sample has no violation');
  const setState = (value: string) =>
    office.client.sodPolicies.patch(first.policy.id, [{ op: 'replace', path: '/state', value }]);
  await setState('NOT_ENFORCED');
  await linkOf(page, new RegExp(`^${open - first.open} Open violations$`)).waitFor();
  await setState('ENFORCED');
  await linkOf(page, new RegExp(`^${open} Open violations$`)).waitFor();
});

test('the console speaks three languages, and keeps the choice, which the pages of sign-in follow', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  for (const [tag, title] of Object.entries({ de: 'Übersicht', vi: 'Tổng quan' })) {
    await page.locator('select').nth(1).selectOption(tag);
    await showsTitle(page, title);
    expect(await page.locator('html').getAttribute('lang')).toBe(tag);
  }
  await page.locator('select').first().selectOption('dark');
  await page.reload();
  await showsTitle(page, 'Tổng quan');
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.goto(`${office.address}/account`);
  await showsTitle(page, 'Tài khoản của bạn');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await showsTitle(page, 'Ihr Konto');
  await page.goto(`${office.address}/console/`);
  await showsTitle(page, 'Übersicht');
});
