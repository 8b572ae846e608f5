import { unpackAccess } from './access-codec.ts';
import { createBreather } from './breather.ts';
import { rowToAccessProfile, rowToEntitlement, rowToRole } from './catalogue-codec.ts';
import type { Database, HotReads } from './database.ts';
import { readPages } from './model-rows.ts';
import { rowToSodPolicy } from './sod-policy-codec.ts';
import type { Rulebook, SodStore } from './store.ts';
import type { ModelTable, Tables } from './tables.ts';
import { readPolicySetVersion } from './tenant.ts';

export function createSodStore(database: Database, { readVersion }: Pick<HotReads, 'readVersion'>): SodStore {
  return {
    readVersion,
    readAssignments: async (tenant, identityId) => {
      const row = await database.read((db) =>
        db
          .selectFrom('identity')
          .select((eb) => [
            'revision',
            'access',
            eb.selectFrom('tenant').select('policy_set_version').where('tenant', '=', tenant).as('policy_set_version'),
          ])
          .where('tenant', '=', tenant)
          .where('id', '=', identityId)
          .executeTakeFirst(),
      );
      if (row === undefined) return null;
      return {
        policySetVersion: row.policy_set_version ?? 0,
        revision: row.revision,
        access: unpackAccess(row.access),
      };
    },
    loadRulebook: (tenant) => loadRulebook(database, tenant),
  };
}

async function loadRulebook(database: Database, tenant: string): Promise<Rulebook> {
  await using snapshot = await database.openSnapshot();
  const breathe = createBreather();
  const all = async <T extends ModelTable, R>(table: T, decode: (row: Tables[T]) => R): Promise<R[]> => {
    const records: R[] = [];
    for await (const rows of readPages(snapshot, table, tenant)) {
      for (const row of rows) records.push(decode(row));
      await breathe();
    }
    return records;
  };
  return {
    policySetVersion: await snapshot.read((db) => readPolicySetVersion(db, tenant)),
    catalogue: {
      entitlements: await all('entitlement', rowToEntitlement),
      accessProfiles: await all('access_profile', rowToAccessProfile),
      roles: await all('role', rowToRole),
    },
    policies: await all('sod_policy', rowToSodPolicy),
  };
}
