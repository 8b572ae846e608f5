import type { AccessModelRecord, AccessRef } from '@access-admin/domain';
import { createPopulation, type PopulationSize } from '../world/seed-population.ts';

/** A population with a policy that almost everybody violates. */
export interface RegisterWorld {
  records(): Iterable<AccessModelRecord>;
  /** The body of a predict for an identity. */
  bodyOf(number: number): string;
  policyOfMany(state: 'ENFORCED' | 'NOT_ENFORCED'): AccessModelRecord;
  /** An existing identity with another name. */
  changedIdentity(change: number): AccessModelRecord;
  /** A new identity that violates a policy. */
  newIdentity(id: string): AccessModelRecord;
}

const LEFT = 4;
const COMMON = 20;
/** The id of the policy that almost everybody violates. */
export const MANY = 'p-many';
const KEPT = 500;

type Upsert<Name> = Exclude<Extract<AccessModelRecord, { readonly kind: Name }>, { readonly delete: true }>;

/** The access that most of these identities hold. */
function commonAccess(identities: readonly Upsert<'identity'>[]): readonly AccessRef[] {
  const all = identities.flatMap(({ access }) => (access ?? []).map(({ id }) => id));
  const holders = [...Map.groupBy(all, (id) => id)].toSorted(([, one], [, other]) => other.length - one.length);
  return holders.slice(0, COMMON).map(([id]) => ({ type: 'ENTITLEMENT', id }));
}

export function createRegisterWorld(size: PopulationSize): RegisterWorld {
  const kept: Upsert<'identity'>[] = [];
  let first: Upsert<'sodPolicy'> | null = null;
  const population = createPopulation(size);
  const policyOfMany = (state: 'ENFORCED' | 'NOT_ENFORCED'): AccessModelRecord => {
    if (first === null) throw new Error('The records were not read.');
    const common = commonAccess(kept);
    const side = (criteriaList: readonly AccessRef[]) => ({ name: null, criteriaList });
    const conflictingAccessCriteria = {
      leftCriteria: side(common.slice(0, LEFT)),
      rightCriteria: side(common.slice(LEFT)),
    };
    return { ...first, id: MANY, name: 'Violated by many', state, conflictingAccessCriteria } as Upsert<'sodPolicy'>;
  };
  return {
    records: function* () {
      for (const record of population.records) {
        if ('delete' in record) continue;
        if (record.kind === 'sodPolicy') first ??= record;
        if (record.kind === 'identity' && kept.length < KEPT) kept.push(record);
        yield record;
      }
      yield policyOfMany('NOT_ENFORCED');
    },
    bodyOf: population.bodyOf,
    policyOfMany,
    changedIdentity: (change) => {
      const identity = kept[change % kept.length];
      if (identity === undefined) throw new Error('The records were not read.');
      return { ...identity, displayName: `Name ${change}` };
    },
    newIdentity: (id) => {
      const criteria = first?.conflictingAccessCriteria;
      if (criteria === undefined || !('leftCriteria' in criteria)) throw new Error('The records were not read.');
      const access = [criteria.leftCriteria, criteria.rightCriteria].flatMap(({ criteriaList }) =>
        criteriaList.map((item) => ({ type: 'ENTITLEMENT' as const, id: item.id })),
      );
      const [identity] = kept;
      if (identity === undefined) throw new Error('The records were not read.');
      return { ...identity, id, uid: id, access };
    },
  };
}
