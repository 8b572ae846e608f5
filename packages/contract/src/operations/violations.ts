import { type OperationRights, RIGHTS_TO_READ } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX, SUMMARY_DAYS, SUMMARY_DAYS_MAX } from '../limits.ts';
import { numberParameter } from '../query/parameters.ts';
import {
  appliedControl,
  controlApplication,
  reassignment,
  sodViolation,
  sodViolations,
  VIOLATION_FILTERS,
  VIOLATION_SORTERS,
  violationSummary,
} from '../schemas/violations.ts';
import { defineOperation, jsonBody, jsonResponse, ndjsonResponse } from './define-operation.ts';

const group = 'Violations';

const CHANGE: OperationRights = {
  scopes: ['sod-violations:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  resource: 'SOD_VIOLATION',
};

const AS_OF = {
  'X-As-Of':
    'The instant that the violations are of: a scan whose `at` it is finds the same. Left out before the register is filled for the first time.',
};

/** The operations on the register of violations. */
export const VIOLATIONS = {
  list: defineOperation({
    id: 'list-violations-v1',
    method: 'GET',
    path: '/violations/v1',
    group,
    summary: 'Violations of the register, present and ended ones, the newest first',
    description:
      'Lists the violations of enforced policies that the service keeps up to date as data change, and those that have ended. `X-As-Of` is the instant that they are of. Filters on names with `sw` and `co` ignore case. Pages beyond the first are found by the `cursor` in `Link`, at the same speed at any depth.',
    rights: RIGHTS_TO_READ.SOD_VIOLATION,
    list: true,
    filters: VIOLATION_FILTERS,
    sorters: VIOLATION_SORTERS,
    sort: true,
    cursor: true,
    response: { ...jsonResponse(sodViolations), headers: AS_OF },
  }),
  export: defineOperation({
    id: 'export-violations-v1',
    method: 'GET',
    path: '/violations/v1/export',
    group,
    summary: 'All violations of the register that meet the filters, one a line',
    description:
      'Returns all violations that meet the filters, as of one instant (`X-As-Of`), one a line. With `Accept: text/csv` the answer is CSV (RFC 4180, UTF-8) with a header line, in which lists are JSON.',
    rights: RIGHTS_TO_READ.SOD_VIOLATION,
    filters: VIOLATION_FILTERS,
    response: { ...ndjsonResponse(sodViolation), otherMediaTypes: ['text/csv'], headers: AS_OF },
    errors: [400],
  }),
  summary: defineOperation({
    id: 'get-violations-summary-v1',
    method: 'GET',
    path: '/violations/v1/summary',
    group,
    summary: 'Present violations by level and by policy, and their trend by day',
    description:
      'Returns how many violations are open or mitigated, by level and by policy, and how that has changed from day to day. The counts are kept, so the answer takes the same time however many violations there are.',
    rights: RIGHTS_TO_READ.SOD_VIOLATION,
    query: {
      days: numberParameter({
        name: 'days',
        max: SUMMARY_DAYS_MAX,
        fallback: SUMMARY_DAYS,
        description: `The UTC days of the trend, 1 to ${SUMMARY_DAYS_MAX}, today included; ${SUMMARY_DAYS} if left out.`,
      }),
    },
    response: jsonResponse(violationSummary),
    errors: [400],
  }),
  get: defineOperation({
    id: 'get-violation-v1',
    method: 'GET',
    path: '/violations/v1/{id}',
    group,
    summary: 'One violation of the register',
    description:
      'Returns one violation. An identity that owns it needs no capability. The `ETag` is that of the violation without `lastEvaluatedDate`.',
    rights: { ...RIGHTS_TO_READ.SOD_VIOLATION, forOwn: 'SCOPE_ONLY' },
    response: jsonResponse(sodViolation),
    errors: [404],
    etag: true,
    owner: 'VIOLATION',
  }),
  listMine: defineOperation({
    id: 'list-my-violations-v1',
    method: 'GET',
    path: '/my-violations/v1',
    group,
    summary: 'The violations that the identity of the caller owns',
    description:
      'Lists the violations that the identity of the caller owns; it needs no capability. Applications are refused.',
    rights: { ...RIGHTS_TO_READ.SOD_VIOLATION, capabilities: [], identitiesOnly: true },
    list: true,
    filters: VIOLATION_FILTERS,
    sorters: VIOLATION_SORTERS,
    sort: true,
    cursor: true,
    response: { ...jsonResponse(sodViolations), headers: AS_OF },
  }),
  reassign: defineOperation({
    id: 'reassign-violation-v1',
    method: 'POST',
    path: '/violations/v1/{id}/reassign',
    group,
    summary: 'Give a violation another owner',
    description:
      'Gives a present violation another owner, in the words of this service (`reassignTo` with `type` and `id`) or of the SDKs of SailPoint (`assigneeId` and `assigneeType`, in `reassignTo` or beside it). An identity that owns the violation needs no capability; it gets 404 for an unknown identity and after the end of the violation alike. 409 for the identity whose violation it is: nobody is given their own violation.',
    rights: { ...CHANGE, forOwn: 'SCOPE_ONLY' },
    body: jsonBody(reassignment, SMALL_BODY_BYTES_MAX),
    response: { ...jsonResponse(sodViolation), emptyWhen: 'The identity owns the violation already.' },
    errors: [404, 409],
    owner: 'VIOLATION',
  }),
  applyControl: defineOperation({
    id: 'apply-control-v1',
    method: 'POST',
    path: '/violations/v1/{id}/controls',
    group,
    summary: 'Apply a compensating control to a violation, which requests an exception for the time of the control',
    description:
      'Applies a compensating control to a present violation: requests an exception from now for the time of the control, with the comments as its justification, or the name of the control where they are blank. The control may also be given as its id alone. Another identity must approve it; until then the control is `Pending`.',
    rights: { ...CHANGE, identitiesOnly: true },
    body: jsonBody(controlApplication, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(appliedControl, 201),
    errors: [404, 409],
  }),
} as const;
