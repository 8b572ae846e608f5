import type { SodCheckState } from '@access-admin/domain';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import { type Condition, compileFilter } from '../query/filter.ts';
import { after, allOf, orderOf, type Position, positionOf, type SortKey } from '../query/order.ts';
import type { Page } from '../query/page.ts';
import { columnToCheckState } from '../record/events/codec.ts';
import type { SodCheckRow } from '../schema/tables.ts';

/** What listed checks have in common; a check meets all conditions. */
export type CheckCondition = Condition<'state', 'eq' | 'in', SodCheckState> | Condition<'identityId', 'eq'>;

/** A check of a list, without its result. */
export interface ListedCheck {
  readonly requestId: string;
  readonly created: string;
  readonly identityId: string;
  readonly state: SodCheckState;
  readonly completed: string | null;
}

/** A part of a list of checks: from an offset, or after a position. */
export interface CheckPage extends Page {
  readonly after: Position | null;
}

/** The order of lists of checks: the newest first. */
export const CHECK_ORDER: readonly SortKey<'created' | 'request_id'>[] = [
  { column: 'created', descends: true },
  { column: 'request_id', descends: true },
];

type ListedRow = Pick<SodCheckRow, 'request_id' | 'created' | 'identity_id' | 'state' | 'completed'>;

const STATES: readonly SodCheckState[] = ['PENDING', 'SUCCESS', 'ERROR'];

const statesOf = (conditions: readonly CheckCondition[]): readonly SodCheckState[] =>
  STATES.filter((state) => conditions.every(({ field, values }) => field !== 'state' || values.includes(state)));

const ofIdentities = (conditions: readonly CheckCondition[]): RawBuilder<boolean> =>
  compileFilter(
    { identityId: 'identity_id' },
    conditions.filter((condition) => condition.field === 'identityId'),
  );

/** The checks in a state, which have an index. Literals, because partial indexes do not match parameters. */
function sourceOf(db: QueryExecutorProvider, state: SodCheckState): RawBuilder<unknown> {
  if (state !== 'PENDING')
    return sql`select request_id, created, identity_id, state, completed from sod_check
      where completed is not null and state = ${state}`;
  // SQLite prefers the key of the table, which has all checks of the tenant.
  const pending = isPostgres(db) ? sql`sod_check` : sql`sod_check indexed by sod_check_pending`;
  return sql`select request_id, created, identity_id, 'PENDING' as state, null as completed from ${pending}
    where state = 'PENDING'`;
}

/** Reads one check more than the page has: each source in its order, up to the end of the page. */
export function checkListQuery(
  db: QueryExecutorProvider,
  tenant: string,
  conditions: readonly CheckCondition[],
  { limit, offset, after: position }: CheckPage,
): RawBuilder<ListedRow> {
  const rest = allOf([ofIdentities(conditions), ...(position === null ? [] : [after(CHECK_ORDER, position)])]);
  const order = orderOf(CHECK_ORDER);
  const parts = statesOf(conditions)
    .map((state) => sourceOf(db, state))
    .map(
      (source) => sql`select * from (
        ${source} and tenant = ${tenant} and ${rest} order by ${order} limit ${offset + limit + 1}) as part`,
    );
  return sql`select * from (${sql.join(parts, sql` union all `)}) as listed
    order by ${order} limit ${limit + 1} offset ${offset}`;
}

/** A page of checks, and the position after which the next one begins; null at the end. */
export async function listChecks(
  { read }: Reads,
  tenant: string,
  conditions: readonly CheckCondition[],
  page: CheckPage,
): Promise<{ readonly checks: readonly ListedCheck[]; readonly next: Position | null }> {
  if (statesOf(conditions).length === 0) return { checks: [], next: null };
  const { rows } = await read((db) => checkListQuery(db, tenant, conditions, page).execute(db));
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const next = rows.length > page.limit && last !== undefined ? positionOf(last, CHECK_ORDER) : null;
  return { checks: shown.map(rowToListedCheck), next };
}

const rowToListedCheck = (row: ListedRow): ListedCheck => ({
  requestId: row.request_id,
  created: row.created,
  identityId: row.identity_id,
  state: columnToCheckState(row.state),
  completed: row.completed,
});

export async function countChecks(
  { read }: Reads,
  tenant: string,
  conditions: readonly CheckCondition[],
): Promise<number> {
  const rest = ofIdentities(conditions);
  const countIn = (source: RawBuilder<unknown>) =>
    sql`(select count(*) from (${source} and tenant = ${tenant} and ${rest}) as part)`;
  const { rows } = await read((db) => {
    const counts = statesOf(conditions).map((state) => countIn(sourceOf(db, state)));
    return sql<{ readonly count: number }>`select ${sql.join([sql.lit(0), ...counts], sql` + `)} as count`.execute(db);
  });
  return Number(rows[0]?.count ?? 0);
}
