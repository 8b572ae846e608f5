import type { POLICIES } from '@access-admin/contract';
import { fail, failure } from '@access-admin/domain';
import type { AuditCondition } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { Input } from '../../operations/route.ts';
import { answerAuditEvents } from './answer-events.ts';

/** Answers the audit events of a policy, also of a deleted one. */
export async function answerPolicyHistory(
  c: RequestContext,
  { caller: { tenant }, params: { id }, query }: Input<typeof POLICIES.history>,
): Promise<Answer> {
  const { policies, audit } = c.env.services.store;
  const ofPolicy: readonly AuditCondition[] = [
    { field: 'resourceType', operator: 'eq', values: ['SOD_POLICY'] },
    { field: 'resourceId', operator: 'eq', values: [id] },
  ];
  // A deleted policy has events that were allowed. Denied requests may name an id that no policy ever had.
  const allowed: AuditCondition = { field: 'outcome', operator: 'eq', values: ['ALLOWED'] };
  const isKnown = (await policies.find(tenant, id)) !== null || (await audit.count(tenant, [...ofPolicy, allowed])) > 0;
  return isKnown
    ? answerAuditEvents(c, query.page, ofPolicy)
    : fail(failure('NotFound', '', 'There is no such SOD policy.'));
}
