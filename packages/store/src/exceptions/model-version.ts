import type { Kysely } from 'kysely';
import { readLog, readRulebookVersion } from '../rulebook/change-log.ts';
import type { RulebookVersion } from '../rulebook/versions.ts';
import type { Tables } from '../schema/tables.ts';
import { readIdentityRevision } from '../tenants/versions.ts';

/**
 * A state of what conflicts depend on. Data read after their version have it or a later one, so what was concluded from them
 * holds for as long as the version stays.
 */
export interface ModelVersion {
  readonly rulebook: RulebookVersion;
  /** The latest revision of an identity, which also rises with its approved exceptions. */
  readonly identityRevision: number;
}

export async function readModelVersion(db: Kysely<Tables>, tenant: string): Promise<ModelVersion> {
  const rulebook = await readRulebookVersion(db, tenant);
  return { rulebook, identityRevision: await readIdentityRevision(db, tenant) };
}

/** The ids of the policies that have changed since; null when bundles may have changed, too. */
export async function readChangedPolicies(
  db: Kysely<Tables>,
  tenant: string,
  { rulebook }: ModelVersion,
): Promise<ReadonlySet<string> | null> {
  const { policySetVersion, changeId } = await readRulebookVersion(db, tenant);
  if (policySetVersion === rulebook.policySetVersion && changeId === rulebook.changeId) return new Set();
  return (await readLog(db, tenant, rulebook))?.policies ?? null;
}

/** A write whose preparation is outdated prepares again, at most this often. */
export const ATTEMPTS_MAX = 8;

// Preparations that took no longer may be repeated in the transaction: those of the first two attempts, and later ones.
const REPEATABLE_MS_MAX = 25;
const REPEATABLE_LATE_MS_MAX = 1_000;

/** Whether an outdated preparation that took this time may be repeated in the transaction. Attempts count from 0. */
export const isRepeatable = (tookMs: number, attempt: number): boolean =>
  tookMs <= (attempt < 2 ? REPEATABLE_MS_MAX : REPEATABLE_LATE_MS_MAX);
