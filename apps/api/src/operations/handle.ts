import { type Operation, SOD_BODY_BYTES_MAX } from '@access-admin/contract';
import {
  type AuditEvent,
  type AuditedResource,
  isResourceId,
  OPERATION_RIGHTS,
  type Result,
} from '@access-admin/domain';
import type { DenialLog } from '../audit/coalesce-denials.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import type { HttpResponse, RequestHandler } from '../http/exchange.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { type AdmissionDeps, createAdmission } from './admission.ts';
import { limitTime } from './limit-time.ts';
import { type ApiFailure, problemResponse } from './problem.ts';
import { auditContextOfRequest, type OperationHandler, type OperationResult } from './request.ts';
import type { Incoming } from './take-body.ts';

export interface OperationDeps extends AdmissionDeps {
  readonly denials: Pick<DenialLog, 'record'>;
  readonly log: Pick<RequestLog, 'error'>;
  readonly now: () => Date;
}

/** Runs admission before a handler, and turns the result into a response. */
export function createOperationHandler(
  operation: Operation,
  handler: OperationHandler,
  deps: OperationDeps,
): RequestHandler {
  const admit = createAdmission(operation, limitTime(operation, handler, deps.log), deps);
  const handle = (incoming: Incoming): MaybePromise<HttpResponse> => {
    incoming.state.operationId = operation.id;
    return whenReady<Result<OperationResult, ApiFailure>, HttpResponse>(admit(incoming), (result) => {
      if (result.ok) return respond(operation, result.value);
      const refusal = problemResponse(result.failure, incoming.state.trackingId);
      if (result.failure.type !== 'Forbidden') return refusal;
      return recordDenial(operation, incoming, deps).then(() => refusal);
    });
  };
  if ((operation.body?.bytesMax ?? 0) <= SOD_BODY_BYTES_MAX)
    return (exchange, state) => handle({ exchange, state, keptBody: null });
  return (exchange, state) => deps.bodies.keep(exchange, (keptBody) => handle({ exchange, state, keptBody }));
}

/** A denial is recorded or counted before it is answered. */
async function recordDenial(
  operation: Operation,
  { exchange, state: { caller, trackingId } }: Incoming,
  { denials, now }: OperationDeps,
): Promise<void> {
  // Without a caller the status is 401.
  if (caller === null) return;
  const context = auditContextOfRequest({ caller, operation, trackingId }, now());
  await denials.record(context, resourceOf(operation, exchange.params));
}

/** The resources of which a tenant has one. */
const OF_TENANT: readonly AuditedResource[] = ['UI_METADATA', 'LOCKOUT_CONFIG', 'SESSION_CONFIG', 'NETWORK_CONFIG'];

function resourceOf(operation: Operation, params: Readonly<Record<string, string>>): AuditEvent['resource'] {
  const type = OPERATION_RIGHTS[operation.id].resource;
  const id = OF_TENANT.includes(type) ? 'tenant' : (Object.values(params)[0] ?? '');
  return { type, id: isResourceId(id) ? id : null };
}

function respond({ response: { status, mediaType } }: Operation, result: OperationResult): HttpResponse {
  const headers: Record<string, string> = { ...result.headers };
  if ('isEmpty' in result) return { status: 204, headers, body: null };
  if (mediaType === null) return { status, headers, body: null };
  headers['content-type'] ??= mediaType;
  return { status, headers, body: 'text' in result ? result.text : JSON.stringify(result.json) };
}
