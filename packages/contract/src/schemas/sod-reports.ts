import {
  BLAST_RADIUS_KINDS,
  DRY_RUN_POLICIES_MAX,
  SOD_POLICY_LEVELS,
  SOD_REPORT_KINDS,
  SOD_REPORT_STATES,
} from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject, recordId } from '../validation/fields.ts';
import { fault } from '../validation/validate.ts';
import { sodPolicyFields } from './sod-policies.ts';
import { addedRefs } from './sod-violations.ts';

/** Request of a scan: nothing. */
export const scanRequest = closedObject({});

/** Request of a blast radius. What the role or the access profile cannot have is judged later. */
export const blastRadiusRequest = closedObject({
  kind: v.picklist(BLAST_RADIUS_KINDS),
  id: v.pipe(v.string(), v.nonEmpty(fault('RequiredMissing', 'must not be empty'))),
  add: addedRefs,
});

/** The properties of a dry-run's request and what is in their lists. */
export const DRY_RUN_ITEMS = { add: sodPolicyFields, change: sodPolicyFields, remove: recordId } as const;

const listOf = <S extends v.GenericSchema>(item: S) =>
  v.optional(
    v.pipe(
      v.array(item),
      v.maxLength(DRY_RUN_POLICIES_MAX, fault('LimitExceeded', `must have at most ${DRY_RUN_POLICIES_MAX} policies`)),
    ),
    [],
  );

/** Request of a dry-run, as the OpenAPI document describes it: it is read in steps. */
export const dryRunRequest = closedObject({
  add: listOf(DRY_RUN_ITEMS.add),
  change: listOf(DRY_RUN_ITEMS.change),
  remove: listOf(DRY_RUN_ITEMS.remove),
});

/** Answer of the operations that start a report: it is stored. */
export const startedReport = v.object({ reportId: v.string(), created: v.pipe(v.string(), v.isoTimestamp()) });

const counts = { new: v.number(), same: v.number(), gone: v.number() };

/** Answer of the read of a report. */
export const sodReport = v.object({
  reportId: v.string(),
  kind: v.picklist(SOD_REPORT_KINDS),
  state: v.picklist(SOD_REPORT_STATES),
  progress: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  created: v.pipe(v.string(), v.isoTimestamp()),
  completed: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  // Null as long as no data was looked at.
  policySetVersion: v.nullable(v.number()),
  asOf: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  summary: v.nullable(
    v.object({
      identities: v.number(),
      ...counts,
      byPolicy: v.array(
        v.object({ policyId: v.string(), name: v.string(), level: v.picklist(SOD_POLICY_LEVELS), ...counts }),
      ),
    }),
  ),
  // Where the state is ERROR only.
  message: v.optional(v.string()),
});
