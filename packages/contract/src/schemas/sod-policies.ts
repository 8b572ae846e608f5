import { type ShownPolicyItem, SOD_POLICY_LEVELS, SOD_POLICY_STATES, type SodPolicy } from '@access-admin/domain';
import * as v from 'valibot';
import type { FilterField } from '../query/filters.ts';
import { closedObject, instant, recordId, shownIdentityRef } from '../validation/fields.ts';
import { responseSchema } from '../validation/response-schema.ts';
import { accessModelRecords, type CriteriaOf } from './access-model.ts';

/** The fields that `filters` of the list of policies can compare. */
export const SOD_POLICY_FILTERS = {
  id: { operators: ['eq', 'in'], kind: 'text' },
  name: { operators: ['eq', 'sw', 'co'], kind: 'text' },
  state: { operators: ['eq', 'in'], kind: 'text', values: SOD_POLICY_STATES },
  level: { operators: ['eq', 'in'], kind: 'text', values: SOD_POLICY_LEVELS },
  ownerId: { operators: ['eq'], kind: 'text' },
} as const satisfies Record<string, FilterField>;
/** The fields that `sorters` of the list of policies can name. */
export const SOD_POLICY_SORTERS = ['id', 'name', 'created', 'modified'] as const;

const { kind: _, id: __, ...fields } = accessModelRecords.sodPolicy.entries;

// A property of policies of SailPoint: accepted and dropped, see docs/decisions/0010.
const ignored = v.exactOptional(v.pipe(v.unknown(), v.metadata({ description: 'Accepted and ignored.' })));

/**
 * Request that creates or replaces a policy. Read-only properties and those of SailPoint are accepted and
 * dropped, so that callers can send back a policy that they have read.
 */
export const sodPolicyFields = v.pipe(
  closedObject({
    ...fields,
    id: v.exactOptional(recordId),
    created: v.exactOptional(instant),
    modified: v.exactOptional(instant),
    secondaryOwnerRefs: ignored,
    violationOwnerAssignmentConfig: ignored,
    allowedControls: ignored,
    scheduled: ignored,
    policyQuery: ignored,
    creatorId: ignored,
    modifierId: ignored,
  }),
  v.transform(
    ({
      created: _created,
      modified: _modified,
      secondaryOwnerRefs: _secondaryOwnerRefs,
      violationOwnerAssignmentConfig: _violationOwnerAssignmentConfig,
      allowedControls: _allowedControls,
      scheduled: _scheduled,
      policyQuery: _policyQuery,
      creatorId: _creatorId,
      modifierId: _modifierId,
      ...policy
    }) => policy,
  ),
);

/** A policy as responses show it: items with their current names, and `deleted` where the catalogue lacks them. */
export interface ShownSodPolicy extends Omit<SodPolicy, 'conflictingAccessCriteria'> {
  readonly conflictingAccessCriteria: CriteriaOf<ShownPolicyItem>;
}

const shownSide = closedObject({
  name: v.nullable(v.string()),
  criteriaList: v.array(
    closedObject({
      type: v.literal('ENTITLEMENT'),
      id: v.string(),
      name: v.nullable(v.string()),
      deleted: v.exactOptional(v.literal(true)),
    }),
  ),
});

const shownPolicy = closedObject({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  state: v.picklist(SOD_POLICY_STATES),
  level: v.picklist(SOD_POLICY_LEVELS),
  type: v.literal('CONFLICTING_ACCESS_BASED'),
  conflictingAccessCriteria: v.union([
    closedObject({ leftCriteria: shownSide, rightCriteria: shownSide }),
    closedObject({ criteria: v.array(shownSide), atLeast: v.number() }),
  ]),
  externalPolicyReference: v.nullable(v.string()),
  compensatingControls: v.nullable(v.string()),
  correctionAdvice: v.nullable(v.string()),
  tags: v.array(v.string()),
  ownerRef: v.nullable(shownIdentityRef),
  created: v.pipe(v.string(), v.isoTimestamp()),
  modified: v.pipe(v.string(), v.isoTimestamp()),
});

/** Response of the operations on one policy. */
export const sodPolicy = responseSchema<ShownSodPolicy>()(shownPolicy);

/** Response of the list of policies. */
export const sodPolicies = responseSchema<readonly ShownSodPolicy[]>()(v.array(shownPolicy));
