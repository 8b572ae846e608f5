import type { Page } from 'playwright-core';

/** The people of the sample whose tasks the tour of the console shows. */
const [ANALYST, APPROVER, ADMINISTRATOR, AUDITOR] = ['i-0280', 'i-0281', 'i-0287', 'i-0284'] as const;

/** A picture: whose window, at which address, and what happens there before it is taken. */
export interface Scene {
  readonly name: string;
  readonly as: string;
  readonly path: string;
  readonly show: (page: Page) => Promise<void>;
  /** Whether there is one in dark colors too. */
  readonly hasDark?: true;
  readonly size?: { readonly width?: number; readonly height?: number };
}

const settled = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

async function choose(page: Page, field: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).fill(name);
  await page.getByRole('option').filter({ hasText: name }).first().click();
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
}

/** Every picture of the README and of the tour. */
export const SCENES: readonly Scene[] = [
  {
    name: 'overview',
    as: ADMINISTRATOR,
    path: '/',
    hasDark: true,
    show: async (page) => {
      await page.getByRole('region', { name: 'Worst five policies' }).getByRole('row').nth(5).waitFor();
      await page.getByRole('region', { name: 'My work' }).getByRole('listitem').first().waitFor();
      await settled(page);
    },
  },
  {
    name: 'violation',
    as: ANALYST,
    path: '/violations?status=Open&level=Critical',
    hasDark: true,
    size: { height: 920 },
    show: async (page) => {
      await page.getByRole('table').getByRole('row').nth(1).getByRole('button').click();
      await page.getByRole('img', { name: /^The ways from the person/ }).waitFor();
      await page.getByText(/^Smallest fix: revoke/).waitFor();
    },
  },
  {
    name: 'request-exception',
    as: ANALYST,
    path: '/violations?status=Open&level=Critical',
    show: async (page) => {
      await page.getByRole('table').getByRole('button', { name: 'Tuấn Trần' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('button', { name: 'Request an exception' }).click();
      await drawer.getByLabel('Reason').fill('Releases payments until the new specialist starts in January.');
      await drawer.getByRole('img', { name: /^The ways from the person/ }).waitFor();
    },
  },
  {
    name: 'what-if',
    as: ANALYST,
    path: '/what-if',
    show: async (page) => {
      await choose(page, 'Person', 'Kerem Şahin');
      await choose(page, 'Access to add', 'Vendor: create');
      await page.getByText('This grant violates 1 policy.').waitFor();
    },
  },
  {
    name: 'policy-tried',
    as: ANALYST,
    path: '/policies/sod-p2p-01',
    show: async (page) => {
      await page.getByRole('combobox', { name: 'Add to side 2' }).fill('AP: enter');
      await page.getByRole('listbox').getByRole('option').first().filter({ hasText: 'AP: enter' }).click();
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByText(/^\d+ more (people|person) would violate it\.$/).waitFor();
    },
  },
  {
    name: 'report-difference',
    as: ANALYST,
    path: '/reports',
    show: async (page) => {
      await page.getByRole('link', { name: 'Difference from the previous scan' }).click();
      await page.getByText('1 only in the earlier report').last().waitFor();
    },
  },
  {
    name: 'exception-to-approve',
    as: APPROVER,
    path: '/exceptions',
    size: { height: 920 },
    show: async (page) => {
      await page.getByRole('img', { name: /^The ways from the person/ }).waitFor();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
    },
  },
  {
    name: 'exceptions-approved',
    as: APPROVER,
    path: '/exceptions?state=APPROVED',
    show: async (page) => {
      await page.getByRole('row', { name: /Astrid Dahl/ }).waitFor();
    },
  },
  {
    name: 'person',
    as: ADMINISTRATOR,
    path: '/people/i-0280',
    size: { height: 1080 },
    show: async (page) => {
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      await page.getByRole('button', { name: 'End' }).waitFor();
    },
  },
  {
    name: 'auth-profile',
    as: ADMINISTRATOR,
    path: '/settings/auth-profiles',
    show: async (page) => {
      await page.getByRole('link', { name: /^Access office/ }).click();
      await page.getByRole('radio', { name: 'Not at all' }).check();
      await page.getByText(/^\d+ people could no longer sign in\./).waitFor();
    },
  },
  {
    name: 'audit-log',
    as: AUDITOR,
    path: '/audit-log?type=SOD_POLICY&resource=sod-p2p-01',
    show: async (page) => {
      await page.getByText('Clear the filters').waitFor();
      await page.getByText('Verify that the log is as it was recorded').click();
      await page.getByRole('button', { name: 'Verify the log' }).click();
      await page.getByText(/^The log is intact: all \d+ entries/).waitFor();
    },
  },
  {
    name: 'audit-entry',
    as: AUDITOR,
    path: '/audit-log?type=SOD_POLICY&resource=sod-p2p-01',
    show: async (page) => {
      await page.getByText('Clear the filters').waitFor();
      const rows = page.getByRole('table').getByRole('row');
      await rows
        .filter({ hasText: / changed the policy / })
        .getByRole('button')
        .first()
        .click();
      await page.getByRole('dialog').getByText('Treasury releases payments').first().waitFor();
    },
  },
];
