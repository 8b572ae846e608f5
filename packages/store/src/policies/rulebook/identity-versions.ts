import type { ApprovedOnConflict, TimedAccessRef } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { unpackAccess } from '../../access/records/access-codec.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { Tables } from '../../schema/tables.ts';
import type { IdentityVersion } from './versions.ts';

/** The version of an identity as it was read. */
export interface IdentityVersionRead extends IdentityVersion {
  /**
   * Its approved exceptions that are neither revoked nor stored as void, past, present and future, by id; null for none. A
   * change of them raises the revision; whether they still hold depends on the rulebook.
   */
  readonly exceptions: readonly ApprovedOnConflict[] | null;
}

/** Reads the versions of identities of a tenant, in their order, as of one instant. */
export async function readVersions(
  db: Kysely<Tables>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly IdentityVersionRead[]> {
  // As text: with the query builder, making it would take several times as long as running it.
  const { rows } = await sql<VersionRow>`
    select tenant.policy_set_version, change.change_id, identity.id as identity_id, identity.revision,
      exception.id, exception.policy_id, exception.starts, exception.ends,
      exception.approved, exception.approved_terms, exception.approved_items
    from tenant
    left join rulebook_change as change
      on change.tenant = tenant.tenant and change.policy_set_version = tenant.policy_set_version
    left join identity on identity.tenant = tenant.tenant and ${isOneOf(db, 'identity.id', ids)}
    left join sod_exception as exception
      on exception.tenant = identity.tenant and exception.identity_id = identity.id
        and exception.identity_created_ms = identity.created_ms
        and exception.approved is not null and exception.revoked is null and exception.voided is null
    where tenant.tenant = ${tenant} order by exception.id`.execute(db);
  const [first] = rows;
  const rulebook = { policySetVersion: first?.policy_set_version ?? 0, changeId: first?.change_id ?? null };
  const byId = Map.groupBy(rows, ({ identity_id }) => identity_id);
  return ids.map((id) => {
    const own = byId.get(id) ?? [];
    const exceptions = own.flatMap(exceptionOf);
    return {
      ...rulebook,
      revision: own[0]?.revision ?? null,
      exceptions: exceptions.length === 0 ? null : exceptions,
    };
  });
}

interface VersionRow {
  readonly policy_set_version: number;
  readonly change_id: string | null;
  /** Null where none of the identities exists. */
  readonly identity_id: string | null;
  readonly revision: number | null;
  /** The columns of an approved exception; all null without one. */
  readonly id: string | null;
  readonly policy_id: string;
  readonly starts: string;
  readonly ends: string;
  readonly approved: string;
  readonly approved_terms: string;
  readonly approved_items: string;
}

const exceptionOf = (row: VersionRow): readonly ApprovedOnConflict[] =>
  row.id === null
    ? []
    : [
        {
          policyId: row.policy_id,
          id: row.id,
          start: row.starts,
          end: row.ends,
          approved: row.approved,
          terms: row.approved_terms,
          items: JSON.parse(row.approved_items),
        },
      ];

/** The assignments of an identity, and the versions that they are of. */
export interface AssignmentsRead {
  readonly policySetVersion: number;
  readonly revision: number;
  readonly access: readonly TimedAccessRef[];
  /** Whether accounts grant some of it. */
  readonly isOfAccounts: boolean;
}

/** Reads the assignments of identities of a tenant, in their order, as of one instant; null for those that do not exist. */
export async function readAssignments(
  db: Kysely<Tables>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly (AssignmentsRead | null)[]> {
  const { rows } = await sql<AssignmentsRow>`
    select identity.id, tenant.policy_set_version, identity.revision, identity.access,
      case when identity.own_access is null then 0 else 1 end as of_accounts
    from identity join tenant on tenant.tenant = identity.tenant
    where identity.tenant = ${tenant} and ${isOneOf(db, 'identity.id', ids)}`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (row === undefined) return null;
    const { policy_set_version: policySetVersion, revision, access, of_accounts } = row;
    return { policySetVersion, revision, access: unpackAccess(access), isOfAccounts: of_accounts === 1 };
  });
}

interface AssignmentsRow {
  readonly id: string;
  readonly policy_set_version: number;
  readonly revision: number;
  readonly access: string;
  readonly of_accounts: number;
}
