import {
  type AccessProfile,
  type AccessRef,
  conflictingItems,
  type HeldGraph,
  type Role,
  type SodPolicyFields,
  sidesOf,
} from '@access-admin/domain';
import { unpackAccess } from '../../access/records/access-codec.ts';
import { rowToAccessProfile, rowToRole } from '../../access/records/catalogue-codec.ts';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import type { Reads } from '../../engine/database.ts';
import { rowToSodPolicy } from '../../policies/rulebook/policy-codec.ts';
import { readMatchesBySize } from '../../query/model-tables.ts';
import type { ModelTable, SodPolicyRow, Tables } from '../../schema/tables.ts';

/** The part of a policy that conflicts depend on. */
export interface ConflictPolicy
  extends Pick<SodPolicyFields, 'name' | 'level' | 'state' | 'conflictingAccessCriteria'>,
    Pick<SodPolicyRow, 'terms' | 'created'> {}

export const readPolicies = (
  reads: Reads,
  tenant: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, ConflictPolicy>> => {
  const decode = (row: SodPolicyRow) => ({ ...rowToSodPolicy(row), terms: row.terms });
  return readAll(reads, { table: 'sod_policy', tenant, decode }, ids);
};

/** An identity and a policy. */
export interface Pair {
  readonly identityId: string;
  readonly policy: ConflictPolicy;
  /** Access that ended before does not count. Milliseconds since 1970. */
  readonly fromMs: number;
}

/** How a pair conflicts: by the ids of items. */
export interface PairConflict<P extends Pair> {
  readonly pair: P;
  readonly items: readonly string[];
}

/** Finds the pairs that conflict, a few identities at a time. */
export async function* findConflicts<P extends Pair>(
  reads: Reads,
  tenant: string,
  pairs: readonly P[],
): AsyncGenerator<PairConflict<P>> {
  const byIdentity = Map.groupBy(pairs, ({ identityId }) => identityId);
  const pause = createPauses();
  for await (const rows of readMatchesBySize(reads, { table: 'identity', tenant }, new Set(byIdentity.keys()))) {
    const holders = rows.map(({ id, access }) => ({
      assignments: unpackAccess(access),
      pairs: byIdentity.get(id) ?? [],
    }));
    const bundles = await readBundles(reads, tenant, {
      refs: holders.flatMap(({ assignments }) => assignments),
      pairs: holders.flatMap((holder) => holder.pairs),
    });
    for (const { assignments, pairs: ofHolder } of holders)
      for (const pair of ofHolder) {
        const items = conflictingItems(pair.policy, { graph: { assignments, ...bundles }, nowMs: pair.fromMs });
        if (items.length > 0) yield { pair, items };
        await pause();
      }
  }
}

interface Wanted {
  readonly refs: readonly AccessRef[];
  readonly pairs: readonly Pair[];
}

/** The bundles that access refers to. Of their entitlements only the items of the policies are kept. */
async function readBundles(
  reads: Reads,
  tenant: string,
  { refs, pairs }: Wanted,
): Promise<Pick<HeldGraph, 'roles' | 'accessProfiles'>> {
  const items = new Set<string>();
  for (const policy of new Set(pairs.map((pair) => pair.policy)))
    for (const { criteriaList } of sidesOf(policy.conflictingAccessCriteria))
      for (const { id } of criteriaList) items.add(id);
  const kept = <T extends Pick<AccessProfile, 'entitlements'>>(bundle: T): T => ({
    ...bundle,
    entitlements: bundle.entitlements.filter((id) => items.has(id)),
  });
  const idsOf = (type: AccessRef['type']) => refs.flatMap((ref) => (ref.type === type ? [ref.id] : []));
  const toRole = (row: Tables['role']): Role => kept(rowToRole(row));
  const toProfile = (row: Tables['access_profile']): AccessProfile => kept(rowToAccessProfile(row));
  const roles = await readAll(reads, { table: 'role', tenant, decode: toRole }, idsOf('ROLE'));
  const inRoles = [...roles.values()].flatMap((role) => role.accessProfiles);
  const profileIds = [...idsOf('ACCESS_PROFILE'), ...inRoles];
  const accessProfiles = await readAll(reads, { table: 'access_profile', tenant, decode: toProfile }, profileIds);
  return { roles, accessProfiles };
}

interface Decoded<T extends ModelTable, R> {
  readonly table: T;
  readonly tenant: string;
  readonly decode: (row: Tables[T]) => R;
}

async function readAll<T extends ModelTable, R>(
  reads: Reads,
  { table, tenant, decode }: Decoded<T, R>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, R>> {
  const found = new Map<string, R>();
  const pause = createPauses();
  for await (const rows of readMatchesBySize(reads, { table, tenant }, new Set(ids)))
    for (const row of rows) {
      found.set(row.id, decode(row));
      await pause();
    }
  return found;
}
