import { SOD_REPORT_CHANGES } from '@access-admin/domain';
import { parseDryRun } from '../../bodies/dry-run.ts';
import { DRY_RUN_BODY_BYTES_MAX, SMALL_BODY_BYTES_MAX, SOD_BODY_BYTES_MAX } from '../../limits.ts';
import {
  blastRadiusRequest,
  dryRunRequest,
  REPORT_VIOLATION_FILTERS,
  reportViolation,
  SOD_REPORT_FILTERS,
  scanRequest,
  sodReport,
  sodReports,
  startedReport,
} from '../../schemas/sod-reports.ts';
import { defaults, jsonBody, jsonResponse, ndjsonResponse, type Operation, optionalJsonBody } from '../definition.ts';

const group = 'SOD Reports';

/** The operations on reports, which the worker makes. */
export const SOD_REPORT_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'start-sod-scan-v1',
    method: 'POST',
    path: '/sod-violations/v1/scan',
    group,
    summary: 'Start a report of all violations',
    body: optionalJsonBody(scanRequest, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(startedReport, 202),
  },
  {
    ...defaults,
    id: 'start-sod-blast-radius-v1',
    method: 'POST',
    path: '/sod-violations/v1/blast-radius',
    group,
    summary: 'Start a report of the violations that would be new if a role or an access profile gained access',
    body: jsonBody(blastRadiusRequest, SOD_BODY_BYTES_MAX),
    response: jsonResponse(startedReport, 202),
  },
  {
    ...defaults,
    id: 'start-sod-dry-run-v1',
    method: 'POST',
    path: '/sod-policies/v1/dry-run',
    group,
    summary: 'Start a report of the effects of changes of SOD policies, without making the changes',
    body: {
      mediaType: 'application/json',
      bytesMax: DRY_RUN_BODY_BYTES_MAX,
      schema: dryRunRequest,
      isOptional: true,
      parse: parseDryRun,
    },
    response: jsonResponse(startedReport, 202),
    errorStatuses: [409],
  },
  {
    ...defaults,
    id: 'list-sod-reports-v1',
    method: 'GET',
    path: '/sod-reports/v1',
    group,
    summary: 'List of reports, the newest first, without the counts of each policy',
    response: jsonResponse(sodReports),
    list: true,
    filters: SOD_REPORT_FILTERS,
  },
  {
    ...defaults,
    id: 'get-sod-report-v1',
    method: 'GET',
    path: '/sod-reports/v1/{reportId}',
    group,
    summary: 'State and summary of a report',
    response: jsonResponse(sodReport),
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'list-sod-report-violations-v1',
    method: 'GET',
    path: '/sod-reports/v1/{reportId}/violations',
    group,
    summary: 'The violations of a report that is done, by policy id and identity id, one a line',
    response: ndjsonResponse(reportViolation),
    list: true,
    filters: REPORT_VIOLATION_FILTERS,
    query: [
      { name: 'change', description: 'Only violations with this change.', values: SOD_REPORT_CHANGES },
      { name: 'policyId', description: 'Only violations of this policy.' },
    ],
    errorStatuses: [404, 409],
  },
];
