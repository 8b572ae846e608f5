import type { SodPolicy } from '@access-admin/domain';
import { createBreather } from './breather.ts';
import { rowToAccessProfile, rowToEntitlement, rowToRole } from './catalogue-codec.ts';
import type { Database, HotReads } from './database.ts';
import { readPages } from './model-rows.ts';
import { readPolicyChanges, readRulebookVersion } from './rulebook-log.ts';
import { loadPack, savePack } from './rulebook-pack.ts';
import { rowToSodPolicy } from './sod-policy-codec.ts';
import type { Rulebook, SodStore } from './store.ts';
import type { ModelTable, Tables } from './tables.ts';

export function createSodStore(
  database: Database,
  { readVersion, readAssignments }: Pick<HotReads, 'readVersion' | 'readAssignments'>,
): SodStore {
  return {
    readVersion,
    readAssignments,
    loadRulebook: (tenant) => loadRulebook(database, tenant),
    readPolicyChanges: async (tenant, since) => {
      await using snapshot = await database.openSnapshot();
      return await readPolicyChanges(snapshot, tenant, since);
    },
    loadPack: (tenant) => loadPack(database, tenant),
    savePack: (tenant, pack) => savePack(database, tenant, pack),
  };
}

async function loadRulebook(database: Database, tenant: string): Promise<Rulebook> {
  await using snapshot = await database.openSnapshot();
  const breathe = createBreather();
  const all = async <T extends ModelTable, R>(table: T, decode: (row: Tables[T]) => R): Promise<R[]> => {
    const records: R[] = [];
    for await (const rows of readPages(snapshot, table, tenant)) {
      for (const row of rows) {
        records.push(decode(row));
        await breathe();
      }
    }
    return records;
  };
  return {
    ...(await snapshot.read((db) => readRulebookVersion(db, tenant))),
    catalogue: {
      entitlements: await all('entitlement', rowToEntitlement),
      accessProfiles: await all('access_profile', rowToAccessProfile),
      roles: await all('role', rowToRole),
    },
    policies: await all('sod_policy', rowToLazyPolicy),
  };
}

/** With criteria that are parsed when they are asked for: those of a large rulebook are millions of objects, too many to keep. */
function rowToLazyPolicy({ criteria, ...row }: Tables['sod_policy']): SodPolicy {
  return {
    ...rowToSodPolicy({ ...row, criteria: 'null' }),
    get conflictingAccessCriteria() {
      const parsed: SodPolicy['conflictingAccessCriteria'] = JSON.parse(criteria);
      return parsed;
    },
  };
}
