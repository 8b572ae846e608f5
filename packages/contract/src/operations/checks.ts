import { RIGHTS_TO_READ, SOD_INCLUDES } from '@access-admin/domain';
import { SOD_BODY_BYTES_MAX } from '../limits.ts';
import { listedSodChecks, SOD_CHECK_FILTERS, sodCheck, sodReceiptText, sodViolationCheck } from '../schemas/checks.ts';
import { identityWithNewAccess } from '../schemas/predictions.ts';
import { defineOperation, joseResponse, jsonBody, jsonResponse } from './define-operation.ts';
import { CAUSED_CONTEXT } from './predictions.ts';

const group = 'SOD Violations';

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
    example: {
      request: {
        identityId: 'i-0001',
        accessRefs: [
          {
            type: 'ENTITLEMENT',
            id: 'erp-vendor-create',
          },
        ],
        clientMetadata: {
          ticket: 'REQ-7',
        },
      },
      response: {
        requestId: '8ce23094-77e0-4ba6-8edf-d6f6c8ae6737',
        created: '2026-11-22T17:02:58.485Z',
      },
    },
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
    example: {
      query: { filters: 'identityId eq "i-0001"', limit: 1 },
      response: [
        {
          requestId: '8ce23094-77e0-4ba6-8edf-d6f6c8ae6737',
          created: '2026-11-22T17:02:58.485Z',
          identityId: 'i-0001',
          state: 'SUCCESS',
          completed: '2026-11-22T17:02:58.577Z',
        },
      ],
    },
  }),
  get: defineOperation({
    id: 'get-violation-check-v1',
    method: 'GET',
    path: '/sod-violations/v1/check/{requestId}',
    group,
    summary: 'State and result of a verification; `Prefer: wait=N` holds the answer until it is done',
    description:
      'Returns the state of a check and, once it is done, its result. With `Prefer: wait=N` the answer is held until the result exists. `PENDING` becomes `SUCCESS` or `ERROR` and does not change afterwards.',
    rights: RIGHTS_TO_READ.SOD_CHECK,
    response: jsonResponse(sodCheck),
    errors: [404],
    waits: true,
    example: {
      response: {
        requestId: '8ce23094-77e0-4ba6-8edf-d6f6c8ae6737',
        created: '2026-11-22T17:02:58.485Z',
        state: 'SUCCESS',
        completed: '2026-11-22T17:02:58.577Z',
        violationCheckResult: {
          message: null,
          clientMetadata: {
            ticket: 'REQ-7',
          },
          violationContexts: [CAUSED_CONTEXT],
          violatedPolicies: [
            {
              type: 'SOD_POLICY',
              id: 'sod-p2p-01',
              name: 'Vendor master and payment release',
            },
          ],
          violationCount: 1,
          omitted: 0,
          policySetVersion: 1,
          asOf: '2026-11-22T17:02:58.576Z',
        },
      },
    },
  }),
  receipt: defineOperation({
    id: 'get-violation-check-receipt-v1',
    method: 'GET',
    path: '/sod-violations/v1/check/{requestId}/receipt',
    group,
    summary: 'Signed receipt of a verification, which anyone with the public keys can verify offline',
    description:
      'Returns a signed statement of what a check was asked and what came of it: hashes of the request and of the result, the version of the rulebook, the instant of the data and the violated policies. `sod-receipt-verify` verifies it without the service. A check that is pending, or that ended in `ERROR` and so has no verdict, has no receipt: the answer is 409.',
    rights: RIGHTS_TO_READ.SOD_CHECK,
    response: joseResponse(sodReceiptText),
    errors: [404, 409],
    example: {
      response:
        'eyJhbGciOiJFUzI1NiIsInR5cCI6InNvZC1yZWNlaXB0K2pzb24iLCJraWQiOiJGdkd0bHVDM0hXeUJweE5YcHNoN19lUXhTcHpTdHd2TUxrM3l3QVNrT0ljIn0.eyJhc09mIjoiMjAyNi0xMS0yMlQxNzowMjo1OC41NzZaIiwiaWRlbnRpdHlJZCI6ImktMDAwMSIsInBvbGljeVNldFZlcnNpb24iOjEsInJlcXVlc3RJZCI6IjhjZTIzMDk0LTc3ZTAtNGJhNi04ZWRmLWQ2ZjZjOGFlNjczNyIsInJlcXVlc3RTaGEyNTYiOiIyMDQ5YTkwYTYxOTg3NTVhNWI3Y2JlNGFkNTAwNTNhOGQ0MTZlM2VkNjI0MDNjYmE2YjYzN2Y4MTY3NDFkMThkIiwicmVzdWx0U2hhMjU2IjoiNGQ1ZThiMWZhZjkzZDExNjc2N2I1MmFmM2ZlMzgzYjExMDc4YjM4OTQ4Y2I3NjIxNTBmN2Q3OWYzOGY5Yzk4NCIsInRlbmFudCI6ImRlZmF1bHQiLCJ2aW9sYXRlZFBvbGljaWVzIjpbInNvZC1wMnAtMDEiXX0.iVtMOcAEoguA-7O8U7LqTJVmSFK5fmObZc02PkkuB3Ss7Q7LvKovaSVXn4aIxZH_-XLnHfsBwYYqoMCwtP3DKA',
    },
  }),
} as const;
