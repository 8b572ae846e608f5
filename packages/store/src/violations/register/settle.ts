import { showSodException } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { isPostgres } from '../../engine/is-postgres.ts';
import { appendEvents } from '../../events/append-events.ts';
import { rowToException } from '../../exceptions/codec.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { SodViolationRow, Tables } from '../../schema/tables.ts';
import { saveDue } from './apply.ts';
import type { StagedContent } from './batch.ts';
import type { RegisterClaim } from './claim.ts';
import { extendLease, writeHeld } from './held.ts';
import { LAST_ID, nextDue } from './next-due.ts';
import {
  type EventOfViolation,
  eventAtEnd,
  eventOfCoverage,
  eventsOf,
  type ViolationEvent,
} from './violation-events.ts';

const ROWS_AT_ONCE = 200;

/** Removes a part of what earlier claims have staged and not concluded; `more` while something may be left. */
export const takeBackStaged = (
  database: Database,
  claim: RegisterClaim,
  leaseEndMs: number,
): Promise<boolean | 'more'> =>
  writeHeld(database, claim, async (trx) => {
    await extendLease(trx, claim, { leaseEndMs });
    const { round } = await readSettled(trx, claim.tenant);
    const batch = await stagedOf(trx, claim.tenant).where('round', '>', round).executeTakeFirst();
    if (batch === undefined) return true;
    await takeBack(trx, batch);
    return 'more';
  });

/** Settles a part of what rounds have left; `more` while something may be left. Then the lease ends, unless the claim goes on. */
export const settleRounds = (
  database: Database,
  claim: RegisterClaim,
  { leaseEndMs, goesOn }: { readonly leaseEndMs: number; readonly goesOn: boolean },
): Promise<boolean | 'more'> =>
  writeHeld(database, claim, async (trx) => {
    const { tenant } = claim;
    await extendLease(trx, claim, { leaseEndMs });
    const head = await readSettled(trx, tenant);
    for (const settle of [settleNext, clearOwners, appendExpired]) if (await settle(trx, head)) return 'more';
    await trx
      .updateTable('register_head')
      .set({ is_unsettled: 0, ...(goesOn ? {} : { lease_end_ms: 0 }) })
      .where('tenant', '=', tenant)
      .execute();
    const due = await nextDue(trx, tenant, { after: '' });
    await trx.updateTable('register_head').set({ next_due: due }).where('tenant', '=', tenant).execute();
    return true;
  });

type Head = Tables['register_head'];

const readSettled = (trx: Transaction<Tables>, tenant: string): Promise<Head> =>
  trx.selectFrom('register_head').selectAll().where('tenant', '=', tenant).executeTakeFirstOrThrow();

type StagedBatch = Pick<Tables['register_staged'], 'tenant' | 'round' | 'number' | 'content'>;

const stagedOf = (trx: Transaction<Tables>, tenant: string) => {
  const query = trx
    .selectFrom('register_staged')
    .select(['tenant', 'round', 'number', 'content'])
    .where('tenant', '=', tenant)
    .orderBy('round')
    .orderBy('number')
    .limit(1);
  // A caller that changes a violation may settle its batch first.
  return query.forUpdate();
};

/** Settles the next batch of a concluded round; whether there was one. */
async function settleNext(trx: Transaction<Tables>, head: Head): Promise<boolean> {
  const batch = await stagedOf(trx, head.tenant).where('round', '<=', head.round).executeTakeFirst();
  if (batch === undefined) return false;
  await settleBatch(trx, batch, head.as_of);
  return true;
}

/**
 * Settles what was concluded of violations and identities, if it was not settled yet, before something else is stored or told
 * of them. Call it for a few: each can take as long as a batch.
 */
export async function settleOf(trx: Transaction<Tables>, tenant: string, ids: Iterable<string>): Promise<void> {
  const head = await trx
    .selectFrom('register_head')
    .select(['round', 'as_of'])
    .where('tenant', '=', tenant)
    .where('is_unsettled', '=', 1)
    .executeTakeFirst();
  if (head === undefined) return;
  for (const id of ids)
    for (;;) {
      const batch = await stagedOf(trx, tenant)
        .where('round', '<=', head.round)
        .where(contains(trx, JSON.stringify(id)))
        .executeTakeFirst();
      if (batch === undefined) break;
      await settleBatch(trx, batch, head.as_of);
    }
}

const contains = (trx: Transaction<Tables>, text: string) =>
  isPostgres(trx) ? sql<boolean>`strpos(content, ${text}) > 0` : sql<boolean>`instr(content, ${text}) > 0`;

/** Tells of a batch of a concluded round, and removes what it has replaced. */
async function settleBatch(trx: Transaction<Tables>, batch: StagedBatch, asOf: string): Promise<void> {
  const { tenant, round } = batch;
  const { ids, due }: StagedContent = JSON.parse(batch.content);
  const shown = await rowsOf(trx, batch, ids).where('from_round', '=', round).execute();
  const replaced = await removeReplaced(trx, { tenant, round, ids });
  await saveDue(trx, tenant, due);
  await removeBatch(trx, batch);
  const events = shown.flatMap((row): EventOfViolation[] => {
    const event = eventOf(row, replaced.get(row.id));
    return event === null ? [] : [{ event, row }];
  });
  await appendEvents(trx, tenant, await eventsOf(trx, events, asOf));
}

type Replaced = Pick<SodViolationRow, 'exception_id'>;

function eventOf(row: SodViolationRow, replaced: Replaced | undefined): ViolationEvent | null {
  if (replaced === undefined) return 'opened';
  if (row.closed !== null) return eventAtEnd(row.status);
  return eventOfCoverage(replaced.exception_id !== null, row.exception_id !== null);
}

const rowsOf = (trx: Transaction<Tables>, { tenant }: StagedBatch, ids: readonly string[]) =>
  trx
    .selectFrom('sod_violation')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'id', ids))
    .orderBy('id');

interface BatchIds {
  readonly tenant: string;
  readonly round: number;
  readonly ids: readonly string[];
}

async function removeReplaced(
  trx: Transaction<Tables>,
  { tenant, round, ids }: BatchIds,
): Promise<ReadonlyMap<string, Replaced>> {
  const rows = await trx
    .deleteFrom('sod_violation')
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'id', ids))
    .where('until_round', '=', round)
    .returning(['id', 'exception_id'])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Removes a batch of a round that was not concluded. */
async function takeBack(trx: Transaction<Tables>, batch: StagedBatch): Promise<void> {
  const { tenant, round } = batch;
  const { ids }: StagedContent = JSON.parse(batch.content);
  await trx
    .deleteFrom('sod_violation')
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'id', ids))
    .where('from_round', '=', round)
    .execute();
  await trx
    .updateTable('sod_violation')
    .set({ until_round: null })
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'id', ids))
    .where('until_round', '=', round)
    .execute();
  await removeBatch(trx, batch);
}

const removeBatch = (trx: Transaction<Tables>, { tenant, round, number }: StagedBatch) =>
  trx
    .deleteFrom('register_staged')
    .where('tenant', '=', tenant)
    .where('round', '=', round)
    .where('number', '=', number)
    .execute();

/**
 * Clears deleted owners from violations in batches, then drops the list of deletions; true if there were any. Ended violations
 * keep showing their owner.
 */
async function clearOwners(trx: Transaction<Tables>, head: Head): Promise<boolean> {
  const { tenant, identity_revision: revision } = head;
  const deleted = await trx
    .selectFrom('identity_deletion')
    .select(['revision', 'identity_id'])
    .where('tenant', '=', tenant)
    .where('revision', '<=', revision)
    .orderBy('revision')
    .orderBy('identity_id')
    .limit(ROWS_AT_ONCE)
    .execute();
  const last = deleted.at(-1);
  if (last === undefined) return false;
  const { numUpdatedRows } = await trx
    .updateTable('sod_violation')
    .set({
      owner_id: null,
      former_owner_id: sql`case when closed is null then null else owner_id end`,
      modified: sql`case when closed is null then ${head.as_of} else modified end`,
    })
    .where('tenant', '=', tenant)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sod_violation')
        .select('id')
        .where('tenant', '=', tenant)
        .where(
          'owner_id',
          'in',
          deleted.map(({ identity_id }) => identity_id),
        )
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  if (numUpdatedRows >= ROWS_AT_ONCE) return true;
  await trx
    .deleteFrom('identity_deletion')
    .where('tenant', '=', tenant)
    .where(sql<boolean>`(revision, identity_id) <= (${last.revision}, ${last.identity_id})`)
    .execute();
  return true;
}

/** Tells of exceptions that have expired, each once; whether there may be more. Those that were revoked or voided before their end do not expire. */
async function appendExpired(trx: Transaction<Tables>, head: Head): Promise<boolean> {
  const { tenant, as_of: until } = head;
  const after = { end: head.expired_end, id: head.expired_id };
  if (after.end === '' || until === '') return false;
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
  const through = isMore && last !== undefined ? { end: last.ends, id: last.id } : { end: until, id: LAST_ID };
  if (through.end > after.end || (through.end === after.end && through.id > after.id))
    await trx
      .updateTable('register_head')
      .set({ expired_end: through.end, expired_id: through.id })
      .where('tenant', '=', tenant)
      .execute();
  const expired = rows.filter(({ revoked, voided, ends }) => revoked === null && (voided === null || voided >= ends));
  const toEvent = (row: (typeof rows)[number]) => ({
    type: 'sod.exception.expired' as const,
    resourceId: row.id,
    time: until,
    data: JSON.stringify(showSodException(rowToException(row), until)),
  });
  await appendEvents(trx, tenant, expired.map(toEvent));
  return isMore;
}
