import {
  type IdentityProfile,
  type ListedIdentity,
  listIdentity,
  type ShownAccessProfile,
  type ShownEntitlement,
  type ShownRole,
  showAccessProfile,
  showEntitlement,
  showRole,
  type ViolationCounts,
} from '@access-admin/domain';
import { sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { readMatchesBySize } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToAccessProfile, rowToEntitlement, rowToRole } from '../records/catalogue-codec.ts';
import { columnsToExternal } from '../records/external-codec.ts';
import { AUTH_USER_COLUMNS, rowToAuthUser } from '../records/identity-codec.ts';
import { rowToIdentityProfile } from '../records/identity-profile-codec.ts';
import { readNames } from './names.ts';
import type { LookUpKind } from './query.ts';

/** The records of lists by kind. */
export interface ListedRecords {
  readonly entitlement: ShownEntitlement;
  readonly access_profile: ShownAccessProfile;
  readonly role: ShownRole;
  readonly identity_profile: IdentityProfile;
  readonly identity: ListedIdentity;
}

type ReadRecords<K extends LookUpKind> = (
  reads: Reads,
  tenant: string,
  ids: ReadonlySet<string>,
) => Promise<readonly ListedRecords[K][]>;

/** Reads the records with some ids, in any order. */
export const READ_RECORDS: { readonly [K in LookUpKind]: ReadRecords<K> } = {
  entitlement: (reads, tenant, ids) =>
    readRows(reads, { table: 'entitlement', tenant, ids }, (row) => showEntitlement(rowToEntitlement(row))),
  access_profile: async (reads, tenant, ids) => {
    const profiles = await readRows(reads, { table: 'access_profile', tenant, ids }, rowToAccessProfile);
    const refs = profiles.flatMap(({ entitlements }) => entitlements.map(entitlementRef));
    const nameOf = await readNames(reads, tenant, refs);
    return profiles.map((profile) => showAccessProfile(profile, nameOf));
  },
  role: async (reads, tenant, ids) => {
    const roles = await readRows(reads, { table: 'role', tenant, ids }, rowToRole);
    const refs = roles.flatMap(({ entitlements, accessProfiles }) => [
      ...entitlements.map(entitlementRef),
      ...accessProfiles.map((id) => ({ type: 'ACCESS_PROFILE', id }) as const),
    ]);
    const nameOf = await readNames(reads, tenant, refs);
    return roles.map((role) => showRole(role, nameOf));
  },
  identity_profile: (reads, tenant, ids) =>
    readRows(reads, { table: 'identity_profile', tenant, ids }, rowToIdentityProfile),
  identity: readIdentities,
};

const entitlementRef = (id: string) => ({ type: 'ENTITLEMENT', id }) as const;

async function readRows<T extends Exclude<LookUpKind, 'identity'>, R>(
  reads: Reads,
  { ids, ...from }: { readonly table: T; readonly tenant: string; readonly ids: ReadonlySet<string> },
  decode: (row: Tables[T]) => R,
): Promise<readonly R[]> {
  const records: R[] = [];
  for await (const rows of readMatchesBySize(reads, from, ids)) for (const row of rows) records.push(decode(row));
  return records;
}

async function readIdentities(
  reads: Reads,
  tenant: string,
  ids: ReadonlySet<string>,
): Promise<readonly ListedIdentity[]> {
  if (ids.size === 0) return [];
  const rows = await reads.read((db) =>
    db
      .selectFrom('identity')
      .select([...AUTH_USER_COLUMNS, 'active', 'attributes', 'external_id'])
      .where('tenant', '=', tenant)
      .where('id', 'in', [...ids])
      .execute(),
  );
  const nameOf = await readNames(
    reads,
    tenant,
    rows.map(({ identity_profile: id }) => ({ type: 'IDENTITY_PROFILE', id })),
  );
  const violations = await countViolations(reads, tenant, ids);
  return rows.map((row) => {
    const { tenant: _, profile: identityProfile, ...user } = rowToAuthUser(row);
    return listIdentity(
      { ...user, active: row.active === 1, identityProfile, ...columnsToExternal(row) },
      violations.get(row.id) ?? NO_VIOLATIONS,
      nameOf,
    );
  });
}

/** The counts of an identity without violations. */
export const NO_VIOLATIONS: ViolationCounts = { open: 0, mitigated: 0 };

/** Counts the present violations of identities in the register, by an index that has all of that. */
export async function countViolations(
  { read }: Reads,
  tenant: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ViolationCounts>> {
  const { rows } = await read((db) =>
    sql<{ readonly identity_id: string; readonly status: string; readonly count: number }>`
      select identity_id, status, count(*) as count from sod_violation
      where tenant = ${tenant} and identity_id in (${sql.join([...ids])}) and status in ('Open', 'Mitigated')
      group by identity_id, status`.execute(db),
  );
  const counts = new Map<string, ViolationCounts>();
  for (const { identity_id, status, count } of rows) {
    const before = counts.get(identity_id) ?? NO_VIOLATIONS;
    const more = status === 'Mitigated' ? { mitigated: Number(count) } : { open: Number(count) };
    counts.set(identity_id, { ...before, ...more });
  }
  return counts;
}
