import { afterAll, describe, inject, test } from 'vitest';
import { type Campaign, type CampaignRun, skipped } from '../campaign/campaign.ts';
import { endSharedServer } from '../service/open-database.ts';
import { campaigns } from './campaigns.ts';
import type { Asked } from './parse-arguments.ts';
import { isAsExpected, verdictOf } from './report.ts';

declare module 'vitest' {
  interface ProvidedContext {
    asked: Omit<Asked, 'json'> & { readonly seed: number };
  }
}

const asked = inject('asked');

afterAll(endSharedServer);

/** Runs a campaign or its control as the current test, and hands the outcome to the reporter. */
const runAs = (campaign: Campaign, plan: Pick<CampaignRun, 'engine'> & { readonly control: boolean }) =>
  test(`${campaign.id}${plan.control ? ' control' : ''} ${plan.engine}`, async ({ task, signal, skip }) => {
    const { id, title, unit } = campaign;
    const count = asked.counts[unit] ?? (asked.short ? campaign.short : campaign.full);
    const log = (text: string) => console.error(`${task.name}: ${text}`);
    log(`${count} ${unit}, seed ${asked.seed}`);
    task.meta.campaign = { ...plan, id, title, seed: asked.seed };
    const parts = asked.parts[id] ?? [];
    const { seed, from } = asked;
    const run: CampaignRun = { engine: plan.engine, seed, count, parts, from, log, signal };
    const isMissing = plan.engine === 'citus' && !process.env['TEST_CITUS_URL'];
    const outcome = isMissing
      ? skipped('TEST_CITUS_URL names no coordinator of a Citus cluster')
      : await (plan.control ? campaign.control(run) : campaign.run(run));
    task.meta.outcome = outcome;
    if (outcome.counts['skipped'] !== undefined) return skip(String(outcome.counts['skipped']));
    const report = { ...outcome, control: plan.control, error: null };
    if (!isAsExpected(report)) throw new Error(verdictOf(report));
  });

for (const campaign of campaigns.filter(({ id }) => asked.ids.includes(id))) {
  const describeRuns = asked.short && campaign.measuresTime !== true ? describe.concurrent : describe;
  describeRuns(campaign.id, () => {
    for (const engine of campaign.engines.filter((each) => asked.engine === null || each === asked.engine))
      for (const control of asked.control ? [false, true] : [false]) runAs(campaign, { engine, control });
  });
}
