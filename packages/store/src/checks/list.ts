import type { SodCheckState } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import { after, allOf, orderOf, type Place, placeOf, type SortKey } from '../ordered/order.ts';
import type { Page } from '../rows/page.ts';
import type { SodCheckRow } from '../schema/tables.ts';

/** What listed checks have in common; a check meets all conditions. */
export type CheckCondition =
  | { readonly field: 'state'; readonly operator: 'eq' | 'in'; readonly values: readonly SodCheckState[] }
  | { readonly field: 'identityId'; readonly operator: 'eq'; readonly values: readonly string[] };

/** A check of a list, without its result. */
export interface ListedCheck {
  readonly requestId: string;
  readonly created: string;
  readonly identityId: string;
  readonly state: SodCheckState;
  readonly completed: string | null;
}

/** A part of a list of checks: from an offset, or after a place. */
export interface CheckPage extends Page {
  readonly after: Place | null;
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

const ofIdentities = (conditions: readonly CheckCondition[]): readonly RawBuilder<boolean>[] =>
  conditions.flatMap(({ field, values: [id] }) => (field === 'identityId' ? [sql<boolean>`identity_id = ${id}`] : []));

/** Reads one check more than the page has. Each state is read in the order of its index, up to the end of the page. */
export function checkListQuery(
  tenant: string,
  conditions: readonly CheckCondition[],
  { limit, offset, after: place }: CheckPage,
): RawBuilder<ListedRow> {
  const rest = [...ofIdentities(conditions), ...(place === null ? [] : [after(CHECK_ORDER, place)])];
  const order = orderOf(CHECK_ORDER);
  const ofState = statesOf(conditions).map(
    (state) => sql`select * from (
      select request_id, created, identity_id, state, completed from sod_check
      where tenant = ${tenant} and state = ${state} and ${allOf(rest)}
      order by ${order} limit ${offset + limit + 1}) as of_state`,
  );
  return sql`select * from (${sql.join(ofState, sql` union all `)}) as listed
    order by ${order} limit ${limit + 1} offset ${offset}`;
}

/** A page of checks, and the place after which the next one begins; null at the end. */
export async function listChecks(
  { read }: Reads,
  tenant: string,
  conditions: readonly CheckCondition[],
  page: CheckPage,
): Promise<{ readonly checks: readonly ListedCheck[]; readonly next: Place | null }> {
  if (statesOf(conditions).length === 0) return { checks: [], next: null };
  const { rows } = await read((db) => checkListQuery(tenant, conditions, page).execute(db));
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const next = rows.length > page.limit && last !== undefined ? placeOf(last, CHECK_ORDER) : null;
  return { checks: shown.map(rowToListedCheck), next };
}

const rowToListedCheck = (row: ListedRow): ListedCheck => ({
  requestId: row.request_id,
  created: row.created,
  identityId: row.identity_id,
  state: row.state as SodCheckState,
  completed: row.completed,
});

export async function countChecks(
  { read }: Reads,
  tenant: string,
  conditions: readonly CheckCondition[],
): Promise<number> {
  const states = statesOf(conditions);
  if (states.length === 0) return 0;
  const where = allOf([sql`state in (${sql.join(states)})`, ...ofIdentities(conditions)]);
  const { rows } = await read((db) =>
    sql<{
      readonly count: number;
    }>`select count(*) as count from sod_check where tenant = ${tenant} and ${where}`.execute(db),
  );
  return Number(rows[0]?.count ?? 0);
}
