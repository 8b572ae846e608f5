import { sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { SodViolationRow, Tables } from '../../schema/tables.ts';
import { ownerName } from '../records/owner-name.ts';
import { groupByEnd, setEnd } from './apply.ts';
import type { ChangedViolation, EndedViolation, NextDue, RegisterBatch, StagedContent } from './batch.ts';
import type { RegisterClaim } from './claim.ts';
import {
  countChanged,
  countEnded,
  countOpened,
  countsToJson,
  countTakenBack,
  createCounts,
  type RegisterCounts,
} from './counts.ts';
import { extendLease, isHeld, scopeOf } from './held.ts';
import type { StoredViolation } from './present.ts';
import {
  changedRows,
  countedOfFound,
  countedOfStored,
  insertOpened,
  insertViolations,
  rewriteViolations,
} from './rows.ts';

/** Thrown when another worker took the register during a write, of which nothing is stored then. */
class RegisterLost extends Error {}

/**
 * Stores a part of a round that readers do not see yet; false when another worker has taken the register. PostgreSQL inserts
 * the violations that began while it stores the batch before.
 */
export async function stageBatch(
  database: Database,
  claim: RegisterClaim,
  { batch, leaseEndMs }: { readonly batch: RegisterBatch; readonly leaseEndMs: number },
): Promise<boolean> {
  const { tenant, fence: round } = claim;
  try {
    return await database.writeInParts(scopeOf(claim), {
      begin: async (trx) =>
        (await isHeld(trx, claim)) ? insertOpened(trx, tenant, { opened: batch.opened, round }) : null,
      complete: async (trx, openedRows) => {
        if (openedRows === null) return false;
        // The next claim settles what is staged if this one does not conclude its round.
        if (!(await extendLease(trx, claim, { leaseEndMs, isUnsettled: true }))) throw new RegisterLost();
        await stageRest(trx, claim, { batch, openedRows });
        return true;
      },
    });
  } catch (error) {
    if (error instanceof RegisterLost) return false;
    throw error;
  }
}

interface BegunBatch {
  readonly batch: RegisterBatch;
  /** The rows of `batch.opened`. */
  readonly openedRows: readonly SodViolationRow[];
}

/** Stages a batch within a transaction. */
export async function stageRest(
  trx: Transaction<Tables>,
  { tenant, fence: round }: Pick<RegisterClaim, 'tenant' | 'fence'>,
  { batch: { opened, changed, ended, due }, openedRows }: BegunBatch,
): Promise<RegisterCounts> {
  const counts = createCounts();
  for (const [place, { found }] of opened.entries()) {
    const row = openedRows[place];
    if (row !== undefined) countOpened(counts, countedOfFound(found), row);
  }
  // What this round has staged before is no row that readers see.
  const isOwn = ({ stored }: { readonly stored: StoredViolation }) => stored.from_round === round;
  await rewriteViolations(
    trx,
    changedRows(tenant, changed.filter(isOwn), () => round),
  );
  await replaceChanged(
    trx,
    { tenant, round },
    changed.filter((each) => !isOwn(each)),
  );
  for (const { stored, found, at } of changed)
    countChanged(counts, { before: countedOfStored(stored), after: countedOfFound(found) }, at);
  await replaceEnded(
    trx,
    { tenant, round },
    ended.filter((each) => !isOwn(each)),
  );
  const takenBack = await endOwn(trx, { tenant, round }, ended.filter(isOwn));
  for (const { stored, at } of ended) {
    if (takenBack.has(stored.id)) countTakenBack(counts, countedOfStored(stored), stored.created);
    else countEnded(counts, countedOfStored(stored), at);
  }
  const replaced = [...changed, ...ended].filter((each) => !isOwn(each)).map(({ stored }) => stored.id);
  const content: StagedContent = { ids: [...openedRows.map(({ id }) => id), ...replaced], due };
  const { last } = await trx
    .selectFrom('register_staged')
    .select(sql<number>`coalesce(max(number), 0)`.as('last'))
    .where('tenant', '=', tenant)
    .where('round', '=', round)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('register_staged')
    .values({
      tenant,
      round,
      content: JSON.stringify(content),
      counts: countsToJson(counts),
      first_due: firstDueOf(due),
      number: last + 1,
    })
    .execute();
  return counts;
}

const firstDueOf = (dues: readonly NextDue[]): string | null =>
  dues.reduce<string | null>((first, { due }) => (first === null || (due !== null && due < first) ? due : first), null);

interface Round {
  readonly tenant: string;
  readonly round: number;
}

/** Marks the rows that readers see until the round is concluded. Callers that change one wait for the end of the transaction. */
async function markReplaced(
  trx: Transaction<Tables>,
  { tenant, round }: Round,
  violations: readonly { readonly stored: StoredViolation }[],
): Promise<readonly string[]> {
  const ids = violations.map(({ stored }) => stored.id);
  if (ids.length > 0)
    await trx
      .updateTable('sod_violation')
      .set({ until_round: round })
      .where('tenant', '=', tenant)
      .where(isOneOf(trx, 'id', ids))
      .where('until_round', 'is', null)
      .execute();
  return ids;
}

async function replaceChanged(
  trx: Transaction<Tables>,
  round: Round,
  changed: readonly ChangedViolation[],
): Promise<void> {
  const ids = await markReplaced(trx, round, changed);
  if (ids.length === 0) return;
  await insertViolations(
    trx,
    changedRows(round.tenant, changed, () => round.round),
  );
  await sql`
    update sod_violation set owner_id = (
      select owner_id from sod_violation as replaced where replaced.tenant = ${round.tenant}
        and replaced.id = sod_violation.id and replaced.until_round = ${round.round}
    ) where tenant = ${round.tenant} and ${isOneOf(trx, 'id', ids)} and from_round = ${round.round}`.execute(trx);
}

async function replaceEnded(
  trx: Transaction<Tables>,
  { tenant, round }: Round,
  ended: readonly EndedViolation[],
): Promise<void> {
  for (const { status, at, ended: group } of groupByEnd(ended)) {
    const ids = await markReplaced(trx, { tenant, round }, group);
    await sql`
      insert into sod_violation (tenant, id, from_round, identity_id, policy_id, status, level_rank, created, modified,
        closed, owner_id, policy_name, target_name, criteria, ended_owner_name)
      select tenant, id, ${sql.lit(round)}, identity_id, policy_id, ${status}, level_rank, created, ${at},
        ${at}, owner_id, policy_name, target_name, criteria, ${ownerName(tenant)}
      from sod_violation where tenant = ${tenant} and ${isOneOf(trx, 'id', ids)} and until_round = ${round}`.execute(
      trx,
    );
  }
}

/**
 * Ends violations whose rows are of this round. One that began in it was never shown: it is removed, and nothing is kept or
 * told of it. Returns the ids of those.
 */
async function endOwn(
  trx: Transaction<Tables>,
  { tenant, round }: Round,
  ended: readonly EndedViolation[],
): Promise<ReadonlySet<string>> {
  const ids = ended.map(({ stored }) => stored.id);
  if (ids.length === 0) return new Set();
  const removed = await trx
    .deleteFrom('sod_violation')
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'sod_violation.id', ids))
    .where('from_round', '=', round)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sod_violation as replaced')
            .select('replaced.id')
            .where('replaced.tenant', '=', tenant)
            .whereRef('replaced.id', '=', 'sod_violation.id')
            .where('replaced.until_round', '=', round),
        ),
      ),
    )
    .returning('id')
    .execute();
  const takenBack = new Set(removed.map(({ id }) => id));
  for (const group of groupByEnd(ended.filter(({ stored }) => !takenBack.has(stored.id))))
    await setEnd(trx, tenant, group).where('from_round', '=', round).execute();
  return takenBack;
}
