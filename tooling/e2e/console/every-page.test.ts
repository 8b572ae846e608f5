import { filter } from '@access-admin/client';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { findingsOf } from '../axe.ts';
import { openConsoleOffice } from './office.ts';
import { linkOf, useConsole } from './window.ts';

const opened = useConsole();
const NARROW = { width: 360, height: 740 };
/** The pages that can show them nothing, with what those would need. */
const PEOPLE: readonly {
  readonly role: string;
  /** The id of the person; null where the test gives a person the capability first. */
  readonly id: string | null;
  readonly hidden: Readonly<Record<string, RegExp>>;
}[] = [
  {
    role: 'approver',
    id: 'i-0281',
    hidden: {
      'audit-log': /^This needs the capability .*\(das:ui-auditor\)/,
      settings: /^This needs the capability /,
      sources: /^This needs the capability Administrator \(ORG_ADMIN\)/,
    },
  },
  { role: 'auditor', id: 'i-0284', hidden: { 'what-if': /^This needs the capability .*\(POLICY_ADMIN\)/ } },
  { role: 'helper', id: null, hidden: { policies: /^This needs the capability .*\(POLICY_ADMIN\)/ } },
];

/** Waits until the page has read what it shows. The stream of events goes on for ever. */
async function settles(pending: ReadonlySet<unknown>): Promise<void> {
  let quiet = 0;
  await expect
    .poll(
      () => {
        quiet = pending.size === 0 ? quiet + 1 : 0;
        return quiet;
      },
      { interval: 50 },
    )
    .toBeGreaterThan(3);
}

/** Opens each page of the navigation and returns what is read of it. */
async function visitAll<T>(page: Page, read: (name: string) => Promise<T>): Promise<Readonly<Record<string, T>>> {
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  const seen: Record<string, T> = {};
  const pending = new Set<Request>();
  page.on('request', (request) => !request.url().includes('/events/') && pending.add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => pending.delete(request));
  for (const name of await links.allTextContents()) {
    await links.getByText(name, { exact: true }).click();
    await page.locator('nav [aria-current=page]').getByText(name, { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settles(pending);
    seen[name] = await read(name);
  }
  return seen;
}

test('a lost connection shows, and what was missed is read as soon as it is back', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const live = page.getByText('Live', { exact: true });
  await live.waitFor();
  const { open, byPolicy } = await office.client.violations.summary();
  const [first] = byPolicy;
  if (first === undefined) throw new Error('the sample has no violation');
  const setState = (value: string) =>
    office.client.sodPolicies.patch(first.policy.id, [{ op: 'replace', path: '/state', value }]);
  await page.context().setOffline(true);
  await page.getByText('The connection is lost.').waitFor();
  await page.getByText('Not live').waitFor();
  await setState('NOT_ENFORCED');
  await page.context().setOffline(false);
  await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
  await linkOf(page, new RegExp(`^${open - first.open} open violations$`)).waitFor();
  await live.waitFor();
  await setState('ENFORCED');
  await linkOf(page, new RegExp(`^${open} open violations$`)).waitFor();
});

test.each(PEOPLE)(
  'the $role is led to pages that show something alone; the others say what is missing',
  async (role) => {
    const { office, openWindow } = opened();
    const id = role.id ?? (await office.appointHelper());
    const page = await openWindow(id);
    const links = page.getByRole('navigation', { name: 'Pages' });
    for (const path of Object.keys(role.hidden))
      await expect.poll(() => links.locator(`[href="/console/${path}"]`).count(), { message: path }).toBe(0);
    const refusals = await visitAll(page, () => page.getByText('You lack the right to read this.').count());
    expect(new Set(Object.values(refusals))).toEqual(new Set([0]));
    expect(await denialsOf(id)).toEqual([]);
    for (const [path, missing] of Object.entries(role.hidden)) {
      await page.goto(`${office.address}/console/${path}`);
      await page.getByText(missing).waitFor();
    }
  },
);

/** The operations that an identity was refused, of the audit log. */
async function denialsOf(identityId: string): Promise<readonly string[]> {
  const filters = filter`actor eq ${identityId} and outcome eq ${'DENIED'}`;
  const denials = await Array.fromAsync(opened().office.client.auditEvents.list({ filters }));
  return denials.map(({ operation }) => operation);
}

test.each(['helper', 'outsider'] as const)(
  'the %s opens pages by their addresses, and none of them asks for what is refused',
  async (who) => {
    const { office, openWindow } = opened();
    const id = who === 'helper' ? await office.appointHelper() : office.outsider;
    const page = await openWindow(id);
    for (const path of ['', 'violations', 'policies', 'exceptions', 'people'])
      await page.goto(`${office.address}/console/${path}`, { waitUntil: 'networkidle' });
    expect(await denialsOf(id)).toEqual([]);
  },
);

/** What each page says to somebody who has a service without people and policies. */
const FIRST_DAY: Readonly<Record<string, string>> = {
  Overview: 'This service has no policies yet. Three steps, and violations show on this page.',
  Violations: 'Look at the policies',
  Exceptions: 'Exceptions are requested from a violation: open one and choose “Request an exception”.',
  'What if': 'Choose a person and the access to add. The answer appears while you choose.',
  Policies: 'There are no policies yet.',
  Matrix: 'Create a policy, or enforce one. Where the violations are appears here.',
  Controls: 'There are no controls yet.',
  People: 'Invite a person',
  Access: 'Access appears here with the first import of the access model.',
  Sources: 'There are no sources yet.',
  'Reports and checks': 'Start a scan: it finds all violations of the enforced policies.',
  'Audit log': 'Verify that the log is as it was recorded',
  Settings: 'Choose an auth profile to see and change it.',
};

test('on the first day each page says what to do, and leads on', async () => {
  await using office = await openConsoleOffice({}, [
    { kind: 'identityProfile', id: 'staff', name: 'Staff', authProfile: { type: 'NON_PTA' } },
    {
      kind: 'identity',
      id: 'first',
      uid: 'first',
      displayName: 'Fay First',
      identityProfile: 'staff',
      capabilities: ['ORG_ADMIN'],
    },
  ]);
  const page = await opened().openBlankWindow();
  await office.signIn(page, 'first');
  const main = page.getByRole('main');
  const seen = await visitAll(page, async (name) => {
    await main
      .getByText(FIRST_DAY[name] ?? '')
      .first()
      .waitFor();
    expect(await findingsOf(page), name).toEqual([]);
    const ways = main.getByRole('link').or(main.getByRole('button')).or(main.getByRole('combobox'));
    expect(await ways.count(), name).toBeGreaterThan(0);
    return true;
  });
  expect(Object.keys(seen)).toEqual(Object.keys(FIRST_DAY));
});

test('names of the greatest length, of emoji and from right to left fit on every page', async () => {
  const { office, openWindow } = opened();
  const { items } = await office.client.violations.page({ filters: 'status eq "Open"', limit: 1 });
  const [first] = items;
  if (first === undefined) throw new Error('the sample has no violation');
  const long = 'W'.repeat(256);
  const mixed = `${'עברית '.repeat(30)}${'👩🏽‍🚀'.repeat(10)}<b>x</b>`;
  await office.client.accessModel.import([{ ...(await recordOf(first.target.id)), displayName: long }]);
  await office.client.sodPolicies.patch(first.policy.id, [{ op: 'replace', path: '/name', value: mixed }]);
  const page = await openWindow();
  await page.goto(`${office.address}/console/violations?person=WWW`);
  await page.getByRole('button', { name: long }).first().click();
  await page.getByRole('dialog').getByText(mixed).first().waitFor();
  await page.setViewportSize(NARROW);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.setViewportSize({ width: 1280, height: 900 });
  const widths = await visitAll(page, async () => {
    await page.setViewportSize(NARROW);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    await page.setViewportSize({ width: 1280, height: 900 });
    return width;
  });
  expect(new Set(Object.values(widths))).toEqual(new Set([NARROW.width]));
  // Longer than any name may be.
  await page.goto(`${office.address}/console/violations`);
  await page.getByLabel('Name of the person contains').fill('n'.repeat(10_000));
  await page.getByRole('alert').waitFor();
});

/** The identity as the export has it. */
async function recordOf(id: string) {
  for await (const record of opened().office.client.accessModel.export())
    if (record.kind === 'identity' && record.id === id) return record;
  throw new Error(`there is no identity ${id}`);
}
