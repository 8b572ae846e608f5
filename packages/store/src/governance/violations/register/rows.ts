import { assignedOwnerId } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { readIdentityNames } from '../../../access/records/identity-names.ts';
import { insertRows } from '../../../query/insert.ts';
import type { SodViolationRow, Tables } from '../../../schema/tables.ts';
import type { RegisterBatch } from './batch.ts';
import { newViolationId } from './new-id.ts';
import { evaluatedColumns, type PresentViolation } from './present.ts';

/** Inserts violations that began. Their rows have the owners that their policies give them. */
export async function insertOpened(
  trx: Transaction<Tables>,
  tenant: string,
  { opened, at }: Pick<RegisterBatch, 'opened' | 'at'>,
): Promise<readonly SodViolationRow[]> {
  const owners = await readPolicyOwners(trx, tenant, new Set(opened.map(({ policyId }) => policyId)));
  const rows: SodViolationRow[] = [];
  // Rows are made while the engine inserts earlier ones.
  const makeRows = function* () {
    for (const found of opened) {
      const id = newViolationId(Date.parse(at));
      const row = rowOf(found, { tenant, id, created: at, at, ownerId: owners.get(found.policyId) ?? null });
      rows.push(row);
      yield row;
    }
  };
  await insertRows(trx, { table: 'sod_violation', onConflict: () => sql``, repeated: REPEATED }, makeRows());
  return rows;
}

/** Rewrites violations that changed. Their owners stay, which callers may change at the same time. */
export const rewriteChanged = (
  trx: Transaction<Tables>,
  tenant: string,
  { changed, at }: Pick<RegisterBatch, 'changed' | 'at'>,
): Promise<void> =>
  insertRows(
    trx,
    { table: 'sod_violation', onConflict: () => REWRITE },
    changed.map(({ stored, found }) =>
      rowOf(found, { tenant, id: stored.id, created: stored.created, at, ownerId: null }),
    ),
  );

const OF_BATCH = ['tenant', 'created', 'modified', 'closed', 'ended_owner_name', 'former_owner_id'] as const;
const OF_POLICY = [
  'policy_id',
  'policy_name',
  'level_rank',
  'owner_id',
  'status',
  'exception_id',
  'expiration',
] as const;
const REPEATED: readonly (readonly (keyof SodViolationRow)[])[] = [[...OF_BATCH, ...OF_POLICY], OF_BATCH];

const REWRITE = sql.raw(
  `on conflict (tenant, id) do update set ${[
    'modified',
    'status',
    'level_rank',
    'exception_id',
    'expiration',
    'policy_name',
    'target_name',
    'criteria',
  ]
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`,
);

interface RowDetails {
  readonly tenant: string;
  readonly id: string;
  readonly created: string;
  readonly at: string;
  readonly ownerId: string | null;
}

function rowOf(found: PresentViolation, { tenant, id, created, at, ownerId }: RowDetails): SodViolationRow {
  const { status, level_rank, exception_id, expiration, policy_name, target_name, criteria } = evaluatedColumns(found);
  // Copies of objects would take longer than the rest.
  return {
    tenant,
    id,
    identity_id: found.identityId,
    policy_id: found.policyId,
    status,
    level_rank,
    created,
    modified: at,
    closed: null,
    owner_id: ownerId,
    exception_id,
    expiration,
    policy_name,
    target_name,
    criteria,
    ended_owner_name: null,
    former_owner_id: null,
  };
}

async function readPolicyOwners(
  trx: Transaction<Tables>,
  tenant: string,
  policyIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string | null>> {
  if (policyIds.size === 0) return new Map();
  const policies = await trx
    .selectFrom('sod_policy')
    .select(['id', 'owner_id', 'owner_assignment'])
    .where('tenant', '=', tenant)
    .where('id', 'in', [...policyIds])
    .execute();
  const assigned = policies.map(({ id, owner_id, owner_assignment }) => ({
    id,
    owner_id,
    assignee: assignedOwnerId(owner_assignment === null ? null : JSON.parse(owner_assignment)),
  }));
  // An assignee is kept as it was sent, and may be no identity of this service.
  const identities = await readIdentityNames(trx, tenant, new Set(assigned.flatMap(({ assignee }) => assignee ?? [])));
  return new Map(
    assigned.map(({ id, owner_id, assignee }) => [
      id,
      assignee !== null && identities.has(assignee) ? assignee : owner_id,
    ]),
  );
}
