import {
  ACCESS_TYPES,
  BLAST_RADIUS_KINDS,
  DRY_RUN_POLICIES_MAX,
  type FixStep,
  KEEP_HOLDERS_DEFAULT,
  KEEP_HOLDERS_MAX,
  type ListedSodReport,
  type RequestedFix,
  SOD_POLICY_LEVELS,
  SOD_REPORT_CHANGES,
  SOD_REPORT_KINDS,
  SOD_REPORT_STATES,
  type SodReport,
  type SodReportViolation,
  UNSOLVABLE_REASONS,
  type UnsolvableViolation,
} from '@access-admin/domain';
import * as v from 'valibot';
import { DECISION_COMMENT_LENGTH_MAX, FIX_PLAN_IDS_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import { describedAs } from '../validation/chosen.ts';
import {
  closedObject,
  listOfAtMost,
  optionalInstant,
  optionalText,
  recordId,
  reference,
  timestamp,
  wholeNumber,
  within,
} from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { failsWith } from '../validation/validate.ts';
import { sodPolicyFields } from './policies.ts';
import { addedRefs, conflict, coveringException } from './predictions.ts';

/** The fields that `filters` of the list of reports can compare. */
export const SOD_REPORT_FILTERS = {
  kind: { operators: ['eq', 'in'], kind: 'text', values: SOD_REPORT_KINDS },
  state: { operators: ['eq', 'in'], kind: 'text', values: SOD_REPORT_STATES },
} as const satisfies FilterFields;

/** The fields that `filters` of the violations of a report can compare. */
export const REPORT_VIOLATION_FILTERS = {
  identityId: { operators: ['eq', 'in'], kind: 'text' },
  policyId: { operators: ['eq', 'in'], kind: 'text' },
  level: { operators: ['eq', 'in'], kind: 'text', values: SOD_POLICY_LEVELS },
  excepted: { operators: ['eq'], kind: 'text', values: ['true', 'false'] },
} as const satisfies FilterFields;

/** Request of a scan, optionally limited to one instant. */
export const scanRequest = closedObject({ at: optionalInstant });

/** Request of a blast radius. The domain validates whether the role or access profile can gain the items. */
export const blastRadiusRequest = requestSchema(
  'BlastRadiusRequest',
  closedObject({
    kind: v.picklist(BLAST_RADIUS_KINDS),
    id: v.pipe(v.string(), v.nonEmpty(failsWith('RequiredMissing', 'must not be empty'))),
    add: addedRefs,
  }),
);

/** Values that a fix plan names; null where it names none. */
const namedOf = <S extends v.GenericSchema>(item: S, what: string) =>
  v.optional(
    v.nullable(
      v.pipe(listOfAtMost(item, FIX_PLAN_IDS_MAX, what), v.nonEmpty(failsWith('RequiredMissing', 'must not be empty'))),
    ),
    null,
  );

/** Request of a fix plan. The domain validates that what it names exists. */
export const fixPlanRequest = requestSchema(
  'FixPlanRequest',
  closedObject({
    levels: namedOf(v.picklist(SOD_POLICY_LEVELS), 'levels'),
    policyIds: namedOf(reference, 'policies'),
    identityIds: namedOf(reference, 'identities'),
    keepHolders: v.optional(within(0, KEEP_HOLDERS_MAX), KEEP_HOLDERS_DEFAULT),
    protect: v.optional(addedRefs, []),
  }),
);

/** The lists in the request of a dry-run, with the schema of their items. */
export const DRY_RUN_ITEMS = { add: sodPolicyFields, change: sodPolicyFields, remove: recordId } as const;

const listOf = <S extends v.GenericSchema>(item: S) =>
  v.optional(listOfAtMost(item, DRY_RUN_POLICIES_MAX, 'policies'), []);

/** Request of a dry-run as the OpenAPI document describes it. `parseDryRun` parses it item by item. */
export const dryRunRequest = requestSchema(
  'DryRunRequest',
  closedObject({
    add: listOf(DRY_RUN_ITEMS.add),
    change: listOf(DRY_RUN_ITEMS.change),
    remove: listOf(DRY_RUN_ITEMS.remove),
  }),
);

/** A report that is durably accepted. */
export type StartedSodReport = Pick<SodReport, 'reportId' | 'created'>;

/** Response of the operations that start a report. */
export const startedReport = responseSchema<StartedSodReport>('StartedSodReport')(
  closedObject({ reportId: v.string(), created: timestamp }),
);

const counts = { new: wholeNumber, same: wholeNumber, gone: wholeNumber, excepted: wholeNumber };
const level = v.picklist(SOD_POLICY_LEVELS);

const report = {
  reportId: v.string(),
  kind: v.picklist(SOD_REPORT_KINDS),
  state: v.picklist(SOD_REPORT_STATES),
  progress: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  created: timestamp,
  requestedBy: closedObject({
    clientId: v.string(),
    identityId: v.nullable(v.string()),
    displayName: v.nullable(v.string()),
  }),
  question: v.pipe(
    v.nullable(v.record(v.string(), v.unknown())),
    v.metadata({ description: 'The request as it was sent; null where it has more than 16 KiB.' }),
  ),
  completed: v.nullable(timestamp),
  // Null until the worker has read the data.
  policySetVersion: v.nullable(wholeNumber),
  asOf: v.nullable(timestamp),
  // Only of a scan that was given it.
  at: v.exactOptional(timestamp),
  // Only in state ERROR.
  message: v.exactOptional(v.string()),
};
const totals = { identities: wholeNumber, ...counts };
const byPolicy = v.array(closedObject({ policyId: v.string(), name: v.string(), level, ...counts }));

const fixPlanTotals = {
  violations: wholeNumber,
  ended: wholeNumber,
  unsolvable: wholeNumber,
  revocations: wholeNumber,
  identities: wholeNumber,
  lowerBound: wholeNumber,
  optimal: v.boolean(),
};
const fixPlanSummary = closedObject(fixPlanTotals);

/** One form with every property: generators fail on a union of forms and null. */
const describedSummary = (ofScan: v.ObjectEntries) =>
  v.nullable(
    closedObject({ ...v.partial(v.strictObject({ ...ofScan, ...fixPlanTotals })).entries, identities: wholeNumber }),
  );

const summary = describedAs(
  describedSummary({ ...totals, byPolicy }),
  v.union([closedObject({ ...totals, byPolicy }), fixPlanSummary, v.null()]),
);
const listedSummary = describedAs(describedSummary(totals), v.union([closedObject(totals), fixPlanSummary, v.null()]));

/** Response of the read of a report. */
export const sodReport = responseSchema<SodReport>('SodReport')(closedObject({ ...report, summary }));

/** Response of the list of reports. */
export const sodReports = responseSchema<readonly ListedSodReport[]>()(
  v.array(closedObject({ ...report, summary: listedSummary })),
);

/** One line of the violations of a report. */
export const reportViolation = responseSchema<SodReportViolation>('SodReportViolation')(
  closedObject({
    change: v.picklist(SOD_REPORT_CHANGES),
    identityId: v.string(),
    displayName: v.nullable(v.string()),
    policyId: v.string(),
    policyName: v.string(),
    level,
    conflictingAccessCriteria: conflict,
    exception: v.nullable(coveringException),
  }),
);

const violatedPolicy = { policyId: v.string(), policyName: v.string(), level };

/** Request of a hand-over. */
export const handOver = closedObject({ comment: optionalText(DECISION_COMMENT_LENGTH_MAX) });

const step = {
  step: wholeNumber,
  identityId: v.string(),
  displayName: v.nullable(v.string()),
  revoke: closedObject({
    type: v.picklist(ACCESS_TYPES),
    id: v.string(),
    name: v.string(),
    // Left out where the identity's own record alone grants it.
    sources: v.exactOptional(v.array(v.string())),
  }),
  ends: v.array(closedObject(violatedPolicy)),
  alsoLoses: v.array(closedObject({ type: v.literal('ENTITLEMENT'), id: v.string(), name: v.string() })),
};

/** One step of a fix plan. */
export const fixStep = responseSchema<FixStep>('FixStep')(
  closedObject({ ...step, handedOver: v.exactOptional(timestamp) }),
);

/** The data of the event of a hand-over, and its response. */
export const requestedFix = responseSchema<RequestedFix>('RequestedFix')(
  closedObject({ reportId: v.string(), comment: v.nullable(v.string()), ...step }),
);

/** A violation that a fix plan leaves. */
export const unsolvableViolation = responseSchema<UnsolvableViolation>('UnsolvableViolation')(
  closedObject({
    identityId: v.string(),
    displayName: v.nullable(v.string()),
    ...violatedPolicy,
    conflictingAccessCriteria: conflict,
    reason: v.picklist(UNSOLVABLE_REASONS),
  }),
);
