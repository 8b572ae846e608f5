import {
  ACCESS_TYPES,
  AT_LEAST_RANGE,
  LINT_CODES,
  LINT_SEVERITIES,
  OWNER_ASSIGNMENT_RULES,
  type PolicyFinding,
  type ShownSodPolicy as ShownPolicy,
  type ShownPolicyItem,
  SOD_POLICY_AT_LEAST_MIN,
  SOD_POLICY_ITEMS_MAX,
  SOD_POLICY_LEVEL_DEFAULT,
  SOD_POLICY_LEVELS,
  SOD_POLICY_SIDES_MAX,
  SOD_POLICY_STATES,
} from '@access-admin/domain';
import * as v from 'valibot';
import { ATTRIBUTE_LENGTH_MAX, KEPT_REFS_MAX, TAGS_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import { optionalAttributes, optionalExternalId, shownAttributes } from '../validation/attributes.ts';
import { chosen } from '../validation/chosen.ts';
import {
  atMost,
  closedObject,
  ignored,
  instant,
  listOfAtMost,
  name,
  optionalAttribute,
  optionalLongText,
  optionalName,
  optionalOwner,
  recordId,
  shownIdentityRef,
  timestamp,
  wholeNumber,
} from '../validation/fields.ts';
import { requestSchema, responsePart, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { failsWith, illegal } from '../validation/validate.ts';

const EMPTY = failsWith('RequiredMissing', 'must not be empty');

// Responses show `deleted`: it is accepted and dropped, so that callers can send back what they have read.
const sodPolicyItem = requestSchema(
  'CriteriaItem',
  v.pipe(
    closedObject({
      type: v.literal('ENTITLEMENT'),
      id: recordId,
      name: optionalName,
      deleted: v.exactOptional(v.literal(true)),
    }),
    v.transform(({ type, id, name: given }) => ({ type, id, name: given })),
  ),
);

const sodCriteria = requestSchema(
  'CriteriaSide',
  closedObject({
    name: optionalName,
    criteriaList: v.pipe(listOfAtMost(sodPolicyItem, SOD_POLICY_ITEMS_MAX, 'items'), v.nonEmpty(EMPTY)),
  }),
);

const twoSidedCriteria = requestSchema(
  'TwoSidedCriteria',
  closedObject({ leftCriteria: sodCriteria, rightCriteria: sodCriteria }),
);

const sides = v.pipe(listOfAtMost(sodCriteria, SOD_POLICY_SIDES_MAX, 'sides'), v.nonEmpty(EMPTY));
// The domain validates that it is not beyond the number of sides.
const atLeast = (min: number, max: number, rule = AT_LEAST_RANGE) => {
  const message = illegal(`must be ${rule}`);
  return v.pipe(
    v.number(),
    v.integer(illegal('must be a whole number')),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
};

const kOfNCriteria = closedObject({
  criteria: sides,
  atLeast: atLeast(SOD_POLICY_AT_LEAST_MIN, SOD_POLICY_SIDES_MAX),
});

const ONE = `1, as the policy has one side; with several sides it is ${AT_LEAST_RANGE}`;
const criticalAccessCriteria = closedObject({ criteria: sides, atLeast: v.optional(atLeast(1, 1, ONE), 1) });

/**
 * The criteria of a policy: two-sided, k-of-n, or critical access with one side, as the number of `criteria` tells. The document
 * describes critical access and k-of-n as one form, because their properties do not tell them apart.
 */
export const conflictingAccessCriteria = chosen(
  v.union([
    twoSidedCriteria,
    requestSchema(
      'KOfNCriteria',
      closedObject({
        criteria: sides,
        atLeast: v.pipe(
          v.optional(atLeast(1, SOD_POLICY_SIDES_MAX), 1),
          v.metadata({
            description: `From ${SOD_POLICY_AT_LEAST_MIN} on, and required, where there are several sides.`,
          }),
        ),
      }),
    ),
  ]),
  formOf,
);

function formOf(input: unknown) {
  if (typeof input !== 'object' || input === null) return twoSidedCriteria;
  if (!('criteria' in input && Object.hasOwn(input, 'criteria'))) return twoSidedCriteria;
  const { criteria } = input;
  return Array.isArray(criteria) && criteria.length === 1 ? criticalAccessCriteria : kOfNCriteria;
}

// What policies of SailPoint have and this service keeps for their callers, see docs/decisions/0010.
const keptRef = v.record(
  v.pipe(v.string(), atMost(ATTRIBUTE_LENGTH_MAX)),
  v.union([v.pipe(v.string(), atMost(ATTRIBUTE_LENGTH_MAX)), v.number(), v.boolean(), v.null()]),
);
const keptRefs = v.optional(v.nullable(listOfAtMost(keptRef, KEPT_REFS_MAX, 'refs')), null);
const ownerAssignment = closedObject({
  assignmentRule: v.exactOptional(v.nullable(v.picklist(OWNER_ASSIGNMENT_RULES))),
  ownerRef: v.exactOptional(v.nullable(keptRef)),
});

/** The record of a policy in imports and exports. */
export const sodPolicyRecord = v.strictObject({
  kind: v.literal('sodPolicy'),
  id: recordId,
  name,
  description: optionalLongText,
  state: v.optional(v.picklist(SOD_POLICY_STATES), 'ENFORCED'),
  level: v.optional(v.picklist(SOD_POLICY_LEVELS), SOD_POLICY_LEVEL_DEFAULT),
  type: v.optional(v.literal('CONFLICTING_ACCESS_BASED'), 'CONFLICTING_ACCESS_BASED'),
  conflictingAccessCriteria,
  externalPolicyReference: optionalAttribute,
  compensatingControls: optionalLongText,
  correctionAdvice: optionalLongText,
  tags: v.optional(listOfAtMost(name, TAGS_MAX, 'tags'), []),
  ownerRef: optionalOwner,
  attributes: optionalAttributes,
  externalId: optionalExternalId,
  scheduled: v.optional(v.boolean(), false),
  violationOwnerAssignmentConfig: v.optional(v.nullable(ownerAssignment), null),
  secondaryOwnerRefs: keptRefs,
  allowedControls: keptRefs,
});

/** The fields that `filters` of the list of policies can compare. */
export const SOD_POLICY_FILTERS = {
  id: { operators: ['eq', 'in'], kind: 'text' },
  name: { operators: ['eq', 'in', 'sw', 'co'], kind: 'text' },
  description: { operators: ['eq', 'sw', 'co'], kind: 'text' },
  // There are policies of the other type in SailPoint only.
  type: { operators: ['eq', 'in'], kind: 'text', values: ['CONFLICTING_ACCESS_BASED', 'GENERAL'] },
  state: { operators: ['eq', 'in'], kind: 'text', values: SOD_POLICY_STATES },
  level: { operators: ['eq', 'in'], kind: 'text', values: SOD_POLICY_LEVELS },
  ownerId: { operators: ['eq'], kind: 'text' },
  'ownerRef.name': { operators: ['eq', 'sw'], kind: 'text' },
  externalId: { operators: ['eq'], kind: 'text' },
  'attributes.*': { operators: ['eq', 'in'], kind: 'text' },
} as const satisfies FilterFields;
/** The fields that `sorters` of the list of policies can name. */
export const SOD_POLICY_SORTERS = ['id', 'name', 'description', 'ownerRef.name', 'created', 'modified'] as const;

const { kind: _, id: __, level: ___, ...fields } = sodPolicyRecord.entries;

/**
 * Request that creates or replaces a policy. Read-only properties are accepted and dropped, so that callers can send back a policy
 * that they have read. A level that is left out stays as it is, or is `SOD_POLICY_LEVEL_DEFAULT` for a new policy.
 */
export const sodPolicyFields = requestSchema(
  'SodPolicyFields',
  v.pipe(
    closedObject({
      ...fields,
      id: v.exactOptional(recordId),
      level: v.exactOptional(v.picklist(SOD_POLICY_LEVELS)),
      created: v.exactOptional(instant),
      modified: v.exactOptional(instant),
      policyQuery: ignored,
      creatorId: ignored,
      modifierId: ignored,
    }),
    v.transform(
      ({
        created: _created,
        modified: _modified,
        policyQuery: _policyQuery,
        creatorId: _creatorId,
        modifierId: _modifierId,
        ...policy
      }) => policy,
    ),
  ),
);

/** Patches of a policy as answers show it. The domain validates whether its criteria fit together. */
export const sodPolicyPatch = resourcePatch(sodPolicyFields, {
  id: 'readOnly',
  name: 'required',
  description: 'optional',
  state: 'required',
  level: 'required',
  type: 'readOnly',
  conflictingAccessCriteria: 'required',
  externalPolicyReference: 'optional',
  compensatingControls: 'optional',
  correctionAdvice: 'optional',
  tags: 'required',
  ownerRef: 'optional',
  attributes: 'optional',
  externalId: 'optional',
  scheduled: 'optional',
  violationOwnerAssignmentConfig: 'optional',
  secondaryOwnerRefs: 'optional',
  allowedControls: 'optional',
  policyQuery: 'readOnly',
  creatorId: 'readOnly',
  modifierId: 'readOnly',
  created: 'readOnly',
  modified: 'readOnly',
});

/** The criteria of a policy whose items are of type `Item`. */
export type CriteriaOf<Item> =
  | { readonly leftCriteria: SideOf<Item>; readonly rightCriteria: SideOf<Item> }
  | { readonly criteria: readonly SideOf<Item>[]; readonly atLeast: number };

interface SideOf<Item> {
  readonly name: string | null;
  readonly criteriaList: readonly Item[];
}

/** A policy as responses show it: items with their current names, and `deleted` where the catalogue lacks them. */
export interface ShownSodPolicy extends Omit<ShownPolicy, 'conflictingAccessCriteria'> {
  readonly conflictingAccessCriteria: CriteriaOf<ShownPolicyItem>;
}

const shownSide = responsePart(
  'PolicySide',
  closedObject({
    name: v.nullable(v.string()),
    criteriaList: v.array(
      closedObject({
        type: v.literal('ENTITLEMENT'),
        id: v.string(),
        name: v.nullable(v.string()),
        deleted: v.exactOptional(v.literal(true)),
      }),
    ),
  }),
);

const shownPolicy = closedObject({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  state: v.picklist(SOD_POLICY_STATES),
  level: v.picklist(SOD_POLICY_LEVELS),
  type: v.literal('CONFLICTING_ACCESS_BASED'),
  conflictingAccessCriteria: v.union([
    responsePart('TwoSidedPolicy', closedObject({ leftCriteria: shownSide, rightCriteria: shownSide })),
    responsePart('KOfNPolicy', closedObject({ criteria: v.array(shownSide), atLeast: wholeNumber })),
  ]),
  externalPolicyReference: v.nullable(v.string()),
  compensatingControls: v.nullable(v.string()),
  correctionAdvice: v.nullable(v.string()),
  tags: v.array(v.string()),
  ownerRef: v.exactOptional(shownIdentityRef),
  attributes: shownAttributes,
  externalId: v.nullable(v.string()),
  scheduled: v.boolean(),
  violationOwnerAssignmentConfig: v.exactOptional(ownerAssignment),
  secondaryOwnerRefs: v.exactOptional(v.array(keptRef)),
  allowedControls: v.exactOptional(v.array(keptRef)),
  policyQuery: v.nullable(v.string()),
  creatorId: v.nullable(v.string()),
  modifierId: v.nullable(v.string()),
  created: timestamp,
  modified: timestamp,
});

/** Response of the operations on one policy. */
export const sodPolicy = responseSchema<ShownSodPolicy>('SodPolicy')(shownPolicy);

/** Response of the list of policies. */
export const sodPolicies = responseSchema<readonly ShownSodPolicy[]>()(v.array(shownPolicy));

/** A policy that a finding compares another one with. */
export const relatedPolicy = closedObject({ type: v.literal('SOD_POLICY'), id: v.string(), name: v.string() });

const finding = responsePart(
  'PolicyFinding',
  v.strictObject({
    code: v.picklist(LINT_CODES),
    severity: v.picklist(LINT_SEVERITIES),
    policyId: v.string(),
    ref: v.nullable(closedObject({ type: v.picklist(ACCESS_TYPES), id: v.string() })),
    related: v.array(relatedPolicy),
    text: v.string(),
  }),
);

/** Response of lint. */
export const policyFindings = responseSchema<readonly PolicyFinding[]>()(v.array(finding));
