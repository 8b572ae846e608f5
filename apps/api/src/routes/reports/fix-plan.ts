import type { REPORTS } from '@access-admin/contract';
import { fail, validateFixPlan } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { Input } from '../../operations/route.ts';
import { startReport } from './start-report.ts';

/** Starts a fix plan once all that it names exists. */
export async function startFixPlan(
  c: RequestContext,
  { caller: { tenant }, body: { question, ...fixPlan } }: Input<typeof REPORTS.startFixPlan>,
): Promise<Answer> {
  const { reader, store } = c.env.services;
  // No identity has an empty id: only the catalogue is needed.
  const { index } = await reader.read(tenant, '');
  const policies = await store.reports.presentPolicies(tenant, fixPlan.policyIds ?? []);
  const identityIds = await store.reports.presentIdentities(tenant, fixPlan.identityIds ?? []);
  const refused = validateFixPlan(fixPlan, { index, policyIds: new Set(policies.keys()), identityIds });
  return refused === null ? startReport(c, { kind: 'FIX_PLAN', fixPlan, question }) : fail(refused);
}
