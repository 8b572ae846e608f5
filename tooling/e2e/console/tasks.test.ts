import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@access-admin/harness';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { addExceptions } from './add-exceptions.ts';
import { useConsole, useWindow } from './window.ts';

// What people come for, done by what the pages show, from the first page on, on a wide screen and on a narrow one.
const DAY_MS = 86_400_000;
const CLICKS_MAX = 4;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
] as const;
const VENDOR = 'Vendor master and payment release';

const port = await freePort();
const RECEIVER = `http://127.0.0.1:${port}`;
const opened = useConsole({ WEBHOOK_TARGETS: RECEIVER, SECRET_KEY: 'a-key-that-tests-give-to-their-services' });
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});

beforeAll(() => new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve)));
beforeAll(() => addExceptions(opened().office));
const window = useWindow(opened);
afterAll(() => new Promise<void>((resolve) => receiver.close(() => resolve())));

/** Somebody who does a task. To focus a field and to press Enter in it is a part of typing; all else is a click. */
interface Walk {
  readonly page: Page;
  readonly isNarrow: boolean;
  readonly click: (target: Locator) => Promise<void>;
  /** Opens a page by its links, which a narrow screen has behind a button. */
  readonly goTo: (name: string) => Promise<void>;
  /** Opens what the search over everything offers first for a text. */
  readonly find: (typed: string, offered: string | RegExp) => Promise<void>;
}

/** Does a task in both sizes, each from the overview on, and counts its clicks. */
async function walkBoth(name: string, task: (walk: Walk) => Promise<void>): Promise<void> {
  const page = window();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.goto(`${opened().office.address}/console/`);
    await page.getByText('Worst five policies').waitFor();
    let clicks = 0;
    const shown = `${name} at ${size.width}`;
    const click = async (target: Locator) => {
      await target.click();
      clicks += 1;
      const at = `${shown}, click ${clicks}`;
      expect(await page.evaluate('document.documentElement.scrollWidth'), at).toBeLessThanOrEqual(size.width);
      // The keyboard goes on from here.
      await expect
        .poll(() => page.evaluate('document.activeElement !== document.body'), { message: at, timeout: 8_000 })
        .toBe(true);
      const folder = process.env['PICTURES'];
      if (folder !== undefined) {
        await page.waitForLoadState('load');
        await page.screenshot({ path: join(folder, `${shown.replaceAll(' ', '-')}-${clicks}.png`) });
      }
    };
    const isNarrow = size.width < 768;
    await task({
      page,
      isNarrow,
      click,
      goTo: async (link) => {
        if (isNarrow) await click(page.getByRole('button', { name: 'Menu' }));
        await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link, exact: true }));
        await showsTitle(page, link);
      },
      find: async (typed, offered) => {
        await click(page.getByRole('button', { name: 'Search' }));
        await page.locator('[role=combobox]:focus').waitFor();
        await page.keyboard.type(typed);
        await page.getByRole('option', { name: offered, selected: true }).waitFor();
        await page.keyboard.press('Enter');
      },
    });
    expect(clicks, shown).toBeLessThanOrEqual(CLICKS_MAX);
  }
}

/** Types into a field and takes by the keyboard what it offers first. */
async function choose(page: Page, field: string | RegExp, typed: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).focus();
  await page.keyboard.type(typed);
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
}

/** Waits until something is in view without scrolling. */
async function isInView(target: Locator): Promise<void> {
  await target.waitFor();
  const height = target.page().viewportSize()?.height ?? 0;
  await expect
    .poll(async () => {
      const box = await target.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    })
    .toBe(true);
}

test('a rule keeps vendors and payments apart', async () => {
  const { sodPolicies } = opened().office.client;
  await walkBoth('rule', async ({ page, isNarrow, click, goTo, find }) => {
    if (isNarrow) await find('new pol', 'New policy');
    else {
      await goTo('Policies');
      await click(page.getByRole('link', { name: 'New policy' }));
    }
    await page.getByLabel('Name', { exact: true }).fill('Invent a vendor and pay it');
    await choose(page, 'Add to side 1', 'Vendor: create');
    await choose(page, 'Add to side 2', 'AP: release payment run');
    await click(page.getByRole('button', { name: 'Try it' }));
    await isInView(page.getByText('1 more person would violate it.'));
    await click(page.getByRole('button', { name: 'Save' }));
    await showsTitle(page, 'Invent a vendor and pay it');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect((await sodPolicies.get(id)).state).toBe('ENFORCED');
    await sodPolicies.delete(id);
  });
});

test('who can create a vendor and pay it, since when, and what is the smallest fix', async () => {
  await walkBoth('who', async ({ page, isNarrow, click, goTo, find }) => {
    if (isNarrow) {
      await find('vendor master and pay', VENDOR);
      await click(page.getByRole('link', { name: '1 open violation' }));
    } else {
      await goTo('Policies');
      await page.getByRole('searchbox', { name: 'Name contains' }).fill('vendor');
      const row = page.getByRole('row', { name: new RegExp(`^${VENDOR}`) });
      await click(row.getByRole('link', { name: `1 ${VENDOR}`, exact: true }));
    }
    await click(page.getByRole('table').getByRole('button', { name: 'Tuấn Trần' }));
    const violation = page.getByRole('dialog', { name: VENDOR });
    await violation.getByText('One person could invent a vendor, or redirect its bank account, and pay it.').waitFor();
    const since = await violation.getByRole('definition').nth(2).textContent();
    expect(Date.now() - Date.parse(since ?? '')).toBeLessThan(DAY_MS);
    await violation
      .getByText(/maintain vendors/)
      .first()
      .waitFor();
    await violation
      .getByText(/release payments/)
      .first()
      .waitFor();
    await violation.getByText('Smallest fix: revoke 1 assignment').waitFor();
    await violation.getByRole('listitem').filter({ hasText: 'Vendor: create (entitlement)' }).waitFor();
  });
});

test('may this person get that role next month, and if not, what to drop', async () => {
  await walkBoth('may', async ({ page, click, goTo }) => {
    await goTo('What if');
    await choose(page, 'Person', 'mariana b');
    await choose(page, 'Access to add', 'accounts payable');
    const day = new Date(Date.now() + 31 * DAY_MS);
    await page.getByLabel('First day').fill(day.toISOString().slice(0, 10));
    await page.getByLabel('Last day').fill(new Date(day.getTime() + 30 * DAY_MS).toISOString().slice(0, 10));
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('This grant violates 1 policy.').waitFor();
    await answer.getByText(`Asked for any time from ${day.getUTCDate()} `).waitFor();
    await answer.getByRole('region', { name: 'When' }).getByText('1 policy violated').waitFor();
    await answer.getByText('Side 1: maintain vendors').waitFor();
    await answer.getByText('Vendor: create (held)').waitFor();
    await answer.getByText('AP: enter invoice (requested)').waitFor();
    await answer.getByText('Or revoke what the person holds: Vendor master data specialist.').waitFor();
    await click(answer.getByRole('button', { name: 'Drop Accounts payable clerk from the request' }));
    await choose(page, 'Access to add', 'accountant');
    await answer.getByText('This grant violates no policy.').waitFor();
  });
});

test('one of two waiting exceptions is approved, knowing why', async () => {
  const people = ['Soo-ah Kang', 'Étienne Benoît'];
  const reasons = ['The payroll manager signs each change of a salary.', 'What would end the violation instead'];
  await walkBoth('approve', async ({ page, isNarrow, click }) => {
    const [person, reason] = isNarrow ? [people[1], reasons[1]] : [people[0], reasons[0]];
    const work = page.getByRole('region', { name: 'My work' });
    await click(work.getByRole('link', { name: new RegExp(`^${person}: `) }).first());
    const request = page.getByRole('region', { name: new RegExp(`^Arjun Sharma asks that ${person} may violate`) });
    await isInView(request.getByText('Reason given'));
    await request.getByText(reason ?? '').waitFor();
    const approve = request.getByRole('button', { name: 'Approve' });
    await isInView(approve);
    await click(approve);
    // The other request may now be where the button was: what has happened must be in view.
    await isInView(page.getByRole('status').getByText(new RegExp(`^Approved: ${person} may violate`)));
  });
});

test('the log is proven, and it says who has changed a policy', async () => {
  const approver = await opened().office.actAs('approver');
  const [policy] = (await approver.sodPolicies.page({ filters: 'name eq "Bank payment and its approval"' })).items;
  await approver.sodPolicies.patch(policy?.id ?? '', [{ op: 'replace', path: '/level', value: 'HIGH' }]);
  await walkBoth('log', async ({ page, isNarrow, click, goTo, find }) => {
    if (isNarrow) {
      await find('bank payment', 'Bank payment and its approval');
      await click(page.getByRole('main').getByRole('link', { name: 'History' }));
    } else {
      await goTo('Audit log');
      await choose(page, 'About the policy', 'bank payment and');
    }
    const [, last] = await page
      .getByRole('table')
      .getByRole('row')
      .filter({ hasText: /Sabine Schäfer changed the policy Bank payment and its approval|What was done/ })
      .all();
    await isInView(last ?? page.getByText('Sabine Schäfer changed the policy Bank payment and its approval'));
    await click(page.getByText('Verify that the log is as it was recorded'));
    await click(page.getByRole('button', { name: 'Verify the log' }));
    await isInView(page.getByText(/entries are as they were recorded/));
  });
});

test('the login page gets another text', async () => {
  const { uiMetadata } = opened().office.client;
  await walkBoth('login text', async ({ page, isNarrow, click, goTo }) => {
    const label = isNarrow ? 'Badge' : 'Staff number';
    await goTo('Settings');
    await click(page.getByRole('link', { name: 'Login page' }));
    await page.getByLabel('Label of the username field').fill(label);
    await page.getByRole('figure', { name: 'The login page with these texts' }).getByText(label).waitFor();
    await click(page.getByRole('form', { name: 'What the page shows' }).getByRole('button', { name: 'Save' }));
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect((await uiMetadata.get()).usernameLabel).toBe(label);
  });
});

test('contractors need a second factor', async () => {
  const { authProfiles } = opened().office.client;
  await walkBoth('second factor', async ({ page, isNarrow, click, goTo, find }) => {
    await authProfiles.patch('ip-contractors', [{ op: 'replace', path: '/type', value: 'NON_PTA' }]);
    if (isNarrow) await find('contract', /^Contractors/);
    else {
      await goTo('Settings');
      await click(page.getByRole('link', { name: /^Contractors/ }));
    }
    const factor = page.getByRole('radio', { name: 'With a password and a second factor' });
    await isInView(factor);
    await click(factor);
    await page.getByText('Nobody is locked out.').waitFor();
    await click(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect((await authProfiles.get('ip-contractors')).type).toBe('MFA');
  });
});

test('a colleague is invited', async () => {
  await walkBoth('invite', async ({ page, isNarrow, click, goTo, find }) => {
    if (isNarrow) await find('invite', 'Invite a person');
    else {
      await goTo('People');
      await click(page.getByRole('button', { name: 'Invite a person' }));
    }
    const uid = isNarrow ? 'noor' : 'kim';
    const dialog = page.getByRole('dialog', { name: 'Invite a person' });
    await dialog.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('New colleague');
    await dialog.getByLabel('Username').fill(uid);
    await click(dialog.getByRole('checkbox', { name: 'Auditor das:ui-auditor' }));
    await click(dialog.getByRole('button', { name: 'Create and make the link' }));
    await isInView(dialog.locator('code', { hasText: '/sign-in-link/' }));
    expect(await opened().office.client.identities.get(uid)).toMatchObject({
      capabilities: ['das:ui-auditor'],
      identityProfile: { id: 'ip-access-office' },
    });
  });
});

test('a webhook is created, and what it receives is seen', async () => {
  await walkBoth('webhook', async ({ page, isNarrow, click, goTo, find }) => {
    if (isNarrow) await find('new webh', 'New webhook');
    else {
      await goTo('Settings');
      await click(page.getByRole('link', { name: 'Webhooks' }));
    }
    await page.getByLabel('Name', { exact: true }).fill('Tickets');
    await page.getByLabel('Address of the receiver').fill(RECEIVER);
    await click(page.getByRole('button', { name: 'Create the webhook' }));
    await page.getByText(/^whsec_/).waitFor();
    const send = page.getByRole('button', { name: 'Send a test' });
    await isInView(send);
    await click(send);
    await isInView(page.getByRole('row').filter({ hasText: 'Delivered' }));
  });
});

test('a rule is tightened, and whom it would hit is seen before it is saved', async () => {
  const { sodPolicies } = opened().office.client;
  const [before] = (await sodPolicies.page({ filters: `name eq "${VENDOR}"` })).items;
  await walkBoth('tighten', async ({ page, isNarrow, click, goTo, find }) => {
    if (isNarrow) await find('vendor master and pay', VENDOR);
    else {
      await goTo('Policies');
      await page.getByRole('searchbox', { name: 'Name contains' }).fill('VENDOR');
      await click(page.getByRole('table').getByRole('link', { name: VENDOR, exact: true }));
    }
    await choose(page, /^Add to side 2/, 'purchase order: create');
    const result = page.getByRole('complementary', { name: 'Try and save' });
    await result.getByText('You have changed: Rule.').waitFor();
    await click(result.getByRole('button', { name: 'Try it' }));
    await isInView(result.getByText('2 more people would violate it.'));
    await result.getByRole('link', { name: 'Mariana Brandão' }).waitFor();
    await result.getByRole('link', { name: 'Iryna Bondar' }).waitFor();
    await click(result.getByRole('button', { name: 'Save' }));
    await isInView(result.getByText('Saved. The register follows within seconds.'));
    const value = before?.conflictingAccessCriteria;
    await sodPolicies.patch(before?.id ?? '', [{ op: 'replace', path: '/conflictingAccessCriteria', value }]);
  });
});
