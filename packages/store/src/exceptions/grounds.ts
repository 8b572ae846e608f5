import { hash } from 'node:crypto';
import {
  type AccessGraph,
  type AccessRef,
  approvedTermsOf,
  conflictingItems,
  type ExceptionGround,
  type HeldConflict,
  type SodExceptionRecord,
  type SodPolicy,
} from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { createBreather } from '../concurrency/breather.ts';
import { unpackAccess } from '../rows/access-codec.ts';
import { rowToAccessProfile, rowToRole } from '../rows/catalogue-codec.ts';
import { readMatches } from '../rows/model-tables.ts';
import { rowToSodPolicy } from '../rows/sod-policy-codec.ts';
import type { ModelTable, Tables } from '../schema/tables.ts';

/** The policy, identity and conflict of each exception from `now` (ISO 8601) on, in their order. Call it in a transaction. */
export async function readGrounds(
  db: Kysely<Tables>,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  exceptions: readonly Pick<SodExceptionRecord, 'policyId' | 'identityId'>[],
): Promise<readonly ExceptionGround[]> {
  const read = <T extends ModelTable, R>(table: T, ids: Iterable<string>, decode: (row: Tables[T]) => R) =>
    readById(readMatches(db, { table, tenant }, new Set(ids)), decode);
  const policyIds = exceptions.map(({ policyId }) => policyId);
  const identityIds = exceptions.map(({ identityId }) => identityId);
  const policies = await read('sod_policy', policyIds, rowToSodPolicy);
  const access = await read('identity', identityIds, (row) => unpackAccess(row.access));
  const refs = [...access.values()].flat();
  const roles = await read('role', idsOf(refs, 'ROLE'), rowToRole);
  const inRoles = [...roles.values()].flatMap((role) => role.accessProfiles);
  const accessProfiles = await read(
    'access_profile',
    [...idsOf(refs, 'ACCESS_PROFILE'), ...inRoles],
    rowToAccessProfile,
  );
  const breathe = createBreather();
  const grounds: ExceptionGround[] = [];
  for (const { policyId, identityId } of exceptions) {
    const policy = policies.get(policyId);
    const assignments = access.get(identityId);
    const conflict =
      policy === undefined || assignments === undefined
        ? null
        : conflictOf(policy, { assignments, roles, accessProfiles }, Date.parse(now));
    grounds.push({ policyExists: policy !== undefined, identityExists: assignments !== undefined, conflict });
    await breathe();
  }
  return grounds;
}

/** Terms of a policy may be long, so their hash is stored. */
function conflictOf(
  policy: SodPolicy,
  graph: Pick<AccessGraph, 'assignments' | 'roles' | 'accessProfiles'>,
  nowMs: number,
): HeldConflict | null {
  const items = conflictingItems(policy, graph, nowMs);
  return items.length === 0 ? null : { policy: hash('sha256', approvedTermsOf(policy)), items };
}

const idsOf = (refs: readonly AccessRef[], type: AccessRef['type']): readonly string[] =>
  refs.flatMap((ref) => (ref.type === type ? [ref.id] : []));

async function readById<T extends { readonly id: string }, R>(
  pages: AsyncIterable<readonly T[]>,
  decode: (row: T) => R,
): Promise<ReadonlyMap<string, R>> {
  const found = new Map<string, R>();
  for await (const rows of pages) for (const row of rows) found.set(row.id, decode(row));
  return found;
}
