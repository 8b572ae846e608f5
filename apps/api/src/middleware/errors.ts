import { type Caller, failure } from '@access-admin/domain';
import { OutcomeUnknown, RightsLost, StorageFull, StorageUnavailable, TenantRemoved } from '@access-admin/store';
import { NO_TENANT } from '../auth/host-tenants.ts';
import { CallerLeft, DeadlineExceeded } from '../event-loop/deadline.ts';
import {
  type ApiFailure,
  DEADLINE_EXCEEDED,
  DEADLINE_OUTCOME_UNKNOWN,
  PROBLEMS,
  STORAGE_FULL,
} from '../http/problem.ts';
import type { Refusal } from '../http/request-state.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RequestLog } from '../telemetry/request-log.ts';

export interface ErrorDeps {
  readonly log: Pick<RequestLog, 'error'>;
  readonly metrics: Pick<Metrics, 'countStorageFailure'>;
}

/** The failure that a thrown error is answered with, which is logged unless callers can cause it as often as they like. */
export function failureOfError(
  error: unknown,
  { trackingId, caller }: { readonly trackingId: string; readonly caller: Pick<Caller, 'tenant' | 'sessionId'> | null },
  { log, metrics }: ErrorDeps,
): { readonly failure: ApiFailure; readonly reason: string | null } {
  // The line of the request says why.
  if (error instanceof DeadlineExceeded)
    return { failure: error.isEffectKnown ? DEADLINE_EXCEEDED : DEADLINE_OUTCOME_UNKNOWN, reason: error.message };
  if (error instanceof Unavailable || error instanceof CallerLeft)
    return { failure: { type: 'Unavailable', causes: [] }, reason: error.message };
  if (error instanceof RightsLost)
    return { failure: error.forbidden ?? ofGoneCaller(caller, error.message), reason: error.message };
  if (error instanceof TenantRemoved) return { failure: ofRemovedTenant(error.tenant, caller), reason: error.message };
  if (error instanceof StorageUnavailable) {
    log.error({ trackingId, reason: error.message }, error.name);
    metrics.countStorageFailure(error);
    if (error instanceof StorageFull) return { failure: STORAGE_FULL, reason: null };
    const type = error instanceof OutcomeUnknown ? 'OutcomeUnknown' : 'Unavailable';
    return { failure: { type, causes: [] }, reason: null };
  }
  log.error({ trackingId, err: error }, 'bug');
  return { failure: { type: 'Bug', causes: [] }, reason: null };
}

/** The response to a write whose caller was removed after the request was authorized. */
const ofGoneCaller = (caller: Pick<Caller, 'sessionId'> | null, reason: string): ApiFailure => ({
  type: 'Unauthenticated',
  causes: [],
  error: caller?.sessionId === undefined ? 'invalid_token' : null,
  reason,
});

/** What a write answers that a removal has overtaken: of a page, of the tenant of the caller, or of one whose name it wanted. */
function ofRemovedTenant(tenant: string, caller: Pick<Caller, 'tenant'> | null): ApiFailure {
  if (caller === null) return NO_TENANT;
  return caller.tenant === tenant
    ? { type: 'Unauthenticated', causes: [], error: 'invalid_token', reason: 'tenant being removed' }
    : failure('Conflict', 'tenant', `${tenant} is being removed: its name is taken until nothing of it is left`);
}

/** Logs an error that no answer can tell of. That the caller has left, or a limit ends the answer, is no error. */
export function logError(error: unknown, trackingId: string, log: Pick<RequestLog, 'error'>): void {
  if (error instanceof CallerLeft || error instanceof DeadlineExceeded) return;
  if (error instanceof StorageUnavailable || error instanceof Unavailable)
    log.error({ trackingId, reason: error.message }, error.name);
  else log.error({ trackingId, err: error }, 'bug');
}

/** What the log line says of an answer that a limit has ended after its first piece; other errors are logged. */
export function refusalOfStream(error: unknown, trackingId: string, log: Pick<RequestLog, 'error'>): Refusal | null {
  if (error instanceof DeadlineExceeded) return { detailCode: PROBLEMS.Unavailable.detailCode, reason: error.message };
  logError(error, trackingId, log);
  return null;
}
