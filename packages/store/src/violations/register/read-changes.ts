import { findHolders } from '../../access-model/records/find-holders.ts';
import type { Snapshot } from '../../engine/database.ts';
import type { ReportSource } from '../../reports/source.ts';
import { readCatalogueLog } from '../../rulebook/change-log.ts';
import type { RegisterClaim } from './claim.ts';
import { latestUsual } from './head.ts';

/** What has changed since a register was evaluated; null for unknown or very much. */
export interface RegisterChanges {
  /** Identities that were written, or whose time has come. */
  readonly identities: readonly string[] | null;
  readonly deleted: readonly string[] | null;
  readonly policies: readonly string[] | null;
  /** Identities that may hold entitlements, access profiles or roles that have changed. */
  readonly holders: readonly string[] | null;
  /** Whether the register has later data than the tenant, or other ones, as after a restore. */
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
  if (claim.asOf === null || isRestored)
    return { identities: null, deleted: null, policies: null, holders: null, isRestored };
  const within = <T>(rows: readonly T[]): readonly T[] | null => (rows.length > CHANGES_MAX ? null : rows);
  const limit = CHANGES_MAX + 1;
  const written = await read((db) =>
    db
      .selectFrom('identity')
      .select('id')
      .where('tenant', '=', tenant)
      .where('revision', '>', since)
      .limit(limit)
      .execute(),
  );
  const due = await read((db) =>
    db
      .selectFrom('register_due')
      .select('identity_id as id')
      .where('tenant', '=', tenant)
      .where('due', '<=', now)
      .limit(limit)
      .execute(),
  );
  const deleted = await read((db) =>
    db
      .selectFrom('identity_deletion')
      .select('identity_id as id')
      .where('tenant', '=', tenant)
      .where('revision', '>', since)
      .limit(limit)
      .execute(),
  );
  const rulebook = changeId === claim.changeId ? SAME : await read((db) => readCatalogueLog(db, tenant, claim));
  const most = Math.min(CHANGES_MAX, Math.max(HOLDERS_FEW, Math.ceil(identityCount / HOLDERS_RARE)));
  return {
    identities: within([...new Set([...written, ...due].map(({ id }) => id))]),
    deleted: within(deleted.map(({ id }) => id)),
    policies: rulebook === null ? null : [...rulebook.policies],
    holders: rulebook === null ? null : await findHolders({ read }, { tenant, most }, rulebook.access ?? []),
    isRestored,
  };
}

const SAME = { policies: [], access: null } as const;
