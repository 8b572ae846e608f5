import type { Snapshot } from '../../engine/database.ts';
import { keepOfPresent, selectApproved } from '../../exceptions/approved.ts';
import { rowToStored, selectStored } from './present.ts';
import type { RegisterSource } from './source.ts';

type ReadsOfIdentities = Pick<RegisterSource, 'identitiesOf' | 'storedOf' | 'exceptionsOf' | 'dueOf'>;

/** What is read of identities that are compared one by one. */
export const readsOfIdentities = (snapshot: Snapshot, tenant: string): ReadsOfIdentities => ({
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
