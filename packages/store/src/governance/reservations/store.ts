import {
  type AuditContext,
  type Conflict,
  endReservation,
  fail,
  failure,
  LIVE_RESERVATIONS_MAX,
  LIVE_RESERVATIONS_OF_IDENTITY_MAX,
  type NotFound,
  ok,
  type PendingReservation,
  type Result,
  reservationAt,
  type SodReservation,
  type SodReservationState,
} from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Failed, unconditional, underPrecondition } from '../../engine/change.ts';
import type { Database } from '../../engine/database.ts';
import { changeScope } from '../../engine/scope.ts';
import type { IdentityVersion } from '../../policies/rulebook/versions.ts';
import { type Condition, compileFilter } from '../../query/filter.ts';
import { insertRows } from '../../query/insert.ts';
import { after, orderOf, type Position, positionOf, type SortKey } from '../../query/order.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import type { Tables } from '../../schema/tables.ts';
import { reservationToRow, rowToReservation } from './codec.ts';
import { storeEnd } from './end.ts';
import { expireSome } from './expiry.ts';
import { isCurrent, type PendingOf, readLive, selectLive } from './pending.ts';
import { recordReservations } from './record.ts';

/** A condition of a list. */
export type ReservationCondition =
  | Condition<'identityId', 'eq' | 'in'>
  | Condition<'state', 'eq' | 'in', SodReservationState>
  | Condition<'reference', 'eq' | 'sw'>;

/** A sort key of a list. */
export interface ReservationSorter {
  readonly field: 'created' | 'expires';
  readonly descends: boolean;
}

/** The conditions and the order of a list, with the time at which states are evaluated. */
export interface ReservationQuery {
  readonly conditions: readonly ReservationCondition[];
  readonly sorters: readonly ReservationSorter[];
  /** ISO 8601 in UTC with milliseconds. */
  readonly now: string;
}

/** A page of a list: from an offset, or after a position. */
export interface ReservationPage extends Page {
  readonly after: Position | null;
}

/** A reservation to store, and the data that its prediction was made on. */
export interface ReservationDraft {
  readonly reservation: SodReservation;
  readonly version: IdentityVersion;
  /** The live reservations that counted. */
  readonly pending: readonly PendingReservation[];
}

/** Why nothing was stored: the data of the prediction have changed since, or a limit is reached. */
export type NotReserved = 'changed' | 'identityFull' | 'tenantFull';

/** Access that is reserved for identities. */
export interface ReservationStore {
  /** The ids of a page of the reservations that meet all conditions, and the position after which the next begins; null at the end. */
  list(
    tenant: string,
    query: ReservationQuery,
    page: ReservationPage,
  ): Promise<{ readonly ids: readonly string[]; readonly next: Position | null }>;
  count(tenant: string, query: Pick<ReservationQuery, 'conditions' | 'now'>): Promise<number>;
  /** Some reservations in the order of their ids' list, as they are at a time. Those removed meanwhile are left out. */
  read(tenant: string, ids: readonly string[], now: string): Promise<readonly SodReservation[]>;
  /** The live reservations of an identity, the oldest first; null unless the rulebook and the identity have the version. */
  readPending(
    tenant: string,
    of: PendingOf & { readonly version: IdentityVersion },
  ): Promise<readonly PendingReservation[] | null>;
  /** Stores a reservation if the data of its prediction are still those of the identity, in one transaction. */
  create(auditContext: AuditContext, draft: ReservationDraft): Promise<Result<null, NotReserved>>;
  /** Ends a live reservation; `Conflict` for another. */
  end<G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    ending: {
      readonly state: 'SETTLED' | 'RELEASED';
      readonly precondition?: (shown: SodReservation) => Result<unknown, G>;
    },
  ): Promise<Result<SodReservation, NotFound | Conflict | G>>;
  /** Ends some reservations that are past their end, and removes some that ended long ago; true when there may be more. */
  expireSome(nowMs: number): Promise<boolean>;
}

export function createReservationStore(database: Database): ReservationStore {
  const { read } = database;
  return {
    list: async (tenant, query, { limit, offset, after: position }) => {
      const keys = reservationOrderOf(query.sorters);
      const rows = await read((db) => {
        const all = matching(db, tenant, query).select(['id', 'created', 'expires']);
        const rest = position === null ? all : all.where(after(keys, position));
        return rest
          .orderBy(orderOf(keys))
          .limit(limit + 1)
          .offset(offset)
          .execute();
      });
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const next = rows.length > limit && last !== undefined ? positionOf(last, keys) : null;
      return { ids: shown.map(({ id }) => id), next };
    },
    count: (tenant, query) => read((db) => countRows(matching(db, tenant, query))),
    read: async (tenant, ids, now) => {
      const rows = await read((db) => selectOf(db, tenant).where('id', 'in', ids).execute());
      const byId = new Map(rows.map((row) => [row.id, reservationAt(rowToReservation(row), now)]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    readPending: async (tenant, of) => {
      const pending = await read((db) => readLive(db, tenant, of));
      // Versions only rise: what is current afterwards was current then.
      return (await read((db) => isCurrent(db, tenant, of))) ? pending : null;
    },
    create: async (auditContext, draft) => {
      const { tenant } = auditContext;
      const created = await database.write(changeScope(auditContext, 'reservations'), (trx) =>
        createReservation(trx, auditContext, draft),
      );
      if (created.ok) database.announceWork(tenant, 'events');
      return created;
    },
    end: async (auditContext, id, { state, precondition = unconditional }) => {
      const { tenant, time } = auditContext;
      const ended = await database.write(changeScope(auditContext, 'reservations'), async (trx) => {
        const row = await selectOf(trx, tenant).where('id', '=', id).executeTakeFirst();
        if (row === undefined) return fail(NO_RESERVATION);
        const before = reservationAt(rowToReservation(row), time);
        const decision = underPrecondition(precondition(before), endReservation(before, state, time));
        if (!decision.ok) return decision;
        await storeEnd(trx, tenant, decision.value);
        await recordReservations(trx, auditContext, [{ before, after: decision.value }]);
        return decision;
      });
      if (ended.ok) database.announceWork(tenant, 'events');
      return ended;
    },
    expireSome: (nowMs) => expireSome(database, nowMs),
  };
}

/** The refusal of a reservation that the tenant does not have. */
export const NO_RESERVATION: NotFound = failure('NotFound', '', 'There is no such reservation.');

const selectOf = (db: Kysely<Tables>, tenant: string) =>
  db.selectFrom('sod_reservation').selectAll().where('tenant', '=', tenant);

type OrderedColumn = 'id' | 'created' | 'expires';

/** The order of a list: by its sorters, then by id. */
export const reservationOrderOf = (sorters: readonly ReservationSorter[]): readonly SortKey<OrderedColumn>[] => [
  ...sorters.map(({ field, descends }) => ({ column: field, descends })),
  { column: 'id', descends: sorters.at(-1)?.descends ?? false },
];

const matching = (
  db: Kysely<Tables>,
  tenant: string,
  { conditions, now }: Pick<ReservationQuery, 'conditions' | 'now'>,
) =>
  db
    .selectFrom('sod_reservation')
    .where('tenant', '=', tenant)
    .where(
      compileFilter(
        { identityId: 'identity_id', reference: 'reference', state: (condition) => inStates(condition, now) },
        conditions,
      ),
    );

/** Whether a reservation is in one of some states: `reservationAt` of the domain in SQL. */
function inStates({ values }: Pick<ReservationCondition, 'values'>, now: string): RawBuilder<boolean> {
  const ended = values.filter((value) => value !== 'LIVE');
  const parts: RawBuilder<boolean>[] = ended.length === 0 ? [] : [sql`state in (${sql.join(ended)})`];
  if (values.includes('LIVE')) parts.push(sql`(state = 'LIVE' and expires > ${now})`);
  if (values.includes('EXPIRED')) parts.push(sql`(state = 'LIVE' and expires <= ${now})`);
  return parts.length === 0 ? sql`1 = 0` : sql`(${sql.join(parts, sql` or `)})`;
}

async function createReservation(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { reservation, version, pending }: ReservationDraft,
): Promise<Result<null, NotReserved>> {
  const { tenant } = auditContext;
  const { id, identityId, created: now, accessRefs } = reservation;
  // Writes of a tenant's data run one after the other, so nothing can change from here on.
  if (!(await isCurrent(trx, tenant, { identityId, version }))) return fail('changed');
  const live = await readLive(trx, tenant, { identityId, now });
  if (live.length !== pending.length || live.some((each, at) => each.id !== pending[at]?.id)) return fail('changed');
  if (live.length >= LIVE_RESERVATIONS_OF_IDENTITY_MAX) return fail('identityFull');
  const count = await countRows(selectLive(trx, tenant, now));
  if (count >= LIVE_RESERVATIONS_MAX) return fail('tenantFull');
  await trx.insertInto('sod_reservation').values(reservationToRow(tenant, reservation)).execute();
  const refs = new Map(accessRefs.map((ref) => [`${ref.type} ${ref.id}`, ref]));
  const rows = Array.from(refs.values(), ({ type, id: ref_id }) => ({ tenant, type, ref_id, reservation_id: id }));
  await insertRows(trx, { table: 'sod_reservation_ref', onConflict: () => sql`` }, rows);
  await recordReservations(trx, auditContext, [{ before: null, after: reservation }]);
  return ok(null);
}
