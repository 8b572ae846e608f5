import type { AccessModelRecord } from '@access-admin/domain';
import { createPopulation, type PopulationSize } from '../world/seed-population.ts';

type Upsert<Kind> = Exclude<Extract<AccessModelRecord, { readonly kind: Kind }>, { readonly delete: true }>;

/** A population with display names, and policies of all levels with owners. */
export interface RegisterWorld {
  /** To be read once, before anything else is asked for. */
  readonly records: Iterable<AccessModelRecord>;
  /** How many identities violate each policy of many. */
  readonly many: number;
  policyOfMany(number: number): AccessModelRecord;
  /** An identity with or without the access that violates the policy of changes. */
  changedIdentity(number: number, isViolating: boolean): Upsert<'identity'>;
}

const MANY_OF = 10;
const OWNERS = 50;
const LEVELS = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
/** Nobody holds these unless they are given here. */
const PAIRS = { many: ['many-left', 'many-right'], changes: ['changes-left', 'changes-right'] } as const;

export const POLICY_OF_CHANGES = 'policy-of-changes';
export const policyOfManyId = (number: number) => `policy-of-many-${number}`;
export const personName = (number: number) => `Person ${number.toString(36)}`;

const refsOf = (ids: readonly string[]) => ids.map((id) => ({ type: 'ENTITLEMENT' as const, id }));

export function createRegisterWorld(size: PopulationSize): RegisterWorld {
  const policies: Upsert<'sodPolicy'>[] = [];
  const identities: Upsert<'identity'>[] = [];
  const policyOf = (id: string, pair: keyof typeof PAIRS): AccessModelRecord => {
    const [first] = policies;
    if (first === undefined) throw new Error('The records have not been read.');
    const [leftCriteria, rightCriteria] = refsOf(PAIRS[pair]).map((ref) => ({ name: null, criteriaList: [ref] }));
    return { ...first, id, name: id, conflictingAccessCriteria: { leftCriteria, rightCriteria } } as typeof first;
  };
  const ownedPolicy = (record: Upsert<'sodPolicy'>): Upsert<'sodPolicy'> => {
    const at = policies.length;
    const ownerRef = { type: 'IDENTITY', id: `i${(at % OWNERS).toString(36)}`, name: null };
    return { ...record, level: LEVELS[at % LEVELS.length], ownerRef } as typeof record;
  };
  function* readRecords(): Generator<AccessModelRecord> {
    for (const id of Object.values(PAIRS).flat()) yield { kind: 'entitlement', id, name: id, source: null };
    let number = 0;
    for (const record of createPopulation(size).records) {
      if ('delete' in record) continue;
      if (record.kind === 'sodPolicy') policies.push(ownedPolicy(record));
      else if (record.kind === 'identity') {
        const access = [...(record.access ?? []), ...(number % MANY_OF === 0 ? refsOf(PAIRS.many) : [])];
        const identity = { ...record, displayName: personName(number), access };
        if (number++ < size.identities / MANY_OF) identities.push(identity);
        yield identity;
      } else yield record;
    }
    // Their owners exist now.
    yield* policies;
    yield policyOf(POLICY_OF_CHANGES, 'changes');
  }
  return {
    records: readRecords(),
    many: Math.ceil(size.identities / MANY_OF),
    policyOfMany: (number) => policyOf(policyOfManyId(number), 'many'),
    changedIdentity: (number, isViolating) => {
      const identity = identities[number];
      if (identity === undefined) throw new Error(`There are too few identities for change ${number}.`);
      const { access = [] } = identity;
      return isViolating ? { ...identity, access: [...(access ?? []), ...refsOf(PAIRS.changes)] } : identity;
    },
  };
}
