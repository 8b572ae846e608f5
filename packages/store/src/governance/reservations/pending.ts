import type { PendingReservation } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { readVersions } from '../../policies/rulebook/identity-versions.ts';
import type { IdentityVersion } from '../../policies/rulebook/versions.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToPending } from './codec.ts';

/** An identity, and the time at which its reservations are live (ISO 8601). */
export interface PendingOf {
  readonly identityId: string;
  readonly now: string;
}

/** The live reservations of an identity, the oldest first. */
export async function readLive(
  db: Kysely<Tables>,
  tenant: string,
  { identityId, now }: PendingOf,
): Promise<readonly PendingReservation[]> {
  const rows = await selectLive(db, tenant, now)
    .select(['id', 'reference', 'access_refs'])
    .where('identity_id', '=', identityId)
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map(rowToPending);
}

/** The live reservations of a tenant. The state is a literal, because partial indexes do not match parameters. */
export const selectLive = (db: Kysely<Tables>, tenant: string, now: string) =>
  db
    .selectFrom('sod_reservation')
    .where('tenant', '=', tenant)
    .where('state', '=', sql.lit('LIVE'))
    .where('expires', '>', now);

/** Whether an identity and its rulebook still have a version. */
export async function isCurrent(
  db: Kysely<Tables>,
  tenant: string,
  { identityId, version }: { readonly identityId: string; readonly version: IdentityVersion },
): Promise<boolean> {
  const [present] = await readVersions(db, tenant, [identityId]);
  return (
    present?.policySetVersion === version.policySetVersion &&
    present.changeId === version.changeId &&
    present.revision === version.revision
  );
}
