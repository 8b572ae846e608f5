import { exceptionStateAt, showSodException } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { isPostgres } from '../../engine/is-postgres.ts';
import { warnOf } from '../../engine/warn-of.ts';
import { appendEvents } from '../../events/append-events.ts';
import { rowToDates, rowToException } from '../../exceptions/codec.ts';
import { insertRows } from '../../query/insert.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { RulebookVersion } from '../../rulebook/versions.ts';
import type { Tables } from '../../schema/tables.ts';
import { type RegisterClaim, scopeOf } from './claim.ts';
import { latestUsual } from './head.ts';
import type { KnownPolicy } from './source.ts';

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

const ROWS_AT_ONCE = 200;

export async function publishHead(
  database: Database,
  claim: RegisterClaim,
  round: PublishedRound,
): Promise<boolean | 'more'> {
  const { tenant } = claim;
  const published = await database.write(scopeOf(claim), async (trx) => {
    const head = await trx
      .selectFrom('register_head')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('fence', '=', claim.fence)
      .forUpdate()
      .executeTakeFirst();
    if (head === undefined) return false;
    if (await clearOwners(trx, tenant, round)) return 'more';
    if (await tellExpired(trx, head, round.asOf)) return 'more';
    await savePolicies(trx, tenant, round.policies);
    await moveHead(trx, tenant, round);
    await clearBehind(trx, tenant, round);
    // Read last: an exception that is not committed by now marks the register as behind after this transaction.
    const due = await readNextDue(trx, tenant);
    await trx.updateTable('register_head').set({ next_due: due }).where('tenant', '=', tenant).execute();
    return true;
  });
  if (claim.asOf === null && published === true) await analyze(database);
  return published;
}

/**
 * The planner of PostgreSQL knows nothing of a table that was just filled: it would read all violations of a tenant for those of
 * a batch. A distributed table would be analyzed on all servers at once, so each does that by itself.
 */
const analyze = ({ read, isDistributed }: Database): Promise<unknown> =>
  read(async (db) => {
    if (isPostgres(db) && !isDistributed) await sql`analyze (skip_locked) register_count, sod_violation`.execute(db);
  }).catch(warnOf);

/** Takes some violations from deleted owners, then drops the list of deletions; true if there may be more. Ended violations keep showing their owner. */
async function clearOwners(
  trx: Transaction<Tables>,
  tenant: string,
  { identityRevision, asOf }: PublishedRound,
): Promise<boolean> {
  const deleted = await trx
    .selectFrom('identity_deletion')
    .select(['revision', 'identity_id'])
    .where('tenant', '=', tenant)
    .where('revision', '<=', identityRevision)
    .orderBy('revision')
    .orderBy('identity_id')
    .limit(ROWS_AT_ONCE)
    .execute();
  const last = deleted.at(-1);
  if (last === undefined) return false;
  const ids = deleted.map(({ identity_id }) => identity_id);
  const { numUpdatedRows } = await trx
    .updateTable('sod_violation')
    .set({
      owner_id: null,
      former_owner_id: sql`case when closed is null then null else owner_id end`,
      modified: sql`case when closed is null then ${asOf} else modified end`,
    })
    .where('tenant', '=', tenant)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sod_violation')
        .select('id')
        .where('tenant', '=', tenant)
        .where('owner_id', 'in', ids)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  if (numUpdatedRows >= ROWS_AT_ONCE) return true;
  await trx
    .deleteFrom('identity_deletion')
    .where('tenant', '=', tenant)
    .where(sql<boolean>`(revision, identity_id) <= (${last.revision}, ${last.identity_id})`)
    .execute();
  return deleted.length === ROWS_AT_ONCE;
}

// The last character there is: sorts after every id.
const LAST_ID = '\u{10ffff}';

/** Tells of some exceptions that have expired, each once; true if there may be more. Those that were revoked or voided before their end do not expire. */
async function tellExpired(trx: Transaction<Tables>, head: Tables['register_head'], until: string): Promise<boolean> {
  const { tenant, expired_end: end, expired_id: id } = head;
  const setCursor = (to: { readonly end: string; readonly id: string }) =>
    trx
      .updateTable('register_head')
      .set({ expired_end: to.end, expired_id: to.id })
      .where('tenant', '=', tenant)
      .execute();
  // Those that ended before the first round are not told. After a clock was ahead, those that have yet to end are told when they do.
  if (end === '' || end > latestUsual(Date.parse(until))) {
    await setCursor({ end: until, id: LAST_ID });
    return false;
  }
  const rows = await trx
    .selectFrom('sod_exception')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(sql<boolean>`(ends, id) > (${end}, ${id})`)
    .where('ends', '<=', until)
    .orderBy('ends')
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute();
  const last = rows.at(-1);
  const isMore = rows.length === ROWS_AT_ONCE;
  if (last !== undefined) await setCursor(isMore ? { end: last.ends, id: last.id } : { end: until, id: LAST_ID });
  const expired = rows.filter((row) => exceptionStateAt(rowToDates(row), until) === 'EXPIRED');
  const events = expired.map((row) => ({
    type: 'sod.exception.expired' as const,
    resourceId: row.id,
    time: until,
    data: JSON.stringify(showSodException(rowToException(row), until)),
  }));
  await appendEvents(trx, tenant, events);
  return isMore;
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

/** A row that another transaction has locked is about to change: the tenant stays behind. */
async function clearBehind(
  trx: Transaction<Tables>,
  tenant: string,
  { identityRevision, policySetVersion }: PublishedRound,
): Promise<void> {
  const skipping = isPostgres(trx) ? sql`for update skip locked` : sql``;
  await sql`
    update tenant set register_behind_since = null
    where tenant = ${tenant} and register_behind_since is not null and tenant in (
      select tenant from tenant where tenant = ${tenant} and identity_revision = ${identityRevision}
        and policy_set_version = ${policySetVersion} ${skipping}
    )`.execute(trx);
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
