import type { AccessRef, SodPolicyLevel, SodReport } from '@access-admin/client';
import { LEVELS } from '../policy/terms.ts';

/** What a question names: a policy, a person or access. The name is null where the question has the id alone. */
export interface Subject {
  readonly type: AccessRef['type'] | 'SOD_POLICY' | 'IDENTITY';
  /** Null for a policy that is new. */
  readonly id: string | null;
  readonly name: string | null;
}

/** What a question supposes of some subjects. */
export interface QuestionPart {
  readonly part: 'added' | 'changed' | 'removed' | 'of' | 'gains' | 'policies' | 'people' | 'protects';
  readonly subjects: readonly Subject[];
}

/** What a report was asked about; empty for a scan, for a plan of everything, and for a question that was too long to be kept. */
export function partsOf({ kind, question }: Pick<SodReport, 'kind' | 'question'>): readonly QuestionPart[] {
  if (question === null) return [];
  return PARTS[kind](question).filter(({ subjects }) => subjects.length > 0);
}

type Question = NonNullable<SodReport['question']>;

const PARTS: Readonly<Record<SodReport['kind'], (question: Question) => readonly QuestionPart[]>> = {
  SCAN: () => [],
  DRY_RUN: ({ add, change, remove }) => [
    { part: 'added', subjects: listOf(add).map(policyOf) },
    { part: 'changed', subjects: listOf(change).map(policyOf) },
    { part: 'removed', subjects: listOf(remove).map((id) => policyOf({ id })) },
  ],
  BLAST_RADIUS: ({ add, ...of }) => [
    { part: 'of', subjects: [accessOf({ ...of, type: TYPES.get(textOf(of['kind'])) })] },
    { part: 'gains', subjects: listOf(add).map(accessOf) },
  ],
  FIX_PLAN: ({ policyIds, identityIds, protect }) => [
    { part: 'policies', subjects: listOf(policyIds).map((id) => policyOf({ id })) },
    { part: 'people', subjects: listOf(identityIds).map((id) => ({ type: 'IDENTITY', id: textOf(id), name: null })) },
    { part: 'protects', subjects: listOf(protect).map(accessOf) },
  ],
};

/** The levels that a fix plan was asked about, all where there are none, and how many holders each entitlement keeps. */
export function planLimitsOf(question: Question): {
  readonly levels: readonly SodPolicyLevel[];
  readonly keeps: number;
} {
  const { levels, keepHolders } = question;
  const named = listOf(levels);
  return {
    levels: LEVELS.filter((level) => named.includes(level)),
    keeps: typeof keepHolders === 'number' ? keepHolders : 1,
  };
}

const TYPES: ReadonlyMap<string | null, AccessRef['type']> = new Map([
  ['role', 'ROLE'],
  ['accessProfile', 'ACCESS_PROFILE'],
] as const);
const ACCESS: readonly AccessRef['type'][] = ['ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'];

const policyOf = (given: unknown): Subject => {
  const { id, name } = Object(given);
  return { type: 'SOD_POLICY', id: textOf(id), name: textOf(name) };
};

const accessOf = (given: unknown): Subject => {
  const { type, id, name } = Object(given);
  return { type: ACCESS.find((each) => each === type) ?? 'ENTITLEMENT', id: textOf(id), name: textOf(name) };
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
