import type { EvaluatedPolicy, Explanation } from '@access-admin/domain';
import { rowToAccessProfile, rowToEntitlement, rowToRole } from '../../access/records/catalogue-codec.ts';
import { gatherByTenant } from '../../engine/concurrency/gather.ts';
import type { MaybePromise } from '../../engine/concurrency/maybe-promise.ts';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import type { Database, Reads } from '../../engine/database.ts';
import { cacheRead } from '../../engine/read-cache.ts';
import { warnOf } from '../../engine/warn-of.ts';
import { readPages } from '../../query/model-tables.ts';
import type { ModelTable, Tables } from '../../schema/tables.ts';
import { readPolicyChanges, readRulebookVersion } from './change-log.ts';
import type { ExplanationRequest } from './explanation.ts';
import { readExplanation } from './explanation.ts';
import { type AssignmentsRead, type IdentityVersionRead, readAssignments, readVersions } from './identity-versions.ts';
import { columnToPolicyLevel, columnToPolicyState } from './policy-codec.ts';
import type { Rulebook, RulebookChanges, RulebookVersion } from './versions.ts';

/** The reads behind predict and check; the first is on the hottest path. */
export interface SodStore {
  /**
   * One atomic read. It sees all commits of this process, and those of others up to a turn of the event loop ago on SQLite, a
   * second ago on PostgreSQL. A tenant without data has version 0.
   */
  readVersion(tenant: string, identityId: string): MaybePromise<IdentityVersionRead>;
  /** The assignments of the identity as of one instant; null when there is no such identity. */
  readAssignments(tenant: string, identityId: string): Promise<AssignmentsRead | null>;
  /** The explanation of violations, as of one instant; null unless the rulebook and the identity have the version of the request, `tooLarge` when its roles and access profiles exceed `EXPLAINING_BUNDLES_BYTES_MAX`. */
  readExplanation(tenant: string, request: ExplanationRequest): Promise<Explanation | 'tooLarge' | null>;
  loadRulebook(tenant: string): Promise<Rulebook>;
  /** The changes since a version, as of one instant; null when they are unknown or too many. */
  readPolicyChanges(tenant: string, since: RulebookVersion): Promise<RulebookChanges | null>;
  /** Aborted with a `StorageUnavailable` once the store closes. Long work on its data ends then. */
  readonly closing: AbortSignal;
  /** Emits a warning for an error of background work, unless the storage is unavailable, which its callers learn anyway. */
  warn(error: unknown): void;
}

export function createSodStore(database: Database): SodStore {
  const { read, epochOf } = database;
  return {
    readVersion: cacheRead(
      epochOf,
      gatherByTenant((tenant, ids) => read((db) => readVersions(db, tenant, ids))),
    ),
    readAssignments: gatherByTenant((tenant, ids) => read((db) => readAssignments(db, tenant, ids))),
    readExplanation: (tenant, request) => readExplanation(database, tenant, request),
    loadRulebook: (tenant) => loadRulebook(database, tenant),
    readPolicyChanges: async (tenant, since) => {
      await using snapshot = await database.openSnapshot('load', tenant);
      return await readPolicyChanges(snapshot, tenant, since);
    },
    closing: database.closing,
    warn: warnOf,
  };
}

async function loadRulebook(database: Database, tenant: string): Promise<Rulebook> {
  await using snapshot = await database.openSnapshot('load', tenant);
  return await readRulebook(snapshot, tenant);
}

/** The whole rulebook, by reads of one instant. */
export async function readRulebook(reads: Reads, tenant: string): Promise<Rulebook> {
  const pause = createPauses();
  const all = async <T extends ModelTable, R>(table: T, decode: (row: Tables[T]) => R): Promise<R[]> => {
    const records: R[] = [];
    for await (const rows of readPages(reads, table, tenant)) {
      for (const row of rows) records.push(decode(row));
      await pause();
    }
    return records;
  };
  return {
    ...(await reads.read((db) => readRulebookVersion(db, tenant))),
    catalogue: {
      entitlements: await all('entitlement', rowToEntitlement),
      accessProfiles: await all('access_profile', rowToAccessProfile),
      roles: await all('role', rowToRole),
    },
    policies: await all('sod_policy', (row) => new StoredPolicy(row)),
  };
}

/**
 * A policy whose criteria are parsed on access: those of a large rulebook are millions of objects, too many to keep. It is a
 * class because a getter in an object literal gives each object a hidden class of its own.
 */
class StoredPolicy implements EvaluatedPolicy {
  readonly id;
  readonly name;
  readonly state;
  readonly level;
  readonly terms;
  readonly #criteria: string;

  constructor({ id, name, state, level, terms, criteria }: Tables['sod_policy']) {
    this.id = id;
    this.name = name;
    this.state = columnToPolicyState(state);
    this.level = columnToPolicyLevel(level);
    this.terms = terms;
    this.#criteria = criteria;
  }

  get conflictingAccessCriteria(): EvaluatedPolicy['conflictingAccessCriteria'] {
    return JSON.parse(this.#criteria);
  }
}
