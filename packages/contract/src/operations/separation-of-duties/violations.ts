import { SMALL_BODY_BYTES_MAX, SUMMARY_DAYS, SUMMARY_DAYS_MAX } from '../../limits.ts';
import { controlApplication, reassignment } from '../../schemas/violation-changes.ts';
import {
  appliedControl,
  sodViolation,
  sodViolations,
  VIOLATION_FILTERS,
  VIOLATION_SORTERS,
  violationSummary,
} from '../../schemas/violations.ts';
import {
  CURSOR,
  defaults,
  jsonBody,
  jsonResponse,
  ndjsonResponse,
  type Operation,
  type QueryParameter,
} from '../definition.ts';

const group = 'Violations';

const SORT: QueryParameter = { name: 'sort', description: 'Another name of `sorters`.' };

const list = {
  ...defaults,
  method: 'GET',
  group,
  response: jsonResponse(sodViolations),
  list: true,
  filters: VIOLATION_FILTERS,
  sorters: VIOLATION_SORTERS,
  query: [SORT, CURSOR],
} as const;

/** The operations on the register of violations. */
export const VIOLATION_OPERATIONS: readonly Operation[] = [
  {
    ...list,
    id: 'list-violations-v1',
    path: '/violations/v1',
    summary: 'Violations of the register, present and ended ones, the newest first',
  },
  {
    ...defaults,
    id: 'export-violations-v1',
    method: 'GET',
    path: '/violations/v1/export',
    group,
    summary: 'All violations of the register that meet the filters, one a line',
    response: ndjsonResponse(sodViolation),
    otherMediaTypes: ['text/csv'],
    filters: VIOLATION_FILTERS,
    errorStatuses: [400],
  },
  {
    ...defaults,
    id: 'get-violations-summary-v1',
    method: 'GET',
    path: '/violations/v1/summary',
    group,
    summary: 'Present violations by level and by policy, and their trend by day',
    response: jsonResponse(violationSummary),
    query: [
      {
        name: 'days',
        description: `The UTC days of the trend, 1 to ${SUMMARY_DAYS_MAX}, today included; ${SUMMARY_DAYS} if left out.`,
      },
    ],
    errorStatuses: [400],
  },
  {
    ...defaults,
    id: 'get-violation-v1',
    method: 'GET',
    path: '/violations/v1/{id}',
    group,
    summary: 'One violation of the register',
    response: jsonResponse(sodViolation),
    etag: true,
    errorStatuses: [404],
  },
  {
    ...list,
    id: 'list-my-violations-v1',
    path: '/my-violations/v1',
    summary: 'The violations that the identity of the caller owns',
  },
  {
    ...defaults,
    id: 'reassign-violation-v1',
    method: 'POST',
    path: '/violations/v1/{id}/reassign',
    group,
    summary: 'Give a violation another owner',
    body: jsonBody(reassignment, SMALL_BODY_BYTES_MAX),
    response: { ...jsonResponse(sodViolation), emptyWhen: 'The identity owns the violation already.' },
    errorStatuses: [404, 409],
  },
  {
    ...defaults,
    id: 'apply-control-v1',
    method: 'POST',
    path: '/violations/v1/{id}/controls',
    group,
    summary: 'Apply a compensating control to a violation, which requests an exception for the time of the control',
    body: jsonBody(controlApplication, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(appliedControl, 201),
    errorStatuses: [404, 409],
  },
];
