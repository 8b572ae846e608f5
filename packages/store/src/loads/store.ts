import {
  type AuditContext,
  type Conflict,
  type Failure,
  fail,
  failure,
  LOADS_KEPT_MAX,
  type Load,
  type NotFound,
  ok,
  type Result,
} from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { findSource } from '../access/sources/store.ts';
import type { Database } from '../engine/database.ts';
import { changeScope } from '../engine/scope.ts';
import { insertMissing } from '../query/insert.ts';
import { countRows } from '../query/total.ts';
import type { SourceLoadRow, Tables } from '../schema/tables.ts';
import { CANCELLED, openUntilMs, rowToLoad } from './codec.ts';
import type { LoadKey, LoadStore, NewLoad } from './load.ts';
import { writePart } from './pieces.ts';
import { removeExpired } from './removal.ts';
import { createLoadWork } from './work.ts';

const NO_SOURCE: NotFound = failure('NotFound', '', 'There is no such source.');
const NO_LOAD: NotFound = failure('NotFound', '', 'There is no such load.');
const OTHER_LOAD: Conflict = failure('Conflict', '', 'another load of this source is open or runs');
const NOT_OPEN: Conflict = failure('Conflict', '', 'the load is not open any more');

export function createLoadStore(database: Database): LoadStore {
  return {
    create: (auditContext, load) =>
      database.write(changeScope(auditContext), async (trx): Promise<Result<Load, Failure>> => {
        const { tenant, time } = auditContext;
        if ((await findSource(trx, tenant, load.source)) === null) return fail(NO_SOURCE);
        if (await isLoading(trx, tenant, { ...load, time })) return fail(OTHER_LOAD);
        await endEarlier(trx, tenant, load.source);
        const row = newRow(auditContext, load, await nextNumber(trx, tenant));
        await insertMissing(trx, 'source_load', [row]);
        return ok(rowToLoad(row));
      }),
    putPart: (auditContext, { part, ...load }) =>
      database.writeAlone(changeScope(auditContext, 'loads'), async (trx): Promise<Result<null, Failure>> => {
        const { tenant, time } = auditContext;
        const row = await findRow(trx, tenant, load);
        if (row === null) return fail(NO_LOAD);
        // Locks the row: a commit waits for this part.
        const { numUpdatedRows } = await trx
          .updateTable('source_load')
          .set({ attempts: 0 })
          .where('tenant', '=', tenant)
          .where('load_id', '=', load.loadId)
          .where('state', '=', 'OPEN')
          .where('due_ms', '>', Date.parse(time))
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return fail(NOT_OPEN);
        await writePart(trx, { tenant, loadId: load.loadId }, { ...load, part });
        return ok(null);
      }),
    commit: (auditContext, { confirmed, ...load }) =>
      database.write(changeScope(auditContext), async (trx): Promise<Result<Load, Failure>> => {
        const { authorization: _, ...by } = auditContext;
        const { tenant, time } = by;
        const row = await findRow(trx, tenant, load);
        if (row === null) return fail(NO_LOAD);
        if (!canRun(row, time)) return fail(failure('Conflict', '', `the load is ${row.state}: open another one`));
        if (row.state === 'REFUSED' && (await isLoading(trx, tenant, { ...load, time }))) return fail(OTHER_LOAD);
        const running = {
          state: 'RUNNING',
          committed: time,
          completed: null,
          audit_context: JSON.stringify(by),
          confirmed,
          attempts: 0,
          claimable_at_ms: 0,
          progress: null,
          reason: null,
          deletes: null,
          summary: null,
          due_ms: null,
        };
        await trx
          .updateTable('source_load')
          .set(running)
          .where('tenant', '=', tenant)
          .where('load_id', '=', load.loadId)
          .execute();
        return ok(rowToLoad({ ...row, ...running }));
      }),
    cancel: (auditContext, load) =>
      database.write(changeScope(auditContext), async (trx): Promise<Result<null, Failure>> => {
        const { tenant, time } = auditContext;
        const row = await findRow(trx, tenant, load);
        if (row === null) return fail(NO_LOAD);
        if (row.state !== 'OPEN' || !isDue(row, time)) return fail(NOT_OPEN);
        await trx
          .updateTable('source_load')
          .set({ state: CANCELLED, due_ms: 0 })
          .where('tenant', '=', tenant)
          .where('load_id', '=', load.loadId)
          .execute();
        return ok(null);
      }),
    find: (tenant, load) =>
      database.read(async (db) => {
        const row = await findRow(db, tenant, load);
        return row === null ? null : rowToLoad(row);
      }),
    list: (tenant, source, { limit, offset }) =>
      database.read(async (db) => {
        const rows = await loadsOf(db, tenant, source)
          .selectAll()
          .orderBy('number', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        return rows.map(rowToLoad);
      }),
    count: (tenant, source) => database.read((db) => countRows(loadsOf(db, tenant, source))),
    ...createLoadWork(database),
    removeExpired: (nowMs) => removeExpired(database, nowMs),
  };
}

const loadsOf = (db: Kysely<Tables>, tenant: string, source: string) =>
  db
    .selectFrom('source_load')
    .where('tenant', '=', tenant)
    .where('source_id', '=', source)
    .where('state', '<>', CANCELLED);

async function findRow(db: Kysely<Tables>, tenant: string, { source, loadId }: LoadKey): Promise<SourceLoadRow | null> {
  const row = await loadsOf(db, tenant, source).selectAll().where('load_id', '=', loadId).executeTakeFirst();
  return row ?? null;
}

/** Whether the time of an open load, or of one that can be confirmed, has not ended. */
const isDue = ({ due_ms }: SourceLoadRow, time: string): boolean => due_ms !== null && due_ms > Date.parse(time);

const canRun = (row: SourceLoadRow, time: string): boolean =>
  isDue(row, time) && (row.state === 'OPEN' || (row.state === 'REFUSED' && row.reason === 'DELETES_ABOVE_THRESHOLD'));

/** Whether a load of the source is open or runs. */
async function isLoading(
  trx: Transaction<Tables>,
  tenant: string,
  { source, time }: { readonly source: string; readonly time: string },
): Promise<boolean> {
  const row = await loadsOf(trx, tenant, source)
    .select('load_id')
    .where((eb) =>
      eb.or([eb('state', '=', 'RUNNING'), eb.and([eb('state', '=', 'OPEN'), eb('due_ms', '>', Date.parse(time))])]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What was refused cannot be confirmed any more; of what has ended, the latest stay. */
async function endEarlier(trx: Transaction<Tables>, tenant: string, source: string): Promise<void> {
  await trx
    .updateTable('source_load')
    .set({ due_ms: 0 })
    .where('tenant', '=', tenant)
    .where('source_id', '=', source)
    .where('due_ms', '>', 0)
    .execute();
  await sql`
    delete from source_load where tenant = ${tenant} and load_id in (
      select load_id from source_load where tenant = ${tenant} and source_id = ${source} and due_ms is null
      order by number desc limit ${LOADS_KEPT_MAX} offset ${LOADS_KEPT_MAX - 1}
    )`.execute(trx);
}

async function nextNumber(trx: Transaction<Tables>, tenant: string): Promise<number> {
  const last = await trx
    .selectFrom('source_load')
    .select('number')
    .where('tenant', '=', tenant)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (last?.number ?? 0) + 1;
}

const newRow = (
  { tenant, time }: AuditContext,
  { source, loadId, mode, dryRun }: NewLoad,
  number: number,
): SourceLoadRow => ({
  tenant,
  load_id: loadId,
  source_id: source,
  number,
  mode,
  dry_run: Number(dryRun),
  state: 'OPEN',
  attempts: 0,
  fence: 0,
  claimable_at_ms: 0,
  created: time,
  committed: null,
  completed: null,
  audit_context: null,
  confirmed: null,
  reason: null,
  deletes: null,
  message: null,
  progress: null,
  summary: null,
  due_ms: openUntilMs(time),
});
