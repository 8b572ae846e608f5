import type { SodPolicy } from '@access-admin/client';
import { draftOf, EMPTY_DRAFT, type PolicyDraft, policyOf } from './draft.ts';

/** A policy as it was read, with its version. */
export interface PolicyVersion {
  readonly policy: SodPolicy;
  readonly etag: string;
}

/** The version that an edit began with, and the changed draft. */
export interface Edit {
  /** Null for a policy that does not exist yet. */
  readonly base: PolicyVersion | null;
  readonly draft: PolicyDraft;
}

/** The parts of a policy that can be compared, in the order of the form. */
export const ASPECTS = [
  'rule',
  'name',
  'state',
  'level',
  'owner',
  'description',
  'correctionAdvice',
  'compensatingControls',
  'externalPolicyReference',
] as const;

export type Aspect = (typeof ASPECTS)[number];

/** An edit that has changed nothing yet. */
export const beginEdit = (base: PolicyVersion | null): Edit => ({ base, draft: startOf(base) });

const startOf = (base: PolicyVersion | null): PolicyDraft => (base === null ? EMPTY_DRAFT : draftOf(base.policy));

/** What differs between two drafts. */
export function findDifferences(one: PolicyDraft, other: PolicyDraft): readonly Aspect[] {
  const first = aspectsOf(one);
  const second = aspectsOf(other);
  return ASPECTS.filter((aspect) => JSON.stringify(first[aspect]) !== JSON.stringify(second[aspect]));
}

function aspectsOf(draft: PolicyDraft): Readonly<Record<Aspect, unknown>> {
  const policy = policyOf(draft, null);
  return {
    rule: policy.conflictingAccessCriteria,
    name: policy.name,
    state: policy.state,
    level: policy.level,
    owner: policy.ownerRef,
    description: policy.description,
    correctionAdvice: policy.correctionAdvice,
    compensatingControls: policy.compensatingControls,
    externalPolicyReference: policy.externalPolicyReference,
  };
}

/** What an edit has changed. */
export const changesOf = ({ base, draft }: Edit): readonly Aspect[] => findDifferences(startOf(base), draft);

/** What has changed elsewhere since the edit began, and concerns it; nothing where the edit can go on. */
export function conflictsOf(edit: Edit, latest: PolicyVersion): readonly Aspect[] {
  if (edit.base === null || edit.base.etag === latest.etag || changesOf(edit).length === 0) return [];
  const theirs = draftOf(latest.policy);
  // A save whose answer was lost: the present version is what the draft asks for.
  if (findDifferences(theirs, edit.draft).length === 0) return [];
  return findDifferences(startOf(edit.base), theirs);
}

/** The edit on another version: its own changes, and everything else as the version has it. */
export function rebaseEdit(edit: Edit, latest: PolicyVersion): Edit {
  const mine = new Set(changesOf(edit));
  const { draft } = edit;
  const theirs = draftOf(latest.policy);
  const { form, sides, atLeast } = mine.has('rule') ? draft : theirs;
  const pick = <K extends Exclude<Aspect, 'rule'>>(aspect: K): PolicyDraft[K] =>
    (mine.has(aspect) ? draft : theirs)[aspect];
  return {
    base: latest,
    draft: {
      form,
      sides,
      atLeast,
      name: pick('name'),
      state: pick('state'),
      level: pick('level'),
      owner: pick('owner'),
      description: pick('description'),
      correctionAdvice: pick('correctionAdvice'),
      compensatingControls: pick('compensatingControls'),
      externalPolicyReference: pick('externalPolicyReference'),
    },
  };
}
