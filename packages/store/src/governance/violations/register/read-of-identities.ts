import type { Snapshot } from '../../../engine/database.ts';
import { type IdentityException, keepOfPresent, selectApproved } from '../../exceptions/approved.ts';
import type { ReportIdentity } from '../../reports/source.ts';
import { rowToStored, type StoredDue, type StoredViolation, selectStored } from './present.ts';

/** Reads of identities that are compared one by one. `ids` has one id at least. */
export interface IdentityReads {
  identitiesOf(ids: readonly string[]): Promise<readonly ReportIdentity[]>;
  /** The present violations. */
  storedOf(ids: readonly string[]): Promise<readonly StoredViolation[]>;
  /** The approved exceptions, past, present and future, as `keepOfPresent` says. */
  exceptionsOf(ids: readonly string[]): Promise<readonly IdentityException[]>;
  dueOf(ids: readonly string[]): Promise<readonly StoredDue[]>;
}

export const readsOfIdentities = (snapshot: Snapshot, tenant: string): IdentityReads => ({
  identitiesOf: (ids) =>
    snapshot.read((db) =>
      db
        .selectFrom('identity')
        .select(['id', 'display_name as displayName', 'access'])
        .where('tenant', '=', tenant)
        .where('id', 'in', ids)
        .execute(),
    ),
  storedOf: async (ids) => {
    const rows = await snapshot.read((db) => selectStored(db, tenant).where('identity_id', 'in', ids).execute());
    return rows.map(rowToStored);
  },
  exceptionsOf: async (ids) => {
    const rows = await snapshot.read((db) => selectApproved(db, tenant).where('identity_id', 'in', ids).execute());
    return keepOfPresent(snapshot, tenant, rows);
  },
  dueOf: (ids) =>
    snapshot.read((db) =>
      db
        .selectFrom('register_due')
        .select(['identity_id as identityId', 'due'])
        .where('tenant', '=', tenant)
        .where('identity_id', 'in', ids)
        .execute(),
    ),
});
