import { sql, type Transaction } from 'kysely';
import type { Database } from '../../../engine/database.ts';
import { insertRows } from '../../../query/insert.ts';
import { isOneOf } from '../../../query/one-of.ts';
import { appendEvents } from '../../../record/events/append-events.ts';
import type { SodViolationRow, Tables } from '../../../schema/tables.ts';
import type { ChangedViolation, NextDue, RegisterBatch } from './batch.ts';
import { keyOf, type RegisterClaim, type RegisterQueue, scopeOf } from './claim.ts';
import { countBatch } from './counts.ts';
import { ownerName } from './owners.ts';
import { insertOpened, rewriteChanged } from './rows.ts';
import {
  type EventOfViolation,
  eventAtEnd,
  eventOfCoverage,
  eventsOf,
  type ViolationEvent,
} from './violation-events.ts';

/** Stores differences, their counts and events in one transaction; false if another worker holds the register. */
export const applyBatch = (
  { database, queue }: { readonly database: Database; readonly queue: Pick<RegisterQueue, 'hold'> },
  claim: RegisterClaim,
  batch: RegisterBatch,
): Promise<boolean> =>
  database.write(scopeOf(claim), async (trx) => {
    if (!(await queue.hold(trx, keyOf(claim)))) return false;
    const { tenant } = claim;
    const { at } = batch;
    const opened = await insertOpened(trx, tenant, batch);
    await rewriteChanged(trx, tenant, batch);
    const ended = await endViolations(trx, tenant, batch);
    await saveDue(trx, tenant, batch.due);
    await countBatch(trx, tenant, batch);
    const events: EventOfViolation[] = [
      ...opened.map((row) => ({ event: 'opened', row }) as const),
      ...(await readChanged(trx, tenant, batch.changed)),
      ...ended.map((row) => ({ event: eventAtEnd(row.status), row })),
    ];
    await appendEvents(trx, tenant, await eventsOf(trx, events, at));
    return true;
  });

async function endViolations(
  trx: Transaction<Tables>,
  tenant: string,
  { ended, at }: RegisterBatch,
): Promise<readonly SodViolationRow[]> {
  const rows: SodViolationRow[] = [];
  for (const [status, group] of Map.groupBy(ended, (each) => each.status)) {
    const ids = group.map(({ stored }) => stored.id);
    const end = { status, closed: at, modified: at, exception_id: null, expiration: null };
    const query = trx
      .updateTable('sod_violation')
      .set({ ...end, ended_owner_name: ownerName(tenant) })
      .where('tenant', '=', tenant)
      .where(isOneOf(trx, 'id', ids))
      .returningAll();
    rows.push(...(await query.execute()));
  }
  return rows;
}

/** The events of changed violations. */
async function readChanged(
  trx: Transaction<Tables>,
  tenant: string,
  changed: readonly ChangedViolation[],
): Promise<readonly EventOfViolation[]> {
  const eventsById = new Map<string, ViolationEvent>();
  for (const { stored, found } of changed) {
    const event = eventOfCoverage(stored.isMitigated, found.exception !== null);
    if (event !== null) eventsById.set(stored.id, event);
  }
  if (eventsById.size === 0) return [];
  const rows = await trx
    .selectFrom('sod_violation')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(isOneOf(trx, 'id', [...eventsById.keys()]))
    .execute();
  return rows.flatMap((row) => {
    const event = eventsById.get(row.id);
    return event === undefined ? [] : { event, row };
  });
}

async function saveDue(trx: Transaction<Tables>, tenant: string, dues: readonly NextDue[]): Promise<void> {
  const gone = dues.flatMap(({ identityId, due }) => (due === null ? identityId : []));
  if (gone.length > 0)
    await trx
      .deleteFrom('register_due')
      .where('tenant', '=', tenant)
      .where(isOneOf(trx, 'identity_id', gone))
      .execute();
  const rows = dues.flatMap(({ identityId, due }) => (due === null ? [] : { tenant, identity_id: identityId, due }));
  const onConflict = () => sql`on conflict (tenant, identity_id) do update set due = excluded.due`;
  await insertRows(trx, { table: 'register_due', onConflict }, rows);
}
