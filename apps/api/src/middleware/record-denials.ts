import type { Operation } from '@access-admin/contract';
import { type AuditEvent, auditContextOf, isResourceId } from '@access-admin/domain';
import type { DenialLog } from '../audit/coalesce-denials.ts';
import type { Middleware, RequestContext } from '../http/env.ts';

export interface DenialDeps {
  readonly denials: Pick<DenialLog, 'record'>;
  readonly now: () => Date;
}

/** Records every 403 of an operation in the audit log, or counts it there, before it is answered. */
export function recordDenials(operation: Operation, { denials, now }: DenialDeps): Middleware {
  return async (c, next) => {
    await next();
    const { caller, refusal, trackingId } = c.get('state');
    if (refusal?.detailCode !== '403' || caller === null) return;
    const context = auditContextOf(caller, { operation: operation.id, time: now().toISOString(), trackingId });
    await denials.record(context, resourceOf(operation, c));
  };
}

function resourceOf({ rights, onePerTenant }: Operation, c: RequestContext): AuditEvent['resource'] {
  const id = onePerTenant ? 'tenant' : (Object.values(c.req.param())[0] ?? '');
  return { type: rights.resource, id: isResourceId(id) ? id : null };
}
