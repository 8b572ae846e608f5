import type { Operation } from '@access-admin/contract';
import { type AuditEvent, auditContextOf, isResourceId } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';

/** Records a 403 of an operation in the audit log, or counts it there, before it is answered. */
export async function recordDenial(c: RequestContext, operation: Operation): Promise<void> {
  const { state, services } = c.env;
  if (state.caller === null) return;
  const time = services.system.now().toISOString();
  const context = auditContextOf(state.caller, { operation: operation.id, time, trackingId: state.trackingId });
  await services.denials.record(context, resourceOf(operation, c));
}

function resourceOf({ rights, onePerTenant }: Operation, c: RequestContext): AuditEvent['resource'] {
  const id = onePerTenant ? 'tenant' : (Object.values(c.req.param())[0] ?? '');
  return { type: rights.resource, id: isResourceId(id) ? id : null };
}
