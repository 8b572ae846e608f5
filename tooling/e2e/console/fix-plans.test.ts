import { readFileSync } from 'node:fs';
import { type FixPlanOptions, type FixStep, filter } from '@access-admin/client';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

/** Makes a plan by the client and returns its steps. */
async function plan(options: FixPlanOptions = {}) {
  const { sodReports } = opened().office.client;
  const { reportId } = await sodReports.fixPlan(options);
  expect((await sodReports.waitFor(reportId)).state).toBe('SUCCESS');
  return { reportId, steps: await Array.fromAsync(sodReports.steps(reportId)) };
}

/** Takes what a step revokes from its person. */
async function carryOut({ identityId, revoke }: FixStep): Promise<void> {
  const { accessModel } = opened().office.client;
  for await (const record of accessModel.export()) {
    if (record.kind !== 'identity' || record.id !== identityId || 'delete' in record) continue;
    const access = (record.access ?? []).filter(({ type, id }) => type !== revoke.type || id !== revoke.id);
    await accessModel.import([{ ...record, access }]);
  }
}

/** The present violations that a step ends. */
const violationsOf = ({ identityId, ends }: FixStep) =>
  Array.fromAsync(
    opened().office.client.violations.list({
      filters: filter`targetId eq ${identityId} and status eq ${'Open'} and policyId in ${ends.map(({ policyId }) => policyId)}`,
    }),
  );

const ENDED = /(The violation has|All \d+ violations have) ended, as of /;

const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row');
const rowOf = (page: Page, { step }: FixStep) => page.locator(`[role=row][aria-rowindex="${step + 1}"]`);
const drawerOf = (page: Page) => page.getByRole('dialog');

async function openPlan(page: Page, reportId: string): Promise<void> {
  await page.goto(`${opened().office.address}/console/reports/${reportId}`);
  await showsTitle(page, 'Fix plan');
}

async function openStep(page: Page, step: FixStep): Promise<void> {
  await rowOf(page, step).getByRole('button').press('Enter');
  await drawerOf(page).getByText(`Step ${step.step} of `).waitFor();
}

const download = async (page: Page) => {
  const button = page.getByRole('button', { name: 'Save as CSV' }).first();
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
};

test('a plan is started from the list of reports, and is a list of its steps once it is made', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  await page.goto(`${office.address}/console/reports`);
  const [policy] = (await office.client.violations.summary()).byPolicy;
  if (policy === undefined) throw new Error('the sample has no violation');
  const { name, level } = await office.client.sodPolicies.get(policy.policy.id);
  await page.getByRole('button', { name: 'Fix plan' }).click();
  const form = page.getByRole('form', { name: 'Fix plan' });
  await form.getByLabel(`${level[0]}${level.slice(1).toLowerCase()}`).check();
  await form.getByRole('combobox', { name: 'Only violations of these policies' }).fill(name);
  await page.getByRole('option', { name }).first().click();
  await form.getByLabel('Holders to keep').selectOption('0');
  await form.getByRole('combobox', { name: 'Access that nobody loses' }).fill('vendor: create');
  await page
    .getByRole('option', { name: /^Vendor: create/ })
    .first()
    .click();
  await form.getByRole('button', { name: 'Remove Vendor: create' }).waitFor();
  await inspect(page, 'fix-plan-start');
  await form.getByRole('button', { name: 'Start the plan' }).press('Enter');
  const row = rowsOf(page, 'Reports').filter({ hasText: 'Fix plan' });
  await row.getByText(/^\d+ revocations? ends? \d+ of \d+ violations$/).waitFor();
  await row.getByRole('link', { name: 'Fix plan' }).click();
  await showsTitle(page, 'Fix plan');
  const asked = page.getByRole('region', { name: 'What was asked' });
  await asked.getByRole('link', { name }).waitFor();
  await asked.getByRole('link', { name: 'Vendor: create' }).waitFor();
  await asked.getByText('Holders to keep: 0').waitFor();
  const [{ question } = { question: null }] = (await office.client.sodReports.page({ limit: 1 })).items;
  expect(question).toEqual({
    levels: [level],
    policyIds: [policy.policy.id],
    keepHolders: 0,
    protect: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create' }],
  });
});

test('steps are listed, filtered, opened one after the other and saved', async () => {
  const { openWindow } = opened();
  const { reportId, steps } = await plan();
  const [first, second] = steps;
  if (first === undefined || second === undefined) throw new Error('the plan has less than two steps');
  const page = await openWindow();
  await openPlan(page, reportId);
  await page.getByText(`${steps.length} steps`, { exact: true }).waitFor();
  const row = rowOf(page, first);
  await row.getByRole('link', { name: first.displayName ?? first.identityId }).waitFor();
  await row.getByText(first.revoke.name).waitFor();
  await row
    .getByText(first.ends[0]?.policyName ?? '')
    .first()
    .waitFor();
  await inspect(page, 'fix-plan');
  await openStep(page, first);
  const drawer = drawerOf(page);
  for (const { policyName } of first.ends) await drawer.getByRole('link', { name: policyName }).first().waitFor();
  for (const { name } of first.alsoLoses) await drawer.getByText(name).first().waitFor();
  await drawer.getByRole('button', { name: 'Next', exact: true }).click();
  await drawer.getByText(`Step 2 of ${steps.length}`).waitFor();
  expect(new URL(page.url()).searchParams.get('step')).toBe('2');
  await drawer.getByRole('link', { name: second.displayName ?? second.identityId }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  const critical = steps.filter(({ ends }) => ends.some(({ level }) => level === 'CRITICAL'));
  await page.getByLabel('Level').selectOption('Critical');
  await page.getByText(`${critical.length} steps`, { exact: true }).waitFor();
  const { name, text } = await download(page);
  expect(name).toBe(`fix-plan-${reportId}.csv`);
  const [head, ...lines] = text.trim().split('\r\n');
  expect(head).toBe('step,identity,name,type,revoke,revoked,ends,also loses,sources,handed over');
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(critical.map(({ step }) => step));
});

test('a step is copied, assigned, handed over and, once it is carried out, found to be done', async () => {
  const { office, openWindow } = opened();
  const { reportId, steps } = await plan();
  const [step, other] = steps.filter(({ revoke }) => revoke.sources === undefined);
  if (step === undefined || other === undefined) throw new Error('the plan has less than two steps');
  const page = await openWindow();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPlan(page, reportId);
  await openStep(page, step);
  const drawer = drawerOf(page);
  await drawer.getByRole('button', { name: /^Copy/ }).click();
  await drawer.getByRole('button', { name: /^Copied/ }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).not.toContain('\n');
  for (const part of [step.identityId, step.revoke.id, ...step.ends.map(({ policyName }) => policyName)])
    expect(copied).toContain(part);

  await drawer.getByRole('button', { name: 'Done: check again' }).press('Enter');
  await drawer.getByText(new RegExp(`${step.ends.length} of ${step.ends.length} violations?, as of `)).waitFor();
  await inspect(page, 'fix-plan-still-there');

  await drawer.getByRole('button', { name: 'Assign', exact: true }).press('Enter');
  await drawer.getByRole('combobox', { name: 'New owner' }).fill('astrid nyg');
  await page.getByRole('option', { name: /^Astrid Nygård/ }).click();
  await drawer.getByText(/^(It goes|They go) to Astrid Nygård\.$/).waitFor();
  await inspect(page, 'fix-plan-assign');
  await drawer.getByRole('button', { name: 'Assign the violations' }).press('Enter');
  await drawer.getByText(/^Astrid Nygård owns (the violation|\d+ violations) now\.$/).waitFor();
  const owners = (await violationsOf(step)).map(({ owner }) => owner?.id);
  expect(owners).toEqual(step.ends.map(() => office.administrator));

  const after = await office.client.events.last();
  await drawer.getByRole('button', { name: 'Hand over' }).press('Enter');
  await drawer.getByLabel('Comment (optional)').fill('By Friday.');
  await inspect(page, 'fix-plan-hand-over');
  await drawer.getByRole('button', { name: 'Hand the step over' }).press('Enter');
  await drawer.getByText('Handed over. The violations end once the access is revoked.').waitFor();
  const { items } = await office.client.events.page({ after, types: ['sod.fix.requested'] });
  expect(items.map(({ data }) => data)).toEqual([{ reportId, comment: 'By Friday.', ...step }]);

  const [handed] = (await Array.fromAsync(office.client.sodReports.steps(reportId))).filter(
    (each) => each.step === step.step,
  );
  expect(handed).toEqual({ ...step, handedOver: items[0]?.time });
  await rowOf(page, step).getByText('Handed over').waitFor({ state: 'attached' });

  // The answer is live: nothing is pressed again.
  await carryOut(step);
  await drawer.getByText(ENDED).waitFor();
  await inspect(page, 'fix-plan-gone');
  await page.keyboard.press('Escape');
  await rowOf(page, step).getByText('Gone').waitFor();
});

test('a register that is behind is told to be, until it has caught up', async () => {
  const { office, openWindow } = opened();
  const { reportId, steps } = await plan();
  const step = steps.find(({ revoke }) => revoke.sources === undefined);
  if (step === undefined) throw new Error('the plan has no step');
  const page = await openWindow();
  await openPlan(page, reportId);
  await office.pauseWorker();
  onTestFinished(office.resumeWorker);
  await carryOut(step);
  const behindMs = async () => Date.now() - Date.parse((await office.client.violations.page({ limit: 1 })).asOf ?? '');
  await expect.poll(behindMs).toBeGreaterThan(4_000);
  await openStep(page, step);
  const drawer = drawerOf(page);
  await drawer.getByRole('button', { name: 'Done: check again' }).click();
  await drawer.getByText(/The register is complete up to .* only/).waitFor();
  await inspect(page, 'fix-plan-late');
  office.resumeWorker();
  await drawer.getByText(ENDED).waitFor();
});

test('what no revocation ends is listed with the reason and what helps', async () => {
  const { office, openWindow } = opened();
  const [step] = (await plan()).steps;
  if (step === undefined) throw new Error('the plan has no step');
  const { assignments } = await office.client.identities.get(step.identityId);
  const protect = assignments.map(({ type, id }) => ({ type, id }));
  const { reportId, steps } = await plan({ identityIds: [step.identityId], protect });
  expect(steps).toEqual([]);
  const left = await Array.fromAsync(office.client.sodReports.unsolvable(reportId));
  const page = await openWindow();
  await openPlan(page, reportId);
  await page.getByText('No permitted revocation ends a violation.').waitFor();
  const card = page.getByRole('region', { name: 'What stays', exact: true }).first();
  await card.getByText('Ask again with less protected access, or request an exception.').waitFor();
  const [first] = left;
  await card
    .getByRole('link', { name: first?.policyName ?? '' })
    .first()
    .waitFor();
  await inspect(page, 'fix-plan-left');
  expect((await download(page)).text.trim().split('\r\n').length).toBe(left.length + 1);
});

test('an auditor reads a plan, copies and checks, and is offered nothing else', async () => {
  const { office, openWindow } = opened();
  const { reportId, steps } = await plan();
  const [step] = steps;
  if (step === undefined) throw new Error('the plan has no step');
  const page = await openWindow(office.auditor);
  await openPlan(page, reportId);
  await openStep(page, step);
  const drawer = drawerOf(page);
  await drawer.getByRole('button', { name: 'Done: check again' }).click();
  await drawer.getByText(/Still there/).waitFor();
  await drawer.getByText(/^To change anything here, you need the capability /).waitFor();
  expect(await drawer.getByRole('button', { name: /^(Assign|Hand over)$/ }).count()).toBe(0);
  await inspect(page, 'fix-plan-auditor');
});
