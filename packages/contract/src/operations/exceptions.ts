import { type OperationRights, RIGHTS_TO_READ } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import {
  exceptionTransition,
  newSodException,
  SOD_EXCEPTION_FILTERS,
  sodException,
  sodExceptions,
} from '../schemas/exceptions.ts';
import { defineOperation, jsonBody, jsonResponse, optionalJsonBody } from './define-operation.ts';

const group = 'SOD Exceptions';

const CHANGE: OperationRights = {
  scopes: ['sod-exceptions:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  resource: 'SOD_EXCEPTION',
  identitiesOnly: true,
};

/** The operations on exceptions from SOD policies. */
export const EXCEPTIONS = {
  list: defineOperation({
    id: 'list-sod-exceptions-v1',
    method: 'GET',
    path: '/sod-exceptions/v1',
    group,
    summary: 'List of exceptions from SOD policies',
    description:
      'Lists the exceptions of the tenant, requested, approved and ended ones. `state eq "APPROVED" and end le "2027-01-01T00:00:00Z"` finds those that end soon.',
    rights: RIGHTS_TO_READ.SOD_EXCEPTION,
    list: true,
    filters: SOD_EXCEPTION_FILTERS,
    response: jsonResponse(sodExceptions),
  }),
  create: defineOperation({
    id: 'create-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1',
    group,
    summary: 'Request an exception, by which an identity may violate an SOD policy for a limited time',
    description:
      'Requests that an identity may violate a policy for a limited time. It has no effect until another identity approves it. The caller acts as an identity, and not as the one that the exception is for.',
    rights: CHANGE,
    body: jsonBody(newSodException, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodException, 201),
    errors: [409],
  }),
  get: defineOperation({
    id: 'get-sod-exception-v1',
    method: 'GET',
    path: '/sod-exceptions/v1/{id}',
    group,
    summary: 'One exception',
    description:
      'Returns one exception with its state, those who requested, approved and revoked it, and its `terms`. They are part of its `ETag`, with which it is approved.',
    rights: RIGHTS_TO_READ.SOD_EXCEPTION,
    response: jsonResponse(sodException),
    errors: [404],
    etag: true,
  }),
  approve: defineOperation({
    id: 'approve-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1/{id}/approve',
    group,
    summary: 'Approve an exception that another identity has requested',
    description:
      'Approves an exception. The approver is neither the requester nor the identity that the exception is for, and no two of the three are tied (403): for 24 hours an identity is tied to whoever made a client or a sign-in link that was used for it, replaced the secret of such a client, removed its credentials, created it, changed its `uid`, its identity profile, or the type or application of its auth profile, or gave it `ORG_ADMIN` or `POLICY_ADMIN`. The approval is of the `terms`: where they have changed since the request, `If-Match` has to name the version that was seen, which is 428 without (and with `*`), and 412 with an old one. It is bound to the name, level and criteria of the policy and to the conflicting items: when the policy changes in these, or an item joins the conflict, the exception becomes `VOID`. Predictions, checks and reports then show the violation with this exception.',
    rights: CHANGE,
    body: optionalJsonBody(exceptionTransition, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodException),
    errors: [404, 409, 412, 428],
    etag: true,
  }),
  revoke: defineOperation({
    id: 'revoke-sod-exception-v1',
    method: 'POST',
    path: '/sod-exceptions/v1/{id}/revoke',
    group,
    summary: 'Take back an exception, or a request for one',
    description: 'Takes back an exception, or refuses a request for one, at once and for good.',
    rights: CHANGE,
    body: optionalJsonBody(exceptionTransition, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodException),
    errors: [404, 409, 412],
    etag: true,
  }),
} as const;
