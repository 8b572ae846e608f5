import type { AccessRef, SodReport } from '@access-admin/client';

/** What a question names: a policy or access. The name is null where the question has the id alone. */
export interface Subject {
  readonly type: AccessRef['type'] | 'SOD_POLICY';
  /** Null for a policy that is new. */
  readonly id: string | null;
  readonly name: string | null;
}

/** What a question supposes of some subjects. */
export interface QuestionPart {
  readonly part: 'added' | 'changed' | 'removed' | 'of' | 'gains';
  readonly subjects: readonly Subject[];
}

/** What a report was asked about; empty for a scan, and for a question that was too long to be kept. */
export function partsOf({ kind, question }: Pick<SodReport, 'kind' | 'question'>): readonly QuestionPart[] {
  if (question === null || kind === 'SCAN' || kind === 'FIX_PLAN') return [];
  const parts: readonly QuestionPart[] =
    kind === 'DRY_RUN'
      ? [
          { part: 'added', subjects: listOf(question['add']).map(policyOf) },
          { part: 'changed', subjects: listOf(question['change']).map(policyOf) },
          { part: 'removed', subjects: listOf(question['remove']).map((id) => policyOf({ id })) },
        ]
      : [
          { part: 'of', subjects: [accessOf({ ...question, type: TYPES.get(textOf(question['kind'])) })] },
          { part: 'gains', subjects: listOf(question['add']).map(accessOf) },
        ];
  return parts.filter(({ subjects }) => subjects.length > 0);
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
