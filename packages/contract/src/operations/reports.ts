import {
  type OperationRights,
  ok,
  REPORT_QUESTION_BYTES_MAX,
  RIGHTS_TO_READ,
  SOD_REPORT_CHANGES,
  type SodReportQuestion,
  utf8Length,
} from '@access-admin/domain';
import * as v from 'valibot';
import { parseDryRun } from '../bodies/dry-run.ts';
import { DRY_RUN_BODY_BYTES_MAX, SMALL_BODY_BYTES_MAX, SOD_BODY_BYTES_MAX } from '../limits.ts';
import { textParameter, wordParameter } from '../query/parameters.ts';
import {
  blastRadiusRequest,
  dryRunRequest,
  fixPlanRequest,
  fixStep,
  handOver,
  REPORT_VIOLATION_FILTERS,
  reportViolation,
  requestedFix,
  SOD_REPORT_FILTERS,
  scanRequest,
  sodReport,
  sodReports,
  startedReport,
  unsolvableViolation,
} from '../schemas/reports.ts';
import {
  defineOperation,
  jsonBody,
  jsonResponse,
  ndjsonResponse,
  optionalJsonBody,
  type RequestBody,
} from './define-operation.ts';
import { pathId, pathNumber } from './path-parameters.ts';

const group = 'SOD Reports';

const START: OperationRights = {
  scopes: ['sod-violations:read', 'sod-violations:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  resource: 'SOD_REPORT',
};

/** A body with itself as it was sent, which its report keeps; null where that is too long. */
const withQuestion = <T extends object>(
  body: RequestBody<T>,
): RequestBody<T & { readonly question: SodReportQuestion | null }> => ({
  ...body,
  parse: async (text, pause) => {
    const parsed = await body.parse(text, pause);
    if (!parsed.ok) return parsed;
    const isKept = text.length <= REPORT_QUESTION_BYTES_MAX && utf8Length(text) <= REPORT_QUESTION_BYTES_MAX;
    return ok({ ...parsed.value, question: isKept ? JSON.parse(text) : null });
  },
});

const REPORT = { reportId: pathId('The `reportId` that the start of the report has returned.') };
// Any other text is the number of no step, for which the plan is read first.
const stepNumber = v.pipe(
  v.fallback(pathNumber(999_999_999, 'must be the number of a step'), 0),
  v.description('The number of a step. One that the plan does not have is answered with 404.'),
);

/** The operations on reports, which the worker makes. */
export const REPORTS = {
  startScan: defineOperation({
    id: 'start-sod-scan-v1',
    method: 'POST',
    path: '/sod-violations/v1/scan',
    group,
    summary: 'Start a report of all violations',
    description:
      'Starts a report of all violations of the identities of the tenant: at the instant `at` or, without it, at any instant from now on. Read its state with `GET /sod-reports/v1/{reportId}` and its lines with `GET /sod-reports/v1/{reportId}/violations`.',
    rights: START,
    body: withQuestion(optionalJsonBody(scanRequest, SMALL_BODY_BYTES_MAX)),
    response: jsonResponse(startedReport, 202),
  }),
  startBlastRadius: defineOperation({
    id: 'start-sod-blast-radius-v1',
    method: 'POST',
    path: '/sod-violations/v1/blast-radius',
    group,
    summary: 'Start a report of the violations that would be new if a role or an access profile gained access',
    description:
      'Starts a report of the violations that would be new if a role or an access profile gained the given access. It looks at all identities that hold the role or the access profile. Nothing is changed.',
    rights: START,
    body: withQuestion(jsonBody(blastRadiusRequest, SOD_BODY_BYTES_MAX)),
    response: jsonResponse(startedReport, 202),
  }),
  startFixPlan: defineOperation({
    id: 'start-sod-fix-plan-v1',
    method: 'POST',
    path: '/sod-violations/v1/fix-plan',
    group,
    summary: 'Start a plan of the fewest revocations that end violations',
    description:
      'Starts a report of kind `FIX_PLAN`: the fewest revocations of direct assignments after which as many as possible of the present violations are gone that no exception covers, of the given levels, policies and identities or of all. Each entitlement keeps `keepHolders` of its holders, or all where it has fewer, and what `protect` names is taken from nobody. Nothing is changed. Read its steps with `GET /sod-reports/v1/{reportId}/steps`, and what they leave with `GET /sod-reports/v1/{reportId}/unsolvable`.',
    rights: START,
    body: withQuestion(optionalJsonBody(fixPlanRequest, SOD_BODY_BYTES_MAX)),
    response: jsonResponse(startedReport, 202),
  }),
  startDryRun: defineOperation({
    id: 'start-sod-dry-run-v1',
    method: 'POST',
    path: '/sod-policies/v1/dry-run',
    group,
    summary: 'Start a report of the effects of changes of SOD policies, without making the changes',
    description:
      'Starts a report of what a change of the rulebook would do: the violations that would be new, stay the same and be gone if policies were added, changed or removed. Nothing is changed.',
    rights: { ...START, scopes: ['sod-policies:read', 'sod-policies:manage'] },
    body: withQuestion({ ...optionalJsonBody(dryRunRequest, DRY_RUN_BODY_BYTES_MAX), parse: parseDryRun }),
    response: jsonResponse(startedReport, 202),
    errors: [409],
    keepsBody: true,
  }),
  list: defineOperation({
    id: 'list-sod-reports-v1',
    method: 'GET',
    path: '/sod-reports/v1',
    group,
    summary: 'List of reports, the newest first, without the counts of each policy',
    description: 'Lists the reports of the tenant, the newest first, with their state and totals.',
    rights: RIGHTS_TO_READ.SOD_REPORT,
    list: true,
    filters: SOD_REPORT_FILTERS,
    response: jsonResponse(sodReports),
  }),
  get: defineOperation({
    id: 'get-sod-report-v1',
    method: 'GET',
    path: '/sod-reports/v1/{reportId}',
    params: REPORT,
    group,
    summary: 'State and summary of a report',
    description:
      'Returns the state of a report, who asked for it and what, its progress from 0 to 1 and, once it is done, the number of violations in all and for each policy.',
    rights: RIGHTS_TO_READ.SOD_REPORT,
    response: jsonResponse(sodReport),
    errors: [404],
  }),
  violations: defineOperation({
    id: 'list-sod-report-violations-v1',
    method: 'GET',
    path: '/sod-reports/v1/{reportId}/violations',
    params: REPORT,
    group,
    summary: 'The violations of a report that is done, by policy id and identity id, one a line',
    description:
      'Returns the violations of a report that is done, one a line (NDJSON), sorted by policy id and identity id. Before that the answer is 409.',
    rights: RIGHTS_TO_READ.SOD_REPORT,
    list: true,
    filters: REPORT_VIOLATION_FILTERS,
    query: {
      change: wordParameter('change', SOD_REPORT_CHANGES, 'Only violations with this change.'),
      policyId: textParameter('policyId', 'Only violations of this policy.'),
    },
    response: ndjsonResponse(reportViolation),
    errors: [404, 409],
  }),
  steps: defineOperation({
    id: 'list-sod-fix-steps-v1',
    method: 'GET',
    path: '/sod-reports/v1/{reportId}/steps',
    params: REPORT,
    group,
    summary: 'The steps of a fix plan that is done, one a line',
    description:
      'Returns all steps of a fix plan that is done, one a line (NDJSON), by identity id, then by the id of what is revoked. Before that the answer is 409; reports of other kinds have no steps (404).',
    rights: RIGHTS_TO_READ.SOD_REPORT,
    response: ndjsonResponse(fixStep),
    errors: [404, 409],
  }),
  handOver: defineOperation({
    id: 'hand-over-sod-fix-step-v1',
    method: 'POST',
    path: '/sod-reports/v1/{reportId}/steps/{step}/hand-over',
    params: { ...REPORT, step: stepNumber },
    group,
    summary: 'Hand a step of a fix plan over to another system',
    description:
      'Tells whoever reads events or webhooks, by `sod.fix.requested`, to carry out a step of a fix plan. It changes no access: the violations end when the source has revoked the assignment.',
    rights: { ...START, scopes: ['sod-violations:manage'] },
    body: optionalJsonBody(handOver, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(requestedFix),
    errors: [404, 409],
  }),
  unsolvable: defineOperation({
    id: 'list-sod-unsolvable-violations-v1',
    method: 'GET',
    path: '/sod-reports/v1/{reportId}/unsolvable',
    params: REPORT,
    group,
    summary: 'The violations that a fix plan leaves, one a line, each with the reason',
    description:
      'Returns all violations that no permitted revocation ends, one a line (NDJSON), by policy id, then by identity id, each with its reason: a role or an access profile that stays violates the policy by itself, an entitlement would have too few holders, or all that could be taken is protected.',
    rights: RIGHTS_TO_READ.SOD_REPORT,
    response: ndjsonResponse(unsolvableViolation),
    errors: [404, 409],
  }),
} as const;
