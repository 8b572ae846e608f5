import { type AuditContext, auditContextOf } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import { callerOf } from './caller.ts';

/** The actor, operation and time of a request for the audit log, with its authorization. */
export function auditContext(c: RequestContext, time: Date = c.env.services.system.now()): AuditContext {
  const { trackingId, authorization, operationId } = c.env.state;
  if (authorization === null || operationId === null) throw new Error('The request has not been authorized.');
  const context = auditContextOf(callerOf(c), { operation: operationId, time: time.toISOString(), trackingId });
  return { ...context, authorization };
}
