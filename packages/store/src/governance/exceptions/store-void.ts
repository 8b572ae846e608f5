import { exceptionStateAt, newEvent, showSodException } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import type { Database } from '../../engine/database.ts';
import { tenantScope } from '../../engine/scope.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import type { SodExceptionRow, Tables } from '../../schema/tables.ts';
import { rowToException } from './codec.ts';
import { markControlled } from './mark-controlled.ts';
import { raiseRevisions } from './revisions.ts';
import type { ConflictScope } from './seen-conflicts.ts';

const ROWS_AT_ONCE = 250;

/** Marks exceptions as void in batches and publishes the events. Those that have ended meanwhile stay as they are. */
export async function storeVoid(database: Database, scope: ConflictScope, ids: ReadonlySet<string>): Promise<void> {
  for (const some of inParts(ids, ROWS_AT_ONCE)) {
    await database.write(tenantScope(scope.tenant), async (trx) =>
      publishVoided(trx, scope, await storeVoidIn(trx, scope, some)),
    );
  }
}

/** Marks exceptions as void, and returns those to publish with `publishVoided`. */
export async function storeVoidIn(
  trx: Transaction<Tables>,
  scope: ConflictScope,
  ids: readonly string[],
): Promise<readonly SodExceptionRow[]> {
  if (ids.length === 0) return [];
  const rows = await markVoid(trx, scope, ids).execute();
  const approved = rows.filter((row) => row.approved !== null);
  await markControlled(
    trx,
    scope,
    rows.map(({ id }) => id),
  );
  await raiseRevisions(trx, scope.tenant, [...new Set(approved.map(({ identity_id }) => identity_id))]);
  return rows;
}

/** Call it last: other writes that tell something wait from then on. */
export const publishVoided = (
  trx: Transaction<Tables>,
  { tenant, now: time }: ConflictScope,
  rows: readonly SodExceptionRow[],
): Promise<void> => {
  const exceptions = rows.map(rowToException).filter((exception) => exceptionStateAt(exception, time) === 'VOID');
  const toEvent = (data: ReturnType<typeof showSodException>) =>
    newEvent('sod.exception.voided', data.id, { time, data });
  return appendEvents(
    trx,
    tenant,
    exceptions.map((exception) => toEvent(showSodException(exception, time))),
  );
};

/** `coalesce` keeps PostgreSQL off the partial index of open exceptions, which it would read as a whole while it has no statistics. */
export const markVoid = (trx: Transaction<Tables>, { tenant, now }: ConflictScope, ids: readonly string[]) =>
  trx
    .updateTable('sod_exception')
    .set({ voided: now })
    .where('tenant', '=', tenant)
    .where('id', 'in', ids)
    .where(sql<boolean>`coalesce(revoked, voided) is null`)
    .returningAll();
