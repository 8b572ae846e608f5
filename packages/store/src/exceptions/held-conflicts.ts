import { hash } from 'node:crypto';
import {
  type AccessProfile,
  type AccessRef,
  approvedTermsOf,
  conflictingItems,
  type HeldGraph,
  type Role,
  type SodPolicyFields,
  sidesOf,
  type TimedAccessRef,
} from '@access-admin/domain';
import { unpackAccess } from '../access-model/records/access-codec.ts';
import { rowToAccessProfile, rowToRole } from '../access-model/records/catalogue-codec.ts';
import { createPauses } from '../concurrency/pauses.ts';
import type { Reads } from '../engine/database.ts';
import { readMatchesBySize } from '../query/model-tables.ts';
import { rowToSodPolicy } from '../rulebook/policy-codec.ts';
import type { ModelTable, Tables } from '../schema/tables.ts';

/** The part of a policy that conflicts depend on. */
export type ConflictPolicy = Pick<SodPolicyFields, 'name' | 'level' | 'state' | 'conflictingAccessCriteria'>;

/** Records as a change will leave them, in place of the stored ones; null for a deleted record. */
export interface ModelOverlay {
  readonly policies: ReadonlyMap<string, ConflictPolicy | null>;
  /** The access of identities. */
  readonly access: ReadonlyMap<string, readonly TimedAccessRef[] | null>;
  readonly roles: ReadonlyMap<string, Role | null>;
  readonly accessProfiles: ReadonlyMap<string, AccessProfile | null>;
}

/** The stored records alone. */
export const STORED: ModelOverlay = {
  policies: new Map(),
  access: new Map(),
  roles: new Map(),
  accessProfiles: new Map(),
};

/** Where conflicts are looked for, from `now` (ISO 8601) on. */
export interface ConflictScope {
  readonly tenant: string;
  readonly now: string;
  readonly overlay: ModelOverlay;
}

/** SHA-256 of the terms of a policy, which may be long. */
export const termsHashOf = (policy: Parameters<typeof approvedTermsOf>[0]): string =>
  hash('sha256', approvedTermsOf(policy));

/** The policies with these ids, as the change leaves them. */
export const readPolicies = (
  reads: Reads,
  { tenant, overlay }: ConflictScope,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, ConflictPolicy>> =>
  readOver(reads, { table: 'sod_policy', tenant, over: overlay.policies, decode: rowToSodPolicy }, ids);

/** An identity and a policy. */
export interface Pair {
  readonly identityId: string;
  readonly policy: ConflictPolicy;
}

/** How one pair conflicts: the ids of the items, empty for no conflict; null when there is no such identity. */
export interface PairConflict<P extends Pair> {
  readonly pair: P;
  readonly items: readonly string[] | null;
}

/**
 * Finds the conflicts of pairs, a few identities at a time. Reads without a transaction: `ModelVersion` says whether the
 * answers still hold.
 */
export async function* findConflicts<P extends Pair>(
  reads: Reads,
  scope: ConflictScope,
  pairs: readonly P[],
): AsyncGenerator<PairConflict<P>> {
  const byIdentity = Map.groupBy(pairs, ({ identityId }) => identityId);
  const nowMs = Date.parse(scope.now);
  const answered = new Set<string>();
  const pause = createPauses();
  for await (const holders of readAccess(reads, scope, byIdentity.keys())) {
    const ofHolders = [...holders].flatMap(([id]) => byIdentity.get(id) ?? []);
    const bundles = await readBundles(reads, scope, { refs: [...holders.values()].flat(), pairs: ofHolders });
    for (const [id, assignments] of holders) {
      answered.add(id);
      for (const pair of byIdentity.get(id) ?? []) {
        const graph = { assignments, ...bundles };
        const items = conflictingItems(pair.policy, { graph, nowMs });
        yield { pair, items };
        await pause();
      }
    }
  }
  for (const [id, others] of byIdentity) if (!answered.has(id)) for (const pair of others) yield { pair, items: null };
}

const GIVEN_AT_ONCE = 50;

/** The access of identities, those of the overlay first, in pieces of bounded size. */
async function* readAccess(
  reads: Reads,
  { tenant, overlay }: ConflictScope,
  ids: Iterable<string>,
): AsyncGenerator<ReadonlyMap<string, readonly TimedAccessRef[]>> {
  const stored = new Set<string>();
  let given = new Map<string, readonly TimedAccessRef[]>();
  for (const id of ids) {
    const access = overlay.access.get(id);
    if (access === undefined) stored.add(id);
    else if (access !== null) given.set(id, access);
    if (given.size < GIVEN_AT_ONCE) continue;
    yield given;
    given = new Map();
  }
  yield given;
  for await (const rows of readMatchesBySize(reads, { table: 'identity', tenant }, stored))
    yield new Map(rows.map(({ id, access }) => [id, unpackAccess(access)]));
}

interface Wanted {
  readonly refs: readonly AccessRef[];
  readonly pairs: readonly Pair[];
}

/** The bundles that access refers to. Of their entitlements only the items of the policies are kept. */
async function readBundles(
  reads: Reads,
  { tenant, overlay }: ConflictScope,
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
  const roles = await readOver(
    reads,
    { table: 'role', tenant, over: overlay.roles, decode: (row) => kept(rowToRole(row)) },
    idsOf('ROLE'),
  );
  const inRoles = [...roles.values()].flatMap((role) => role.accessProfiles);
  const accessProfiles = await readOver(
    reads,
    { table: 'access_profile', tenant, over: overlay.accessProfiles, decode: (row) => kept(rowToAccessProfile(row)) },
    [...idsOf('ACCESS_PROFILE'), ...inRoles],
  );
  return { roles, accessProfiles };
}

interface Overlaid<T extends ModelTable, R> {
  readonly table: T;
  readonly tenant: string;
  readonly over: ReadonlyMap<string, R | null>;
  readonly decode: (row: Tables[T]) => R;
}

async function readOver<T extends ModelTable, R>(
  reads: Reads,
  { table, tenant, over, decode }: Overlaid<T, R>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, R>> {
  const found = new Map<string, R>();
  const stored = new Set<string>();
  for (const id of ids) {
    const given = over.get(id);
    if (given === undefined) stored.add(id);
    else if (given !== null) found.set(id, given);
  }
  const pause = createPauses();
  for await (const rows of readMatchesBySize(reads, { table, tenant }, stored))
    for (const row of rows) {
      found.set(row.id, decode(row));
      await pause();
    }
  return found;
}
