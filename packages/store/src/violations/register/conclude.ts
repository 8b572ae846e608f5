import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { isPostgres } from '../../engine/is-postgres.ts';
import { warnOf } from '../../engine/warn-of.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { Tables } from '../../schema/tables.ts';
import { applyBatch } from './apply.ts';
import type { RegisterBatch } from './batch.ts';
import { latestUsual, type RegisterClaim } from './claim.ts';
import { addCounts, countsOfJson, createCounts, type RegisterCounts, storeCounts } from './counts.ts';
import { writeHeld } from './held.ts';
import type { RegisterRound } from './maintenance.ts';
import { LAST_ID, nextDue } from './next-due.ts';
import { insertOpened } from './rows.ts';
import { settleOf } from './settle.ts';
import { stageRest } from './stage.ts';
import { type EventOfViolation, eventsOf } from './violation-events.ts';

/** Shows a round to readers; `more` when something is left to settle. */
export async function concludeRound(
  database: Database,
  claim: RegisterClaim,
  { batch, round }: { readonly batch: RegisterBatch; readonly round: RegisterRound },
): Promise<boolean | 'more'> {
  const { tenant } = claim;
  // Nobody else writes them, and they may take longer to read than other writers should wait.
  const staged = await database.read((db) => readStaged(db, claim));
  const concluded = await writeHeld(database, claim, async (trx) => {
    if (staged === null) await settleOf(trx, tenant, touchedBy(batch));
    const { counts, events } =
      staged === null ? await applyBatch(trx, tenant, batch) : await stageLast(trx, claim, { batch, staged });
    await storeCounts(trx, tenant, { counts, changed: round.changed });
    const isUnsettled = await isAnythingLeft(trx, tenant, round);
    await moveHead(trx, claim, { round, isStaged: staged !== null, isUnsettled });
    await clearBehind(trx, tenant, round);
    // Read last: an exception that is not committed by now marks the register as behind after this transaction.
    const due = await nextDue(trx, tenant, { after: isUnsettled ? round.asOf : '' });
    await trx.updateTable('register_head').set({ next_due: due }).where('tenant', '=', tenant).execute();
    await appendEvents(trx, tenant, await eventsOf(trx, events, round.asOf));
    return isUnsettled && !round.goesOn ? 'more' : true;
  });
  if (claim.asOf === null) await analyze(database);
  return concluded;
}

/**
 * The planner of PostgreSQL knows nothing of tables that were just filled: it would sort the policies of a summary, and read all
 * violations of a tenant for those of a batch. A distributed table would be analyzed on all servers at once, so each does that by itself.
 */
const analyze = ({ read, isDistributed }: Database): Promise<unknown> =>
  read(async (db) => {
    if (isPostgres(db) && !isDistributed) await sql`analyze (skip_locked) register_policy, sod_violation`.execute(db);
  }).catch(warnOf);

/** The violations and identities of which something may be staged. */
const touchedBy = ({ changed, ended, due }: RegisterBatch): ReadonlySet<string> =>
  new Set([...[...changed, ...ended].map(({ stored }) => stored.id), ...due.map(({ identityId }) => identityId)]);

/** The counts of what the claim has staged; null for nothing. */
async function readStaged(db: Kysely<Tables>, { tenant, fence }: RegisterClaim): Promise<RegisterCounts | null> {
  const rows = await db
    .selectFrom('register_staged')
    .select('counts')
    .where('tenant', '=', tenant)
    .where('round', '=', fence)
    .orderBy('number')
    .execute();
  if (rows.length === 0) return null;
  const all = createCounts();
  for (const { counts } of rows) addCounts(all, countsOfJson(counts));
  return all;
}

interface LastBatch {
  readonly batch: RegisterBatch;
  /** The counts of all before. */
  readonly staged: RegisterCounts;
}

/** Stages the rest of a round, which is told when it is settled. */
async function stageLast(
  trx: Transaction<Tables>,
  claim: RegisterClaim,
  { batch, staged }: LastBatch,
): Promise<{ readonly counts: RegisterCounts; readonly events: readonly EventOfViolation[] }> {
  const { tenant, fence } = claim;
  const openedRows = await insertOpened(trx, tenant, { opened: batch.opened, round: fence });
  // The transaction may run again: what was read before it stays as it is.
  const counts = createCounts();
  addCounts(counts, staged);
  addCounts(counts, await stageRest(trx, claim, { batch, openedRows }));
  return { counts, events: [] };
}

interface Concluded {
  readonly round: RegisterRound;
  readonly isStaged: boolean;
  readonly isUnsettled: boolean;
}

async function moveHead(
  trx: Transaction<Tables>,
  { tenant, fence }: RegisterClaim,
  { round, isStaged, isUnsettled }: Concluded,
): Promise<void> {
  const { asOf, now } = round;
  await trx
    .updateTable('register_head')
    .set((eb) => ({
      identity_revision: round.identityRevision,
      policy_set_version: round.policySetVersion,
      change_id: round.changeId,
      as_of: asOf,
      identities: round.identities,
      revision: eb('revision', '+', 1),
      is_unsettled: isUnsettled ? 1 : 0,
      ...(isStaged ? { round: fence } : {}),
      ...(isUnsettled || round.goesOn ? {} : { lease_end_ms: 0 }),
      ...(round.compareDue === null ? {} : { compare_due: round.compareDue }),
      ...(round.corrected === null ? {} : { compared: asOf, corrected: round.corrected }),
    }))
    .where('tenant', '=', tenant)
    .execute();
  // Exceptions that ended before the first round are not told. After a clock was ahead, those that have yet to end are told when they do.
  await trx
    .updateTable('register_head')
    .set({ expired_end: asOf, expired_id: LAST_ID })
    .where('tenant', '=', tenant)
    .where(({ or, eb }) => or([eb('expired_end', '>', latestUsual(Date.parse(asOf))), eb('expired_end', '=', '')]))
    .execute();
  await trx
    .updateTable('register_head')
    .set({ confirmed: '' })
    .where('tenant', '=', tenant)
    .where('confirmed', '>', latestUsual(Date.parse(now)))
    .execute();
}

/** A row that another transaction has locked is about to change: the tenant stays behind. */
async function clearBehind(
  trx: Transaction<Tables>,
  tenant: string,
  { identityRevision, policySetVersion }: RegisterRound,
): Promise<void> {
  const skipping = isPostgres(trx) ? sql`for update skip locked` : sql``;
  await sql`
    update tenant set register_behind_since = null
    where tenant = ${tenant} and register_behind_since is not null and tenant in (
      select tenant from tenant where tenant = ${tenant} and identity_revision = ${identityRevision}
        and policy_set_version = ${policySetVersion} ${skipping}
    )`.execute(trx);
}

/** Whether something is staged, owners were deleted or exceptions have expired. */
async function isAnythingLeft(
  trx: Transaction<Tables>,
  tenant: string,
  { identityRevision, asOf }: RegisterRound,
): Promise<boolean> {
  const { rows } = await sql<{ due: number }>`
    select 1 as due from register_head where tenant = ${tenant} and (
      exists (select 1 from register_staged where tenant = ${tenant})
      or exists (select 1 from identity_deletion where tenant = ${tenant} and revision <= ${identityRevision})
      or (expired_end <> '' and exists (
        select 1 from sod_exception where tenant = ${tenant} and ends <= ${asOf}
          and (ends, id) > (expired_end, expired_id)))
    )`.execute(trx);
  return rows.length > 0;
}
