import { sql, type Transaction } from 'kysely';
import { insertRows } from '../../query/insert.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { SodViolationRow, Tables } from '../../schema/tables.ts';
import { ownerName } from '../records/owner-name.ts';
import type { ChangedViolation, EndedViolation, NextDue, RegisterBatch } from './batch.ts';
import { countChanged, countEnded, countOpened, createCounts, type RegisterCounts } from './counts.ts';
import { changedRows, countedOfFound, countedOfStored, insertOpened, rewriteViolations } from './rows.ts';
import { type EventOfViolation, eventAtEnd, eventOfCoverage, type ViolationEvent } from './violation-events.ts';

/** What a batch has done. */
interface AppliedBatch {
  readonly counts: RegisterCounts;
  readonly events: readonly EventOfViolation[];
}

/** Stores a whole round, in the transaction that shows it to readers. */
export async function applyBatch(
  trx: Transaction<Tables>,
  tenant: string,
  { opened, changed, ended, due }: RegisterBatch,
): Promise<AppliedBatch> {
  const counts = createCounts();
  const openedRows = await insertOpened(trx, tenant, { opened, round: 0 });
  for (const [place, { found }] of opened.entries()) {
    const row = openedRows[place];
    if (row !== undefined) countOpened(counts, countedOfFound(found), row);
  }
  await rewriteViolations(
    trx,
    changedRows(tenant, changed, ({ from_round }) => from_round),
  );
  for (const { stored, found, at } of changed)
    countChanged(counts, { before: countedOfStored(stored), after: countedOfFound(found) }, at);
  const endedRows = await endViolations(trx, tenant, ended);
  for (const { stored, at } of ended) countEnded(counts, countedOfStored(stored), at);
  await saveDue(trx, tenant, due);
  const events: EventOfViolation[] = [
    ...openedRows.map((row) => ({ event: 'opened', row }) as const),
    ...(await readChanged(trx, tenant, changed)),
    ...endedRows.map((row) => ({ event: eventAtEnd(row.status), row })),
  ];
  return { counts, events };
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

/** Violations that end at one instant with one status. */
export interface CommonEnd extends Pick<EndedViolation, 'status' | 'at'> {
  readonly ended: readonly EndedViolation[];
}

export const groupByEnd = (all: readonly EndedViolation[]): readonly CommonEnd[] =>
  [...Map.groupBy(all, ({ status, at }) => `${status} ${at}`).values()].flatMap((ended) =>
    ended.slice(0, 1).map(({ status, at }) => ({ status, at, ended })),
  );

/** An update that ends violations; its caller adds which rows of them. */
export const setEnd = (trx: Transaction<Tables>, tenant: string, { status, at, ended }: CommonEnd) =>
  trx
    .updateTable('sod_violation')
    .set({
      status,
      closed: at,
      modified: at,
      exception_id: null,
      expiration: null,
      ended_owner_name: ownerName(tenant),
    })
    .where('tenant', '=', tenant)
    .where(
      isOneOf(
        trx,
        'id',
        ended.map(({ stored }) => stored.id),
      ),
    );

async function endViolations(
  trx: Transaction<Tables>,
  tenant: string,
  ended: readonly EndedViolation[],
): Promise<readonly SodViolationRow[]> {
  const rows: SodViolationRow[] = [];
  for (const group of groupByEnd(ended))
    rows.push(...(await setEnd(trx, tenant, group).where('until_round', 'is', null).returningAll().execute()));
  return rows;
}

/** Stores the next instants of identities. */
export async function saveDue(trx: Transaction<Tables>, tenant: string, dues: readonly NextDue[]): Promise<void> {
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
