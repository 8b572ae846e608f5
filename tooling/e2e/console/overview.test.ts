import { beforeAll, expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { addExceptions } from './add-exceptions.ts';
import { inspect, linkOf, useConsole } from './window.ts';

const opened = useConsole();

beforeAll(() => addExceptions(opened().office));

test('the overview shows the counts of the register, each of which leads to its list', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { open, byLevel } = await office.client.violations.summary();
  await linkOf(page, new RegExp(`^${open} open violations$`)).waitFor();
  await page.getByRole('region', { name: 'Worst five policies' }).getByRole('row').nth(5).waitFor();
  const levels = page.getByRole('region', { name: 'State by level' });
  for (const { level, open: count } of byLevel.filter((each) => each.open > 0))
    await levels
      .getByRole('row', { name: new RegExp(`^${level}`) })
      .getByRole('link', { name: String(count), exact: true })
      .waitFor();
  await page.getByRole('region', { name: 'My work' }).getByRole('listitem').nth(2).waitFor();
  await inspect(page, 'overview');
  await linkOf(page, /open violations$/).click();
  await showsTitle(page, 'Violations');
  await page.getByText(`${open} violations`).waitFor();
  expect(new URL(page.url()).search).toBe('?status=Open');
  await expect.poll(() => page.title()).toBe('Violations – Access Admin');
  await page.goBack();
  await showsTitle(page, 'Overview');
});

test('my work names what waits for me, each kind with its next step, and nothing else', async () => {
  const { office, openWindow } = opened();
  const { violations } = office.client;
  const { items } = await violations.page({ filters: 'status eq "Open" and level eq "High"', limit: 2 });
  const owned = items.find(({ target }) => target.id !== office.administrator);
  if (owned === undefined) throw new Error('the sample has no such violation');
  const page = await openWindow();
  const work = page.getByRole('region', { name: 'My work' });
  const { total: critical } = await violations.page({
    filters: 'status eq "Open" and level eq "Critical"',
    limit: 1,
    count: true,
  });
  await work.getByRole('link', { name: `${critical} critical violations are open` }).waitFor();
  await expect.poll(() => work.getByText(/violations? that you own/).count()).toBe(0);
  await expect.poll(() => work.getByText('open for more than 30 days').count()).toBe(0);
  await violations.reassign(owned.id, office.administrator);
  await work.getByRole('link', { name: '1 violation that you own' }).waitFor();
  await work
    .getByRole('link', { name: `${owned.target.name}: ${owned.policy.name}` })
    .first()
    .click();
  await page.getByRole('dialog').getByText('Smallest fix').first().waitFor();
  await page.goBack();
  await work.getByRole('link', { name: '2 exceptions to approve Decide' }).click();
  await showsTitle(page, 'Exceptions');
  await page.getByRole('navigation', { name: 'Requests that wait' }).getByRole('link').nth(1).waitFor();
  await page.goBack();
  await work.getByRole('link', { name: 'Soo-ah Kang: Salary and payroll' }).click();
  await page.getByRole('region', { name: /^Arjun Sharma asks that Soo-ah Kang/ }).waitFor();
});

test('a violation is overdue after 30 days, and leads to a list of those alone', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const [first] = (await office.client.violations.page({ limit: 1 })).items;
  // The register of a test has no violation of last month.
  await page.route('**/violations/v1?*', (route) =>
    new URL(route.request().url()).searchParams.get('filters')?.includes('created le')
      ? route.fulfill({ json: [first], headers: { 'x-total-count': '1' } })
      : route.continue(),
  );
  await page.reload();
  await linkOf(page, /^1 violation open for more than 30 days/).click();
  await page.getByText('1 violation', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('overdue')).toBe('true');
  await page.getByRole('button', { name: 'Also those of the last 30 days' }).click();
  await page.getByText('1 violation', { exact: true }).waitFor({ state: 'detached' });
});

test.each([
  { who: 'helper', way: 'People', path: '/console/people' },
  { who: 'outsider', way: 'Your account', path: '/account' },
] as const)(
  'the $who has violations that are owned as work, and is led to what is permitted',
  async ({ who, way, path }) => {
    const { office, openWindow } = opened();
    const page = await openWindow(who === 'helper' ? await office.appointHelper() : office.outsider);
    await page.getByRole('region', { name: 'My work' }).getByText('Nothing waits for you.').waitFor();
    await inspect(page, `overview-${who}`);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: way, exact: true }).click();
    await page.waitForURL(`${office.address}${path}`);
  },
);

test('what ends soon, what lint has found and what is under way lead to their lists', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const soon = page.getByRole('region', { name: 'Ends soon' });
  await soon.getByRole('link', { name: /^Astrid Dahl: / }).waitFor();
  await soon.getByRole('link', { name: '1 exception ends within 30 days' }).click();
  await page.getByRole('row', { name: /Astrid Dahl/ }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.goBack();
  const { sodPolicies } = office.client;
  const [rule] = (await sodPolicies.page({ limit: 1 })).items;
  if (rule === undefined) throw new Error('the sample has no policy');
  const { conflictingAccessCriteria } = rule;
  const { id } = await sodPolicies.create({ name: 'A repetition', level: 'LOW', conflictingAccessCriteria });
  const count = new Set((await sodPolicies.lint()).map(({ policyId }) => policyId)).size;
  expect(count).toBeGreaterThan(0);
  await linkOf(page, new RegExp(`^${count} polic(y|ies) with findings$`)).click();
  await page.getByText(count === 1 ? '1 policy' : `${count} policies`, { exact: true }).waitFor();
  await sodPolicies.delete(id);
  await page.goBack();
  await office.pauseWorker();
  try {
    await office.client.sodReports.scan();
    await linkOf(page, /^1 report under way$/).click();
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

test('what cannot be read says so, and the rest is shown', async () => {
  const page = await opened().openWindow();
  await page.route('**/sod-exceptions/v1?*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.reload();
  const work = page.getByRole('region', { name: 'My work' });
  await work.getByRole('alert').getByText('Something went wrong in the service.').waitFor();
  await work.getByRole('link', { name: /critical violations are open/ }).waitFor();
  await page.unroute('**/sod-exceptions/v1?*');
  await work.getByRole('button', { name: 'Try again' }).click();
  await work.getByRole('link', { name: /^2 exceptions to approve/ }).waitFor();
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
  await linkOf(page, new RegExp(`^${open - first.open} open violations$`)).waitFor();
  await setState('ENFORCED');
  await linkOf(page, new RegExp(`^${open} open violations$`)).waitFor();
});

test('the console speaks three languages, and keeps the choice, which the pages of sign-in follow', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.getByRole('button', { name: /^Account and preferences/ }).click();
  for (const [tag, title] of Object.entries({ de: 'Übersicht', vi: 'Tổng quan' })) {
    await page.locator('header select').first().selectOption(tag);
    await showsTitle(page, title);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(tag);
  }
  await page.locator('header select').last().selectOption('dark');
  await page.reload();
  await showsTitle(page, 'Tổng quan');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.goto(`${office.address}/account`);
  await showsTitle(page, 'Tài khoản của bạn');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await showsTitle(page, 'Ihr Konto');
  await page.goto(`${office.address}/console/`);
  await showsTitle(page, 'Übersicht');
});
