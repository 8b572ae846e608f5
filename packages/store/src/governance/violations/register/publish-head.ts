import { sql, type Transaction } from 'kysely';
import type { Database } from '../../../engine/database.ts';
import { isPostgres } from '../../../engine/is-postgres.ts';
import { warnOf } from '../../../engine/warn-of.ts';
import type { RulebookVersion } from '../../../policies/rulebook/versions.ts';
import { insertRows } from '../../../query/insert.ts';
import { isOneOf } from '../../../query/one-of.ts';
import type { Tables } from '../../../schema/tables.ts';
import { type RegisterClaim, scopeOf } from './claim.ts';
import { clearOwners } from './clear-owners.ts';
import type { KnownPolicy } from './known-policies.ts';
import { publishExpired } from './publish-expired.ts';

/** What a round has taken in. */
export interface PublishedRound extends RulebookVersion {
  readonly identityRevision: number;
  readonly identities: number;
  /** The instant up to which the register is complete. */
  readonly asOf: string;
  /** When everything is to be compared next; null where that stays. */
  readonly compareDue: string | null;
  /** How many violations a full comparison had to correct; null if the round was none. */
  readonly corrected: number | null;
  readonly policies: {
    /** Those that differ from what the register knew. */
    readonly changed: readonly KnownPolicy[];
    readonly gone: readonly string[];
  };
}

/** Moves the head to what a round has taken in, once nothing is left to clear or to tell; `more` before that, and false if another worker holds the register. */
export async function publishHead(
  database: Database,
  claim: RegisterClaim,
  round: PublishedRound,
): Promise<boolean | 'more'> {
  const { tenant } = claim;
  const published = await database.write(scopeOf(claim), async (trx) => {
    // Not `queue.hold`: the row has the cursor of expired exceptions, too.
    const head = await trx
      .selectFrom('register_head')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('fence', '=', claim.fence)
      .forUpdate()
      .executeTakeFirst();
    if (head === undefined) return false;
    if (await clearOwners(trx, tenant, round)) return 'more';
    if (await publishExpired(trx, head, round.asOf)) return 'more';
    await savePolicies(trx, tenant, round.policies);
    await moveHead(trx, tenant, round);
    await moveBehind(trx, tenant, round);
    // Read last, so that an exception that is committed by now is in it; a later one marks the register again.
    const due = await readNextDue(trx, tenant);
    await trx.updateTable('register_head').set({ next_due: due }).where('tenant', '=', tenant).execute();
    return true;
  });
  // The planner knows nothing of what was just filled: it would read all violations of a tenant for those of a batch.
  if (claim.asOf === null && published === true)
    await database.analyze(['register_count', 'sod_violation']).catch(warnOf);
  return published;
}

async function savePolicies(
  trx: Transaction<Tables>,
  tenant: string,
  { changed, gone }: PublishedRound['policies'],
): Promise<void> {
  const onConflict = () => sql`on conflict (tenant, policy_id) do update set terms = excluded.terms`;
  const rows = changed.map(({ policyId, terms }) => ({ tenant, policy_id: policyId, terms }));
  await insertRows(trx, { table: 'register_policy', onConflict }, rows);
  if (gone.length === 0) return;
  await trx
    .deleteFrom('register_policy')
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'policy_id', gone))
    .execute();
}

const moveHead = (trx: Transaction<Tables>, tenant: string, round: PublishedRound) =>
  trx
    .updateTable('register_head')
    .set({
      identity_revision: round.identityRevision,
      policy_set_version: round.policySetVersion,
      change_id: round.changeId,
      as_of: round.asOf,
      identities: round.identities,
      ...(round.compareDue === null ? {} : { compare_due: round.compareDue }),
      ...(round.corrected === null ? {} : { corrected: round.corrected }),
    })
    .where('tenant', '=', tenant)
    .execute();

/**
 * Takes the mark from the tenant, or moves it on: where data have changed since the round read them, the first change that the
 * register lacks came after the instant of the round. A row that another transaction has locked keeps its mark, as that
 * transaction is about to change data; the next round moves it.
 */
async function moveBehind(
  trx: Transaction<Tables>,
  tenant: string,
  { identityRevision, policySetVersion, asOf }: PublishedRound,
): Promise<void> {
  const skipping = isPostgres(trx) ? sql`for update skip locked` : sql``;
  const later = sql.raw(isPostgres(trx) ? 'greatest' : 'max');
  await sql`
    update tenant set register_behind_since = case
      when identity_revision = ${identityRevision} and policy_set_version = ${policySetVersion} then null
      else ${later}(register_behind_since, ${asOf}) end
    where tenant = ${tenant} and register_behind_since is not null
      and tenant in (select tenant from tenant where tenant = ${tenant} ${skipping})`.execute(trx);
}

/** The next instant at which time alone changes the register, or an exception expires; null for none. */
async function readNextDue(trx: Transaction<Tables>, tenant: string): Promise<string | null> {
  const { rows } = await sql<{ due: string | null }>`
    select min(due) as due from (
      select min(due) as due from register_due where tenant = ${tenant}
      union all select min(ends) from sod_exception where tenant = ${tenant}
        and ends > (select expired_end from register_head where tenant = ${tenant})
    ) as dues`.execute(trx);
  return rows[0]?.due ?? null;
}
