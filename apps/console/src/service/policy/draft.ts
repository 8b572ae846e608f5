import type { NewSodPolicy, SodPolicy, SodPolicyLevel, SodPolicyState } from '@access-admin/client';
import { type Form, formOf } from './terms.ts';

/** An entitlement on a side. */
export interface DraftItem {
  readonly id: string;
  readonly name: string;
  /** Whether the catalogue lacks it, so that it cannot match. */
  readonly isDeleted: boolean;
}

export interface DraftSide {
  /** Tells the sides of a draft from each other while they are added and removed. */
  readonly key: number;
  readonly name: string;
  readonly items: readonly DraftItem[];
}

/** A policy as a form shows it. */
export interface PolicyDraft {
  readonly name: string;
  readonly description: string;
  readonly state: SodPolicyState;
  readonly level: SodPolicyLevel;
  readonly owner: { readonly id: string; readonly name: string } | null;
  readonly form: Form;
  /** Two or more. Those that the form does not use stay, so that another form loses nothing. */
  readonly sides: readonly DraftSide[];
  /** The number of sides that makes a violation; only the form `K_OF_N` uses it. */
  readonly atLeast: number;
  readonly correctionAdvice: string;
  readonly compensatingControls: string;
  readonly externalPolicyReference: string;
}

const SIDES_MIN = 2;

/** The most sides of a rule. */
export const SIDES_MAX = 10;

/** The draft of a policy that does not exist yet: it is enforced once it is saved. */
export const EMPTY_DRAFT: PolicyDraft = {
  name: '',
  description: '',
  state: 'ENFORCED',
  level: 'HIGH',
  owner: null,
  form: 'TWO_SIDED',
  sides: [0, 1].map(emptySide),
  atLeast: SIDES_MIN,
  correctionAdvice: '',
  compensatingControls: '',
  externalPolicyReference: '',
};

/** The draft that changes nothing of a policy. */
export function draftOf(policy: SodPolicy): PolicyDraft {
  const rule = policy.conflictingAccessCriteria;
  const given = 'criteria' in rule ? rule.criteria : [rule.leftCriteria, rule.rightCriteria];
  const sides = given.map(({ name, criteriaList }, key) => ({
    key,
    name: name ?? '',
    items: criteriaList.map((item) => ({
      id: item.id,
      name: item.name ?? item.id,
      isDeleted: item.deleted === true,
    })),
  }));
  return {
    name: policy.name,
    description: policy.description ?? '',
    state: policy.state,
    level: policy.level,
    owner:
      policy.ownerRef === undefined
        ? null
        : { id: policy.ownerRef.id, name: policy.ownerRef.name ?? policy.ownerRef.id },
    form: formOf(policy),
    sides: sides.length < SIDES_MIN ? [...sides, emptySide(sides.length)] : sides,
    atLeast: 'criteria' in rule ? Math.max(rule.atLeast, SIDES_MIN) : SIDES_MIN,
    correctionAdvice: policy.correctionAdvice ?? '',
    compensatingControls: policy.compensatingControls ?? '',
    externalPolicyReference: policy.externalPolicyReference ?? '',
  };
}

/** The sides that count in the form of a draft. */
export function sidesOf({ form, sides }: Pick<PolicyDraft, 'form' | 'sides'>): readonly DraftSide[] {
  return form === 'K_OF_N' ? sides : sides.slice(0, form === 'CRITICAL' ? 1 : SIDES_MIN);
}

/** The policy of a draft. What no form shows, such as tags, stays as it is in `before`. */
export function policyOf(draft: PolicyDraft, before: SodPolicy | null): NewSodPolicy {
  return {
    ...(before === null ? {} : keptOf(before)),
    name: draft.name.trim(),
    description: textOrNull(draft.description),
    state: draft.state,
    level: draft.level,
    ownerRef: draft.owner && { type: 'IDENTITY', id: draft.owner.id },
    conflictingAccessCriteria: ruleOf(draft),
    correctionAdvice: textOrNull(draft.correctionAdvice),
    compensatingControls: textOrNull(draft.compensatingControls),
    externalPolicyReference: textOrNull(draft.externalPolicyReference),
  };
}

const keptOf = (before: SodPolicy): Partial<NewSodPolicy> => ({
  id: before.id,
  tags: before.tags,
  attributes: before.attributes,
  externalId: before.externalId,
  scheduled: before.scheduled,
  violationOwnerAssignmentConfig: before.violationOwnerAssignmentConfig ?? null,
  secondaryOwnerRefs: before.secondaryOwnerRefs ?? null,
  allowedControls: before.allowedControls ?? null,
});

function ruleOf(draft: PolicyDraft): NewSodPolicy['conflictingAccessCriteria'] {
  const sides = sidesOf(draft).map(({ name, items }) => ({
    name: textOrNull(name),
    criteriaList: items.map(({ id }) => ({ type: 'ENTITLEMENT' as const, id })),
  }));
  const [leftCriteria = NO_SIDE, rightCriteria = NO_SIDE] = sides;
  if (draft.form === 'TWO_SIDED') return { leftCriteria, rightCriteria };
  return draft.form === 'CRITICAL' ? { criteria: [leftCriteria] } : { criteria: sides, atLeast: draft.atLeast };
}

const NO_SIDE = { name: null, criteriaList: [] };

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** A draft with one side more, which has no items yet. */
export const addSide = (draft: PolicyDraft): PolicyDraft => ({
  ...draft,
  sides: [...draft.sides, emptySide(Math.max(...draft.sides.map(({ key }) => key)) + 1)],
});

/** A draft without one of its sides. A violation takes no more sides than there are. */
export function removeSide(draft: PolicyDraft, key: number): PolicyDraft {
  const sides = draft.sides.filter((side) => side.key !== key);
  return { ...draft, sides, atLeast: Math.min(draft.atLeast, sides.length) };
}

/** A draft with another version of one of its sides. */
export const changeSide = (draft: PolicyDraft, changed: DraftSide): PolicyDraft => ({
  ...draft,
  sides: draft.sides.map((side) => (side.key === changed.key ? changed : side)),
});

/** A side with more items, each once. */
export function addItems(side: DraftSide, items: readonly DraftItem[]): DraftSide {
  const known = new Set(side.items.map(({ id }) => id));
  return { ...side, items: [...side.items, ...items.filter(({ id }) => !known.has(id))] };
}

function emptySide(key: number): DraftSide {
  return { key, name: '', items: [] };
}
