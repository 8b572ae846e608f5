import type { Snapshot } from '../engine/database.ts';
import type { ReportSource } from '../reports/source.ts';
import { readLog } from '../rulebook/change-log.ts';
import { latestUsual, type RegisterClaim } from './claim.ts';

/** What has changed since a register was evaluated; null for unknown or very much. */
export interface RegisterChanges {
  /** Identities that were written, or whose time has come. */
  readonly identities: readonly string[] | null;
  readonly deleted: readonly string[] | null;
  /** Policies, where nothing else of the rulebook has changed. */
  readonly policies: readonly string[] | null;
  /** Whether the register has later data than the tenant, or other ones, as after a restore. */
  readonly isRestored: boolean;
}

const CHANGES_MAX = 20_000;

interface Changes {
  readonly claim: RegisterClaim;
  readonly now: string;
}

/** Reads what has changed since the data of a claim, as of an instant. */
export async function readChanges(
  { read }: Snapshot,
  source: ReportSource,
  { claim, now }: Changes,
): Promise<RegisterChanges> {
  const { tenant, identityRevision: since } = claim;
  const { policySetVersion, changeId } = source.version;
  const isOlder = since > source.identityRevision || claim.policySetVersion > policySetVersion;
  const isOther = claim.policySetVersion === policySetVersion && claim.changeId !== changeId;
  const isRestored = claim.asOf !== null && (isOlder || isOther || claim.asOf > latestUsual(Date.parse(now)));
  if (claim.asOf === null || isRestored) return { identities: null, deleted: null, policies: null, isRestored };
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
  const isSameRulebook = changeId === claim.changeId;
  const logged = isSameRulebook ? null : await read((db) => readLog(db, tenant, claim));
  return {
    identities: within([...new Set([...written, ...due].map(({ id }) => id))]),
    deleted: within(deleted.map(({ id }) => id)),
    policies: isSameRulebook ? [] : logged === null ? null : [...logged.policies],
    isRestored,
  };
}
