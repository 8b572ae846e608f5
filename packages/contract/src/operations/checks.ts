import { RIGHTS_TO_READ, SOD_INCLUDES } from '@access-admin/domain';
import { SOD_BODY_BYTES_MAX } from '../limits.ts';
import { listedSodChecks, SOD_CHECK_FILTERS, sodCheck, sodReceiptText, sodViolationCheck } from '../schemas/checks.ts';
import { identityWithNewAccess } from '../schemas/predictions.ts';
import { defineOperation, joseResponse, jsonBody, jsonResponse } from './define-operation.ts';
import { pathId } from './path-parameters.ts';

const group = 'SOD Violations';

const CHECK = { requestId: pathId('The `requestId` that the start of the check has returned.') };

/** The operations on checks, which a worker makes. */
export const CHECKS = {
  start: defineOperation({
    id: 'start-violation-check-v1',
    method: 'POST',
    path: '/sod-violations/v1/check',
    group,
    summary: 'Start an asynchronous verification for an identity with new access',
    description:
      'Starts the same evaluation as predict and stores its result. Use it where the result must be kept or may take longer. The answer comes once the check is stored; a worker then makes exactly one result, which `GET /sod-violations/v1/check/{requestId}` returns.',
    rights: RIGHTS_TO_READ.SOD_CHECK,
    includes: SOD_INCLUDES,
    body: jsonBody(identityWithNewAccess, SOD_BODY_BYTES_MAX),
    response: jsonResponse(sodViolationCheck, 202),
    errors: [404],
    idempotencyKey: true,
  }),
  list: defineOperation({
    id: 'list-violation-checks-v1',
    method: 'GET',
    path: '/sod-violations/v1/checks',
    group,
    summary: 'List of verifications, the newest first',
    description:
      'Lists the checks of the tenant, the newest first, without their results: `GET /sod-violations/v1/check/{requestId}` returns one with its result. `state in ("PENDING", "ERROR")` finds those without a verdict, `identityId eq "i-1"` those of an identity. Follow `Link` for the next page.',
    rights: RIGHTS_TO_READ.SOD_CHECK,
    list: true,
    filters: SOD_CHECK_FILTERS,
    cursor: true,
    response: jsonResponse(listedSodChecks),
  }),
  get: defineOperation({
    id: 'get-violation-check-v1',
    method: 'GET',
    path: '/sod-violations/v1/check/{requestId}',
    params: CHECK,
    group,
    summary: 'State and result of a verification; `Prefer: wait=N` holds the answer until it is done',
    description:
      'Returns the state of a check and, once it is done, its result. With `Prefer: wait=N` the answer is held until the result exists. `PENDING` becomes `SUCCESS` or `ERROR` and does not change afterwards.',
    rights: RIGHTS_TO_READ.SOD_CHECK,
    response: jsonResponse(sodCheck),
    errors: [404],
    waits: true,
  }),
  receipt: defineOperation({
    id: 'get-violation-check-receipt-v1',
    method: 'GET',
    path: '/sod-violations/v1/check/{requestId}/receipt',
    params: CHECK,
    group,
    summary: 'Signed receipt of a verification, which anyone with the public keys can verify offline',
    description:
      'Returns a signed statement of what a check was asked and what came of it: hashes of the request and of the result, the version of the rulebook, the instant of the data and the violated policies. `sod-receipt-verify` verifies it without the service. A check that is pending, or that ended in `ERROR` and so has no verdict, has no receipt: the answer is 409.',
    rights: RIGHTS_TO_READ.SOD_CHECK,
    response: joseResponse(sodReceiptText),
    errors: [404, 409],
  }),
} as const;
