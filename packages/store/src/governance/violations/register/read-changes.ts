import type { Kysely } from 'kysely';
import { findHolders } from '../../../access/records/find-holders.ts';
import type { Snapshot } from '../../../engine/database.ts';
import { readCatalogueLog } from '../../../policies/rulebook/change-log.ts';
import type { Tables } from '../../../schema/tables.ts';
import type { ReportSource } from '../../reports/source.ts';
import type { RegisterClaim } from './claim.ts';
import { latestUsual } from './head.ts';

/** What has changed since a register was evaluated; null for unknown or very much. */
export interface RegisterChanges {
  /** Identities that were written or deleted, or whose time has come. */
  readonly identities: ReadonlySet<string> | null;
  readonly policies: readonly string[] | null;
  /** Identities that may hold entitlements, access profiles or roles that have changed. */
  readonly holders: readonly string[] | null;
  /** Whether the register is ahead of the tenant's data, or has diverged from it, as after a restore. */
  readonly isRestored: boolean;
}

const CHANGES_MAX = 20_000;
// Where more than one in so many identities holds what has changed, comparing all of them at once is faster.
const HOLDERS_RARE = 20;
const HOLDERS_FEW = 1_000;

interface Changes {
  readonly claim: RegisterClaim;
  readonly now: string;
  readonly identityCount: number;
}

/** Reads what has changed since the data of a claim, as of an instant. */
export async function readChanges(
  { read }: Snapshot,
  source: ReportSource,
  { claim, now, identityCount }: Changes,
): Promise<RegisterChanges> {
  const { tenant, identityRevision: since } = claim;
  const { policySetVersion, changeId } = source.version;
  const isOlder = since > source.identityRevision || claim.policySetVersion > policySetVersion;
  const isOther = claim.policySetVersion === policySetVersion && claim.changeId !== changeId;
  const isRestored = claim.asOf !== null && (isOlder || isOther || claim.asOf > latestUsual(Date.parse(now)));
  if (claim.asOf === null || isRestored) return { identities: null, policies: null, holders: null, isRestored };
  // One more than there may be; some are selected twice.
  const changed = await read((db) =>
    selectChanged(db, tenant, { since, now })
      .limit(CHANGES_MAX + 1)
      .execute(),
  );
  const rulebook = changeId === claim.changeId ? SAME : await read((db) => readCatalogueLog(db, tenant, claim));
  const most = Math.min(CHANGES_MAX, Math.max(HOLDERS_FEW, Math.ceil(identityCount / HOLDERS_RARE)));
  return {
    identities: changed.length > CHANGES_MAX ? null : new Set(changed.map(({ id }) => id)),
    policies: rulebook === null ? null : [...rulebook.policies],
    holders: rulebook === null ? null : await findHolders({ read }, { tenant, most }, rulebook.access ?? []),
    isRestored,
  };
}

const SAME = { policies: [], access: null } as const;

/** Reads the identities that were written or deleted after a revision, or whose time has come, however many. */
export async function readChangedIdentities(
  { read }: Snapshot,
  tenant: string,
  { since, now }: { readonly since: number; readonly now: string },
): Promise<ReadonlySet<string>> {
  const changed = await read((db) => selectChanged(db, tenant, { since, now }).execute());
  return new Set(changed.map(({ id }) => id));
}

const selectChanged = (
  db: Kysely<Tables>,
  tenant: string,
  { since, now }: { readonly since: number; readonly now: string },
) => {
  const written = db.selectFrom('identity').select('id').where('tenant', '=', tenant).where('revision', '>', since);
  const deleted = db
    .selectFrom('identity_deletion')
    .select('identity_id as id')
    .where('tenant', '=', tenant)
    .where('revision', '>', since);
  const due = db
    .selectFrom('register_due')
    .select('identity_id as id')
    .where('tenant', '=', tenant)
    .where('due', '<=', now);
  return written.unionAll(deleted).unionAll(due);
};
