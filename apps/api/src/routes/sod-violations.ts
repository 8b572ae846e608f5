import { CHECK_BACKLOG_MAX } from '@access-admin/contract';
import {
  type Failure,
  fail,
  failure,
  type IdentityWithNewAccess,
  ok,
  predict,
  type Result,
  type ViolationPrediction,
} from '@access-admin/domain';
import type { CheckQueue, SodReader } from '@access-admin/store';
import type { AwaitCheck } from '../await-check.ts';
import type { OperationHandler } from '../handle-operation.ts';
import { parsePreferWait } from '../prefer.ts';

const BACKLOG_RETRY_SECONDS = 5;

/** start-predict-sod-violations-v1 */
export const predictSodViolations =
  (reader: SodReader): OperationHandler =>
  async ({ caller, body }) => {
    const prediction = await predictFor(reader, caller.tenant, body as IdentityWithNewAccess);
    return prediction.ok ? ok({ json: prediction.value }) : prediction;
  };

async function predictFor(
  reader: SodReader,
  tenant: string,
  request: IdentityWithNewAccess,
): Promise<Result<ViolationPrediction, Failure>> {
  const { index, held } = await reader.read(tenant, request.identityId);
  return predict(index, held, request.accessRefs);
}

export interface StartCheckDeps {
  readonly reader: SodReader;
  readonly checks: CheckQueue;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** start-violation-check-v1: 202 only once the check is durably stored. */
export const startViolationCheck =
  ({ reader, checks, now, newId }: StartCheckDeps): OperationHandler =>
  async ({ caller, body }) => {
    const request = body as IdentityWithNewAccess;
    const prediction = await predictFor(reader, caller.tenant, request);
    if (!prediction.ok) return prediction;
    const { tenant } = caller;
    const check = { tenant, requestId: newId(), created: now().toISOString(), ...request };
    if ((await checks.enqueue(check, CHECK_BACKLOG_MAX)) === 'backlogFull') {
      const text = `The tenant has ${CHECK_BACKLOG_MAX} pending checks.`;
      return fail({ type: 'TooManyRequests', causes: [{ at: '', text }], retryAfterSeconds: BACKLOG_RETRY_SECONDS });
    }
    const location = `/sod-violations/v1/check/${check.requestId}`;
    return ok({ json: { requestId: check.requestId, created: check.created }, headers: { location } });
  };

/** get-violation-check-v1 */
export const getViolationCheck =
  (awaitCheck: AwaitCheck): OperationHandler =>
  async ({ caller, params: { requestId = '' }, exchange }) => {
    const waitSeconds = parsePreferWait(exchange.header('prefer'));
    const check = await awaitCheck({
      tenant: caller.tenant,
      requestId,
      waitMs: waitSeconds * 1000,
      signal: exchange.signal,
    });
    if (check === null) return fail(failure('NotFound', '', 'There is no such check.'));
    return ok({ json: check, headers: waitSeconds > 0 ? { 'preference-applied': `wait=${waitSeconds}` } : {} });
  };
