import { CHECK_BACKLOG_MAX } from '@access-admin/contract';
import { fail, failure, ok, validateAccessRefs, validateInstants } from '@access-admin/domain';
import type { CheckQueue, SodReader } from '@access-admin/store';
import { requestClosed } from '../../http/connection.ts';
import { requestOrigin } from '../../http/request-origin.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import { backlogFull } from '../answers/backlog-full.ts';
import type { AnswerCheck } from './answer.ts';
import { checkIdOf, parseIdempotencyKey } from './idempotency-key.ts';
import { parsePreferWait } from './prefer.ts';
import type { AwaitCheck } from './wait.ts';

export interface StartCheckDeps {
  readonly reader: SodReader;
  readonly checks: CheckQueue;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** start-violation-check-v1: 202 once the check is durably stored; requests with one key get the check of the first. */
export const startViolationCheck =
  ({ reader, checks, now, newId }: StartCheckDeps): OperationHandler<'start-violation-check-v1'> =>
  async ({ caller, query, body: request, c }) => {
    const includes = query.include;
    const key = parseIdempotencyKey(c.req.header('idempotency-key'));
    if (!key.ok) return key;
    const { tenant } = caller;
    const { index, held, timed } = await reader.read(tenant, request.identityId);
    const created = now();
    const refs = validateAccessRefs(index, held, request.accessRefs);
    const valid = refs.ok ? validateInstants(timed, { ...request, nowMs: created.getTime() }, includes) : refs;
    const requestId = key.value === null ? newId() : checkIdOf(key.value, caller, { ...request, includes });
    const check = { tenant, requestId, created: created.toISOString(), ...request, includes, origin: requestOrigin(c) };
    const outcome = valid.ok ? await checks.enqueue(check, CHECK_BACKLOG_MAX) : null;
    // An earlier request with the key may have stored it, even if its access items no longer exist.
    const stored = key.value === null ? null : await checks.find(tenant, requestId);
    if (!valid.ok && stored === null) return valid;
    if (outcome === 'backlogFull' && stored === null)
      return backlogFull(`The tenant has ${CHECK_BACKLOG_MAX} pending checks: wait for some of them.`);
    return ok({
      json: { requestId, created: (stored ?? check).created },
      headers: { location: `/sod-violations/v1/check/${requestId}` },
    });
  };

/** The refusal of a check that the tenant does not have. */
export const NO_CHECK = failure('NotFound', '', 'There is no such check.');

/** get-violation-check-v1 */
export const getViolationCheck =
  (awaitCheck: AwaitCheck, answerCheck: AnswerCheck): OperationHandler<'get-violation-check-v1'> =>
  async ({ caller, params: { requestId }, c }) => {
    const waitSeconds = parsePreferWait(c.req.header('prefer'));
    const check = await awaitCheck({
      tenant: caller.tenant,
      requestId,
      waitMs: waitSeconds * 1000,
      signal: requestClosed(c),
    });
    if (check === null) return fail(NO_CHECK);
    const answered = await answerCheck({ tenant: caller.tenant, check, hasBody: c.req.method !== 'HEAD' });
    if (!answered.ok) return answered;
    const text = answered.value;
    const headers: Record<string, string> = waitSeconds > 0 ? { 'preference-applied': `wait=${waitSeconds}` } : {};
    return ok(text === null ? { headers, stream: null } : { headers, text });
  };
