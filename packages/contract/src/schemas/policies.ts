import {
  ACCESS_TYPES,
  LINT_CODES,
  LINT_SEVERITIES,
  type PolicyFinding,
  type ShownPolicyItem,
  SOD_POLICY_AT_LEAST_MIN,
  SOD_POLICY_ITEMS_MAX,
  SOD_POLICY_LEVELS,
  SOD_POLICY_SIDES_MAX,
  SOD_POLICY_STATES,
  type SodPolicy,
} from '@access-admin/domain';
import * as v from 'valibot';
import { TAGS_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import {
  closedObject,
  instant,
  name,
  optionalAttribute,
  optionalLongText,
  optionalName,
  optionalOwner,
  recordId,
  shownIdentityRef,
} from '../validation/fields.ts';
import { requestSchema, responsePart, responseSchema } from '../validation/named-schema.ts';
import { failsWith } from '../validation/validate.ts';

// Responses show `deleted`: it is accepted and dropped, so that callers can send back what they have read.
const sodPolicyItem = v.pipe(
  closedObject({
    type: v.literal('ENTITLEMENT'),
    id: recordId,
    name: optionalName,
    deleted: v.exactOptional(v.literal(true)),
  }),
  v.transform(({ type, id, name: given }) => ({ type, id, name: given })),
);

const sodCriteria = closedObject({
  name: optionalName,
  criteriaList: v.pipe(
    v.array(sodPolicyItem),
    // The domain validates it.
    v.metadata({ minItems: 1, maxItems: SOD_POLICY_ITEMS_MAX }),
  ),
});

const twoSidedCriteria = closedObject({ leftCriteria: sodCriteria, rightCriteria: sodCriteria });

// The domain validates the number of sides and the range of `atLeast`.
const sides = (minItems: number, maxItems: number) => v.pipe(v.array(sodCriteria), v.metadata({ minItems, maxItems }));
const atLeast = (minimum: number, maximum: number) =>
  v.pipe(v.number(), v.integer(failsWith('IllegalValue', 'must be a whole number')), v.metadata({ minimum, maximum }));

const kOfNCriteria = closedObject({
  criteria: sides(SOD_POLICY_AT_LEAST_MIN, SOD_POLICY_SIDES_MAX),
  atLeast: atLeast(SOD_POLICY_AT_LEAST_MIN, SOD_POLICY_SIDES_MAX),
});

const criticalAccessCriteria = closedObject({ criteria: sides(1, 1), atLeast: v.optional(atLeast(1, 1), 1) });

const anyCriteria = v.union([twoSidedCriteria, kOfNCriteria, criticalAccessCriteria]);
type AnyCriteria = typeof anyCriteria;

/**
 * The criteria of a policy: two-sided, k-of-n, or critical access with one side. A union reports only that no form fits: here
 * the number of `criteria` selects the form whose issues are reported. Documents, which have no input, show all forms.
 */
export const conflictingAccessCriteria = v.lazy<v.GenericSchema<v.InferInput<AnyCriteria>, v.InferOutput<AnyCriteria>>>(
  (input) => (input === undefined ? anyCriteria : formOf(input)),
);

function formOf(input: unknown): AnyCriteria['options'][number] {
  if (typeof input !== 'object' || input === null) return twoSidedCriteria;
  if (!('criteria' in input && Object.hasOwn(input, 'criteria'))) return twoSidedCriteria;
  const { criteria } = input;
  return Array.isArray(criteria) && criteria.length === 1 ? criticalAccessCriteria : kOfNCriteria;
}

/** The record of a policy in imports and exports. */
export const sodPolicyRecord = v.strictObject({
  kind: v.literal('sodPolicy'),
  id: recordId,
  name,
  description: optionalLongText,
  state: v.optional(v.picklist(SOD_POLICY_STATES), 'ENFORCED'),
  level: v.optional(v.picklist(SOD_POLICY_LEVELS), 'HIGH'),
  type: v.optional(v.literal('CONFLICTING_ACCESS_BASED'), 'CONFLICTING_ACCESS_BASED'),
  conflictingAccessCriteria,
  externalPolicyReference: optionalAttribute,
  compensatingControls: optionalLongText,
  correctionAdvice: optionalLongText,
  tags: v.optional(
    v.pipe(v.array(name), v.maxLength(TAGS_MAX, failsWith('LimitExceeded', `must have at most ${TAGS_MAX} tags`))),
    [],
  ),
  ownerRef: optionalOwner,
});

/** The fields that `filters` of the list of policies can compare. */
export const SOD_POLICY_FILTERS = {
  id: { operators: ['eq', 'in'], kind: 'text' },
  name: { operators: ['eq', 'sw', 'co'], kind: 'text' },
  state: { operators: ['eq', 'in'], kind: 'text', values: SOD_POLICY_STATES },
  level: { operators: ['eq', 'in'], kind: 'text', values: SOD_POLICY_LEVELS },
  ownerId: { operators: ['eq'], kind: 'text' },
} as const satisfies FilterFields;
/** The fields that `sorters` of the list of policies can name. */
export const SOD_POLICY_SORTERS = ['id', 'name', 'created', 'modified'] as const;

const { kind: _, id: __, ...fields } = sodPolicyRecord.entries;

// A property of policies of SailPoint: accepted and dropped, see docs/decisions/0010.
const ignored = v.exactOptional(v.pipe(v.unknown(), v.metadata({ description: 'Accepted and ignored.' })));

/**
 * Request that creates or replaces a policy. Read-only properties and those of SailPoint are accepted and
 * dropped, so that callers can send back a policy that they have read.
 */
export const sodPolicyFields = requestSchema(
  'SodPolicyFields',
  v.pipe(
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
  ),
);

/** The criteria of a policy whose items are of type `Item`. */
export type CriteriaOf<Item> =
  | { readonly leftCriteria: SideOf<Item>; readonly rightCriteria: SideOf<Item> }
  | { readonly criteria: readonly SideOf<Item>[]; readonly atLeast: number };

interface SideOf<Item> {
  readonly name: string | null;
  readonly criteriaList: readonly Item[];
}

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
export const sodPolicy = responseSchema<ShownSodPolicy>('SodPolicy')(shownPolicy);

/** Response of the list of policies. */
export const sodPolicies = responseSchema<readonly ShownSodPolicy[]>()(v.array(shownPolicy));

/** A finding of lint, as its response and that of an import have it. */
export const finding = responsePart(
  'PolicyFinding',
  v.strictObject({
    code: v.picklist(LINT_CODES),
    severity: v.picklist(LINT_SEVERITIES),
    policyId: v.string(),
    ref: v.nullable(closedObject({ type: v.picklist(ACCESS_TYPES), id: v.string() })),
    related: v.array(closedObject({ type: v.literal('SOD_POLICY'), id: v.string(), name: v.string() })),
    text: v.string(),
  }),
);

/** Response of lint. */
export const policyFindings = responseSchema<readonly PolicyFinding[]>()(v.array(finding));
