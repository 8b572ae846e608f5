import type { SodViolation } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import type { SodViolationRow, Tables } from '../../../schema/tables.ts';
import { showAppliedControls } from '../../controls/show-applied.ts';
import { rowToViolation, type ViolationView } from './codec.ts';
import { type Owners, readOwners } from './owners.ts';

/** Violations as answers show them, in the order of their rows. */
export async function showViolations(
  db: Kysely<Tables>,
  rows: readonly SodViolationRow[],
  asOf: string,
): Promise<readonly SodViolation[]> {
  const viewOf = await readViews(db, rows, { asOf, controlled: rows });
  return rows.map((row) => rowToViolation(row, viewOf(row)));
}

/** Reads what violations are shown with. Controls can only be applied to the `controlled` ones. */
export async function readViews(
  db: Kysely<Tables>,
  rows: readonly OwnedRow[],
  { asOf, controlled }: { readonly asOf: string; readonly controlled: readonly SodViolationRow[] },
): Promise<(row: OwnedRow & Pick<SodViolationRow, 'id'>) => ViolationView> {
  const tenant = rows[0]?.tenant ?? '';
  const owners = await readOwners(db, tenant, [...new Set(rows.flatMap(({ owner_id }) => owner_id ?? []))]);
  const controls = await showAppliedControls(db, { tenant, now: asOf }, controlled);
  return (row) => ({ asOf, owner: shownOwner(row, owners), appliedControls: controls.get(row.id) ?? [] });
}

type OwnedRow = Pick<SodViolationRow, 'tenant' | 'owner_id' | 'former_owner_id' | 'ended_owner_name'>;

/** An ended violation keeps its owner, under the name of that time. */
function shownOwner({ owner_id, former_owner_id, ended_owner_name: name }: OwnedRow, owners: Owners) {
  const id = owner_id ?? former_owner_id;
  if (id === null) return null;
  return name === null ? (owners.get(id) ?? null) : ({ type: 'IDENTITY', id, name } as const);
}
