import type { Database } from '../../engine/database.ts';
import type { IdentityException } from '../../exceptions/approved.ts';
import { findUnstoredVoid } from '../../exceptions/find-unstored.ts';
import {
  createReportSource,
  type IdentityRange,
  type ReportIdentity,
  type ReportSource,
} from '../../reports/source.ts';
import type { RegisterClaim } from './claim.ts';
import { type KnownPolicy, readAllPolicies, readKnownPolicies } from './known-policies.ts';
import type { StoredViolation } from './present.ts';
import { type RegisterChanges, readChanges } from './read-changes.ts';
import { readsOfIdentities } from './read-of-identities.ts';
import { readsOfRange } from './read-of-range.ts';

/** When time alone may change the violations of an identity next, as it is stored. */
export interface StoredDue {
  readonly identityId: string;
  readonly due: string;
}

/**
 * The data of a tenant and its register as of one instant. What ends in `Of` takes the ids of at least one identity; what ends in
 * `In` takes a range of them, and pages may be empty.
 */
export interface RegisterSource extends ReportSource {
  readonly identityCount: number;
  changesSince(claim: RegisterClaim, now: string): Promise<RegisterChanges>;
  identitiesOf(ids: readonly string[]): Promise<readonly ReportIdentity[]>;
  /** The identities that were written or deleted after a revision. */
  changedIn(range: IdentityRange, revision: number): Promise<ReadonlySet<string>>;
  /** The present violations. */
  storedOf(ids: readonly string[]): Promise<readonly StoredViolation[]>;
  /** Of some policies, or of all of them for null. */
  storedIn(range: IdentityRange, policyIds: readonly string[] | null): AsyncIterable<readonly StoredViolation[]>;
  /** The approved exceptions, past, present and future, as `keepOfPresent` says. */
  exceptionsOf(ids: readonly string[]): Promise<readonly IdentityException[]>;
  /** Those from some policies, or from all of them for null, that end after an instant. */
  exceptionsIn(
    range: IdentityRange,
    query: { readonly endAfter: string; readonly policyIds: readonly string[] | null },
  ): AsyncIterable<readonly IdentityException[]>;
  dueOf(ids: readonly string[]): Promise<readonly StoredDue[]>;
  dueIn(range: IdentityRange): AsyncIterable<readonly StoredDue[]>;
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
