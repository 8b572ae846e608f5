import { showSodException } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import { appendEvents } from '../events/append-events.ts';
import { rowToException } from '../exceptions/codec.ts';
import { insertRows } from '../rows/insert.ts';
import type { Tables } from '../schema/tables.ts';
import { writeHeld } from './apply.ts';
import { type KnownPolicy, latestUsual, type RegisterClaim } from './claim.ts';
import type { RegisterMaintenance, RegisterRound } from './maintenance.ts';

const ROWS_AT_ONCE = 200;

/** The writes around the batches of a round. */
export function createRounds(
  database: Database,
): Pick<
  RegisterMaintenance,
  'savePolicies' | 'clearOwners' | 'forgetDeletions' | 'tellExpired' | 'removeEnded' | 'finish'
> {
  return {
    savePolicies: (claim, policies, gone) =>
      writeHeld(database, claim, async (trx) => {
        await savePolicies(trx, claim.tenant, policies);
        if (gone.length === 0) return true;
        await trx
          .deleteFrom('register_policy')
          .where('tenant', '=', claim.tenant)
          .where('policy_id', 'in', gone)
          .where('open', '=', 0)
          .where('mitigated', '=', 0)
          .execute();
        return true;
      }),
    clearOwners: (claim, ownerIds, at) =>
      writeHeld(database, claim, (trx) => clearOwners(trx, claim.tenant, { ownerIds, at })),
    forgetDeletions: (claim, revision) =>
      writeHeld(database, claim, (trx) => forgetDeletions(trx, claim.tenant, revision)),
    tellExpired: (claim, until) => writeHeld(database, claim, (trx) => tellExpired(trx, claim.tenant, until)),
    removeEnded: (claim, before) => writeHeld(database, claim, (trx) => removeEnded(trx, claim.tenant, before)),
    finish: (claim, round) => writeHeld(database, claim, (trx) => finish(trx, claim, round)),
  };
}

async function savePolicies(trx: Transaction<Tables>, tenant: string, policies: readonly KnownPolicy[]): Promise<void> {
  const rows = policies.map(({ policyId, name, levelRank, terms }) => ({
    ...{ tenant, policy_id: policyId, name, level_rank: levelRank, terms, open: 0, mitigated: 0 },
    ...{ oldest: null, oldest_id: null },
  }));
  const onConflict = () => sql`on conflict (tenant, policy_id) do update
    set name = excluded.name, level_rank = excluded.level_rank, terms = excluded.terms`;
  await insertRows(trx, { table: 'register_policy', onConflict }, rows);
  await trx
    .updateTable('register_head')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('tenant', '=', tenant)
    .execute();
}

async function clearOwners(
  trx: Transaction<Tables>,
  tenant: string,
  { ownerIds, at }: { readonly ownerIds: readonly string[]; readonly at: string },
): Promise<true | 'more'> {
  const { numUpdatedRows } = await trx
    .updateTable('sod_violation')
    .set({ owner_id: null, modified: at })
    .where('tenant', '=', tenant)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sod_violation')
        .select('id')
        .where('tenant', '=', tenant)
        .where('owner_id', 'in', ownerIds)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows >= ROWS_AT_ONCE ? 'more' : true;
}

/** Exceptions that were revoked or voided before their end do not expire. */
async function tellExpired(trx: Transaction<Tables>, tenant: string, until: string): Promise<true | 'more'> {
  const head = await trx
    .selectFrom('register_head')
    .select(['expired_end', 'expired_id'])
    .where('tenant', '=', tenant)
    .executeTakeFirstOrThrow();
  const after = head.expired_end === '' ? { end: until, id: LAST_ID } : { end: head.expired_end, id: head.expired_id };
  const rows = await trx
    .selectFrom('sod_exception')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(sql<boolean>`(ends, id) > (${after.end}, ${after.id})`)
    .where('ends', '<=', until)
    .orderBy('ends')
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute();
  const isMore = rows.length === ROWS_AT_ONCE;
  const last = rows.at(-1);
  const told = isMore && last !== undefined ? { end: last.ends, id: last.id } : { end: until, id: LAST_ID };
  if (told.end > after.end || (told.end === after.end && told.id > after.id) || head.expired_end === '')
    await trx
      .updateTable('register_head')
      .set({ expired_end: told.end, expired_id: told.id })
      .where('tenant', '=', tenant)
      .execute();
  const expired = rows.filter(({ revoked, voided, ends }) => revoked === null && (voided === null || voided >= ends));
  const toEvent = (row: (typeof rows)[number]) => ({
    type: 'sod.exception.expired' as const,
    subject: `/sod-exceptions/v1/${row.id}`,
    time: until,
    data: JSON.stringify(showSodException(rowToException(row), until)),
  });
  await appendEvents(trx, tenant, expired.map(toEvent));
  return isMore ? 'more' : true;
}

// The last character there is: sorts after every id.
const LAST_ID = '\u{10ffff}';

async function removeEnded(trx: Transaction<Tables>, tenant: string, before: string): Promise<true | 'more'> {
  const { numDeletedRows } = await trx
    .deleteFrom('sod_violation')
    .where('tenant', '=', tenant)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sod_violation')
        .select('id')
        .where('tenant', '=', tenant)
        .where('closed', '<', before)
        .orderBy('closed')
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  if (numDeletedRows >= ROWS_AT_ONCE) return 'more';
  await trx.deleteFrom('register_day').where('tenant', '=', tenant).where('day', '<', before.slice(0, 10)).execute();
  return true;
}

async function finish(
  trx: Transaction<Tables>,
  { tenant, asOf: before }: RegisterClaim,
  round: RegisterRound,
): Promise<true> {
  const { identityRevision, policySetVersion, changeId, asOf } = round;
  await trx
    .updateTable('register_head')
    .set({
      ...{ lease_end_ms: 0, identity_revision: identityRevision, policy_set_version: policySetVersion },
      ...{ change_id: changeId, as_of: asOf, identities: round.identities },
      ...(round.compareDue === null ? {} : { compare_due: round.compareDue }),
      ...(round.corrected === null ? {} : { compared: asOf, corrected: round.corrected }),
    })
    .where('tenant', '=', tenant)
    .execute();
  // After a clock was ahead, exceptions that have yet to end are told when they do.
  await trx
    .updateTable('register_head')
    .set({ expired_end: asOf, expired_id: LAST_ID })
    .where('tenant', '=', tenant)
    .where('expired_end', '>', latestUsual(Date.parse(asOf)))
    .execute();
  // A row that another transaction has locked is about to change: the tenant stays behind.
  const skipping = isPostgres(trx) ? sql`for update skip locked` : sql``;
  await sql`
    update tenant set is_register_behind = 0 where tenant = ${tenant} and is_register_behind = 1 and tenant in (
      select tenant from tenant where tenant = ${tenant} and identity_revision = ${identityRevision}
        and policy_set_version = ${policySetVersion} ${skipping}
    )`.execute(trx);
  // Read last: an exception that is not committed by now marks the register as behind after this transaction.
  const due = await nextDue(trx, tenant);
  await trx.updateTable('register_head').set({ next_due: due }).where('tenant', '=', tenant).execute();
  // The planner of PostgreSQL knows nothing of a table that was just filled, and would sort the policies of a summary.
  if (before === null && isPostgres(trx)) await sql`analyze (skip_locked) register_policy`.execute(trx);
  return true;
}

/** The next instant at which time alone changes the register, or an exception expires. */
async function nextDue(trx: Transaction<Tables>, tenant: string): Promise<string | null> {
  const { rows } = await sql<{ due: string | null }>`
    select min(due) as due from (
      select min(due) as due from register_due where tenant = ${tenant}
      union all select min(ends) from sod_exception
      where tenant = ${tenant} and ends > (select expired_end from register_head where tenant = ${tenant})
    ) as dues`.execute(trx);
  return rows[0]?.due ?? null;
}

async function forgetDeletions(trx: Transaction<Tables>, tenant: string, revision: number): Promise<true | 'more'> {
  const { rows } = await sql<{ identity_id: string }>`
    delete from identity_deletion where tenant = ${tenant} and (revision, identity_id) in (
      select revision, identity_id from identity_deletion where tenant = ${tenant} and revision <= ${revision}
      order by revision, identity_id limit ${ROWS_AT_ONCE}
    ) returning identity_id`.execute(trx);
  return rows.length >= ROWS_AT_ONCE ? 'more' : true;
}
