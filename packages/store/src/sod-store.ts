import type { SodPolicy } from '@access-admin/domain';
import { createBreather } from './breather.ts';
import { rowToAccessProfile, rowToEntitlement, rowToRole } from './catalogue-codec.ts';
import type { Database, HotReads } from './database.ts';
import { readExplanation } from './explain-store.ts';
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
    readExplanation: (tenant, request) => readExplanation(database, tenant, request),
    loadRulebook: (tenant) => loadRulebook(database, tenant),
    readPolicyChanges: async (tenant, since) => {
      await using snapshot = await database.openSnapshot('load');
      return await readPolicyChanges(snapshot, tenant, since);
    },
    loadPack: (tenant) => loadPack(database, tenant),
    savePack: (tenant, pack) => savePack(database, tenant, pack),
    closing: database.closing,
  };
}

async function loadRulebook(database: Database, tenant: string): Promise<Rulebook> {
  await using snapshot = await database.openSnapshot('load');
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

const rowToLazyPolicy = (row: Tables['sod_policy']): SodPolicy => new LazySodPolicy(row);

/**
 * With criteria that are parsed when they are asked for: those of a large rulebook are millions of objects, too many to
 * keep. A class, because a getter in a literal gives each object a hidden class of its own.
 */
class LazySodPolicy implements SodPolicy {
  readonly id;
  readonly name;
  readonly description;
  readonly state;
  readonly level;
  readonly type;
  readonly externalPolicyReference;
  readonly compensatingControls;
  readonly correctionAdvice;
  readonly tags;
  readonly created;
  readonly modified;
  readonly #criteria: string;

  constructor(row: Tables['sod_policy']) {
    const policy = rowToSodPolicy({ ...row, criteria: 'null' });
    this.id = policy.id;
    this.name = policy.name;
    this.description = policy.description;
    this.state = policy.state;
    this.level = policy.level;
    this.type = policy.type;
    this.externalPolicyReference = policy.externalPolicyReference;
    this.compensatingControls = policy.compensatingControls;
    this.correctionAdvice = policy.correctionAdvice;
    this.tags = policy.tags;
    this.created = policy.created;
    this.modified = policy.modified;
    this.#criteria = row.criteria;
  }

  get conflictingAccessCriteria(): SodPolicy['conflictingAccessCriteria'] {
    return JSON.parse(this.#criteria);
  }
}
