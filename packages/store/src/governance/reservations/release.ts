import { ACCESS_TYPES, type AccessType, type AuditContext, type SodReservation } from '@access-admin/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToReservation } from './codec.ts';
import { storeEnd } from './end.ts';
import { selectLive } from './pending.ts';
import { recordReservations } from './record.ts';

// A reservation has up to half a megabyte.
const ROWS_AT_ONCE = 50;
const IDS_AT_ONCE = 500;

/** The ids of what a request deletes. */
interface Deleted {
  readonly identities: readonly string[];
  readonly items: Readonly<Partial<Record<AccessType, readonly string[]>>>;
}

/**
 * Releases the live reservations in which deleted identities or items are, and tells it. Call it last: other writes that tell
 * something wait from then on.
 */
export async function releaseOfDeleted(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  deleted: Deleted,
): Promise<void> {
  for (const condition of conditionsOf(trx, auditContext.tenant, deleted))
    while ((await releaseSome(trx, auditContext, condition)) === ROWS_AT_ONCE);
}

async function releaseSome(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  condition: RawBuilder<boolean>,
): Promise<number> {
  const { tenant, time } = auditContext;
  const rows = await selectLive(trx, tenant, time).selectAll().where(condition).limit(ROWS_AT_ONCE).execute();
  const changes = rows.map(rowToReservation).map((before) => {
    const after: SodReservation = { ...before, state: 'RELEASED', ended: time };
    return { before, after };
  });
  for (const { after } of changes) await storeEnd(trx, tenant, after);
  await recordReservations(trx, auditContext, changes);
  return rows.length;
}

function* conditionsOf(
  trx: Transaction<Tables>,
  tenant: string,
  { identities, items }: Deleted,
): Generator<RawBuilder<boolean>> {
  for (const ids of inParts(identities, IDS_AT_ONCE)) yield isOneOf(trx, 'identity_id', ids);
  for (const type of ACCESS_TYPES)
    for (const ids of inParts(items[type] ?? [], IDS_AT_ONCE))
      yield sql`id in (select reservation_id from sod_reservation_ref
        where tenant = ${tenant} and type = ${type} and ${isOneOf(trx, 'ref_id', ids)})`;
}
