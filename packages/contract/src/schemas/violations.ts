import {
  APPLIED_CONTROL_STATUSES,
  type AppliedControl,
  type NamedRef,
  SOD_VIOLATION_LEVELS,
  SOD_VIOLATION_STATUSES,
  type SodViolation,
  type SodViolationLevel,
  type TrendDay,
} from '@access-admin/domain';
import * as v from 'valibot';
import { JUSTIFICATION_LENGTH_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import { chosen } from '../validation/chosen.ts';
import {
  atMost,
  closedObject,
  inOneDirection,
  optionalName,
  recordId,
  timestamp,
  wholeNumber,
} from '../validation/fields.ts';
import { responseSchema } from '../validation/named-schema.ts';
import { failsWith, illegal } from '../validation/validate.ts';

/** The fields that `filters` of the list of violations can compare. */
export const VIOLATION_FILTERS = {
  status: { operators: ['eq', 'in'], kind: 'text', values: SOD_VIOLATION_STATUSES },
  level: { operators: ['eq', 'in'], kind: 'text', values: SOD_VIOLATION_LEVELS },
  policyId: { operators: ['eq', 'in'], kind: 'text' },
  ownerId: { operators: ['eq'], kind: 'text' },
  targetId: { operators: ['eq', 'in'], kind: 'text' },
  policyName: { operators: ['eq', 'in', 'sw', 'co'], kind: 'text' },
  ownerName: { operators: ['eq', 'in', 'sw', 'co'], kind: 'text' },
  targetName: { operators: ['eq', 'in', 'sw', 'co'], kind: 'text' },
  created: { operators: ['ge', 'le'], kind: 'instant' },
  closed: { operators: ['ge', 'le'], kind: 'instant' },
} as const satisfies FilterFields;

/** The fields that `sorters` of the list of violations can name; `level` sorts by severity. */
export const VIOLATION_SORTERS = ['level', 'created', 'modified'] as const;

const refTo = <T extends string>(type: T) => closedObject({ type: v.literal(type), id: v.string(), name: v.string() });

const shownAppliedControl = closedObject({
  id: v.string(),
  violation: v.string(),
  violationRef: refTo('VIOLATION'),
  control: refTo('CONTROL'),
  applier: refTo('IDENTITY'),
  appliedDate: timestamp,
  expiration: v.nullable(timestamp),
  comments: v.nullable(v.string()),
  status: v.picklist(APPLIED_CONTROL_STATUSES),
  exceptionId: v.string(),
});

/** A control that is applied to a violation. */
export const appliedControl = responseSchema<AppliedControl>('AppliedControl')(shownAppliedControl);

const shownViolation = closedObject({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  status: v.picklist(SOD_VIOLATION_STATUSES),
  level: v.picklist(SOD_VIOLATION_LEVELS),
  created: timestamp,
  modified: timestamp,
  closed: v.nullable(timestamp),
  lastEvaluatedDate: timestamp,
  target: refTo('IDENTITY'),
  policy: refTo('SOD_POLICY'),
  owner: v.exactOptional(refTo('IDENTITY')),
  conflictingCriteria: v.array(closedObject({ name: v.string(), conflictingItems: v.array(refTo('ENTITLEMENT')) })),
  exception: v.nullable(closedObject({ id: v.string(), end: timestamp })),
  appliedControls: v.array(shownAppliedControl),
  expiration: v.nullable(timestamp),
});

/** Response of the read of one violation, and one line of an export. */
export const sodViolation = responseSchema<SodViolation>('SodViolation')(shownViolation);

/** Response of the lists of violations. */
export const sodViolations = responseSchema<readonly SodViolation[]>()(v.array(shownViolation));

/** The counts of a register. */
export interface ViolationSummary {
  /** ISO 8601 in UTC with milliseconds; null before the register was filled for the first time. */
  readonly asOf: string | null;
  readonly policySetVersion: number;
  readonly identities: number;
  readonly open: number;
  readonly mitigated: number;
  readonly byLevel: readonly { readonly level: SodViolationLevel; readonly open: number; readonly mitigated: number }[];
  /** By open ones, descending; at most 1,000. */
  readonly byPolicy: readonly {
    readonly policy: NamedRef<'SOD_POLICY'>;
    readonly open: number;
    readonly mitigated: number;
    /** When the oldest present violation was created. */
    readonly oldest: string | null;
  }[];
  /** By day, the last of which is today; `open` includes mitigated ones. */
  readonly trend: readonly TrendDay[];
}

const present = { open: wholeNumber, mitigated: wholeNumber };

/** Response of the summary. */
export const violationSummary = responseSchema<ViolationSummary>('ViolationSummary')(
  closedObject({
    asOf: v.nullable(timestamp),
    policySetVersion: wholeNumber,
    identities: wholeNumber,
    ...present,
    byLevel: v.array(closedObject({ level: v.picklist(SOD_VIOLATION_LEVELS), ...present })),
    byPolicy: v.array(closedObject({ policy: refTo('SOD_POLICY'), ...present, oldest: v.nullable(timestamp) })),
    trend: v.array(closedObject({ date: v.string(), opened: wholeNumber, ended: wholeNumber, open: wholeNumber })),
  }),
);

const comments = v.optional(v.nullable(v.pipe(v.string(), atMost(JUSTIFICATION_LENGTH_MAX), inOneDirection)), null);

const ASSIGNEE = { assigneeId: v.exactOptional(recordId), assigneeType: v.exactOptional(v.literal('IDENTITY')) };

const assignee = v.pipe(
  closedObject({
    type: v.exactOptional(v.literal('IDENTITY')),
    id: v.exactOptional(recordId),
    name: optionalName,
    ...ASSIGNEE,
  }),
  v.check(
    ({ id, assigneeId }) => id !== undefined || assigneeId !== undefined,
    failsWith('RequiredMissing', 'must have id, or assigneeId'),
  ),
  v.check(
    ({ id, assigneeId = id }) => id === undefined || id === assigneeId,
    illegal('must name one identity: id and assigneeId differ'),
  ),
  v.transform(({ id, assigneeId = id ?? '' }) => assigneeId),
);

/** Reassigns a violation, in the form of this service or of the SailPoint SDKs. */
export const reassignment = v.pipe(
  closedObject({ reassignTo: v.exactOptional(assignee), ...ASSIGNEE, comments }),
  v.check(
    ({ reassignTo, assigneeId }) => reassignTo !== undefined || assigneeId !== undefined,
    failsWith('RequiredMissing', 'must have reassignTo, or assigneeId'),
  ),
  v.check(
    ({ reassignTo, assigneeId = reassignTo }) => reassignTo === undefined || reassignTo === assigneeId,
    illegal('must name one identity: reassignTo and assigneeId differ'),
  ),
  v.transform(({ reassignTo, assigneeId = reassignTo ?? '', comments: given }) => ({ assigneeId, comments: given })),
);

const controlRef = v.pipe(
  closedObject({ type: v.optional(v.literal('CONTROL'), 'CONTROL'), id: recordId, name: optionalName }),
  v.transform(({ id }) => id),
  v.metadata({ description: 'A string is taken for the id.' }),
);

/** Applies a control to a violation, given as a reference or, as the SailPoint SDKs do, as an id. */
export const controlApplication = v.pipe(
  closedObject({
    control: chosen(controlRef, (control) => (typeof control === 'string' ? recordId : controlRef)),
    comments,
  }),
  v.transform(({ control, comments: given }) => ({ controlId: control, comments: given })),
);
