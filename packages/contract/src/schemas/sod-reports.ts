import {
  BLAST_RADIUS_KINDS,
  DRY_RUN_POLICIES_MAX,
  SOD_POLICY_LEVELS,
  SOD_REPORT_CHANGES,
  SOD_REPORT_KINDS,
  SOD_REPORT_STATES,
  type SodReport,
  type SodReportViolation,
} from '@access-admin/domain';
import * as v from 'valibot';
import { addedRefs } from '../new-access/schema.ts';
import { closedObject, recordId } from '../validation/fields.ts';
import { responseSchema } from '../validation/response-schema.ts';
import { issueText } from '../validation/validate.ts';
import { sodPolicyFields } from './sod-policies.ts';
import { conflict } from './sod-violations.ts';

/** Request of a scan: an empty object. */
export const scanRequest = closedObject({});

/** Request of a blast radius. The domain validates whether the role or access profile can gain the items. */
export const blastRadiusRequest = closedObject({
  kind: v.picklist(BLAST_RADIUS_KINDS),
  id: v.pipe(v.string(), v.nonEmpty(issueText('RequiredMissing', 'must not be empty'))),
  add: addedRefs,
});

/** The lists in the request of a dry-run, with the schema of their items. */
export const DRY_RUN_ITEMS = { add: sodPolicyFields, change: sodPolicyFields, remove: recordId } as const;

const listOf = <S extends v.GenericSchema>(item: S) =>
  v.optional(
    v.pipe(
      v.array(item),
      v.maxLength(
        DRY_RUN_POLICIES_MAX,
        issueText('LimitExceeded', `must have at most ${DRY_RUN_POLICIES_MAX} policies`),
      ),
    ),
    [],
  );

/** Request of a dry-run as the OpenAPI document describes it. `parseDryRun` parses it item by item. */
export const dryRunRequest = closedObject({
  add: listOf(DRY_RUN_ITEMS.add),
  change: listOf(DRY_RUN_ITEMS.change),
  remove: listOf(DRY_RUN_ITEMS.remove),
});

/** A report that is durably accepted. */
export type StartedSodReport = Pick<SodReport, 'reportId' | 'created'>;

const timestamp = v.pipe(v.string(), v.isoTimestamp());

/** Response of the operations that start a report. */
export const startedReport = responseSchema<StartedSodReport>()(
  closedObject({ reportId: v.string(), created: timestamp }),
);

const counts = { new: v.number(), same: v.number(), gone: v.number() };
const level = v.picklist(SOD_POLICY_LEVELS);

/** Response of the read of a report. */
export const sodReport = responseSchema<SodReport>()(
  closedObject({
    reportId: v.string(),
    kind: v.picklist(SOD_REPORT_KINDS),
    state: v.picklist(SOD_REPORT_STATES),
    progress: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    created: timestamp,
    completed: v.nullable(timestamp),
    // Null until the worker has read the data.
    policySetVersion: v.nullable(v.number()),
    asOf: v.nullable(timestamp),
    summary: v.nullable(
      closedObject({
        identities: v.number(),
        ...counts,
        byPolicy: v.array(closedObject({ policyId: v.string(), name: v.string(), level, ...counts })),
      }),
    ),
    // Only in state ERROR.
    message: v.exactOptional(v.string()),
  }),
);

/** One line of the violations of a report. */
export const reportViolation = responseSchema<SodReportViolation>()(
  closedObject({
    change: v.picklist(SOD_REPORT_CHANGES),
    identityId: v.string(),
    displayName: v.nullable(v.string()),
    policyId: v.string(),
    policyName: v.string(),
    level,
    conflictingAccessCriteria: conflict,
  }),
);
