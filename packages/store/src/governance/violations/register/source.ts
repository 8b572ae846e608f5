import type { Database } from '../../../engine/database.ts';
import { findUnstoredVoid } from '../../exceptions/find-unstored.ts';
import { createReportSource, type ReportSource } from '../../reports/source.ts';
import type { RegisterClaim } from './claim.ts';
import { type KnownPolicy, readAllPolicies, readKnownPolicies } from './known-policies.ts';
import { type RegisterChanges, readChangedIdentities, readChanges } from './read-changes.ts';
import { type IdentityReads, readsOfIdentities } from './read-of-identities.ts';
import { type RangeReads, readsOfRange } from './read-of-range.ts';

/** The data of a tenant and its register as of one instant. */
export interface RegisterSource extends ReportSource, IdentityReads, RangeReads {
  readonly identityCount: number;
  changesSince(claim: RegisterClaim, now: string): Promise<RegisterChanges>;
  /** The identities that were written or deleted after a revision, or whose time has come, however many. */
  changedIdentities(revision: number, now: string): Promise<ReadonlySet<string>>;
  /** The exceptions that the data make void, though that is not stored. */
  findVoid(now: string): Promise<ReadonlySet<string>>;
  /** All policies, in pages. */
  allPolicies(): AsyncIterable<readonly KnownPolicy[]>;
  /** The policies among these ids that the register knows, by id; all that it knows for null. */
  knownPolicies(ids: readonly string[] | null): Promise<ReadonlyMap<string, KnownPolicy>>;
}

export async function openRegisterSource(database: Database, tenant: string): Promise<RegisterSource> {
  const snapshot = await database.openSnapshot('work', tenant);
  const source = await createReportSource(snapshot, tenant);
  const { read } = snapshot;
  try {
    const row = await read((db) =>
      db.selectFrom('tenant').select('identity_count').where('tenant', '=', tenant).executeTakeFirst(),
    );
    const identityCount = row?.identity_count ?? 0;
    return {
      ...source,
      identityCount,
      changesSince: (claim, now) => readChanges(snapshot, source, { claim, now, identityCount }),
      changedIdentities: (since, now) => readChangedIdentities(snapshot, tenant, { since, now }),
      ...readsOfIdentities(snapshot, tenant),
      ...readsOfRange(snapshot, tenant),
      findVoid: (now) => findUnstoredVoid(snapshot, { tenant, now }),
      allPolicies: () => readAllPolicies(snapshot, tenant),
      knownPolicies: (ids) => read((db) => readKnownPolicies(db, tenant, ids)),
    };
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}
