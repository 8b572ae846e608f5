import { sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { appendEvents } from '../events/append-events.ts';
import { insertRows } from '../rows/insert.ts';
import type { SodViolationRow, Tables } from '../schema/tables.ts';
import type { RegisterClaim } from './claim.ts';
import { createViolationWriter, rowToViolationJson } from './codec.ts';
import { countBatch } from './count.ts';
import type { RegisterBatch } from './maintenance.ts';
import { newViolationId } from './new-id.ts';
import { evaluatedColumns, type PresentViolation, statusOf } from './present.ts';
import { readViews } from './show.ts';

/** Runs a write of a claim; false when another worker has taken the register. */
export const writeHeld = <T>(
  database: Database,
  claim: RegisterClaim,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T | false> =>
  database.write(scopeOf(claim), async (trx) => ((await isHeld(trx, claim)) ? work(trx) : false));

const scopeOf = ({ tenant }: RegisterClaim) => ({ tenant, changes: 'register' as const });

async function isHeld(trx: Transaction<Tables>, { tenant, fence }: RegisterClaim): Promise<boolean> {
  const held = await trx
    .selectFrom('register_head')
    .select('fence')
    .where('tenant', '=', tenant)
    .where('fence', '=', fence)
    .execute();
  return held.length > 0;
}

/** Extends the lease of a claim that holds the register, whose counts may change; false otherwise. */
export async function extendLease(
  trx: Transaction<Tables>,
  { tenant, fence }: RegisterClaim,
  leaseEndMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('register_head')
    .set((eb) => ({ lease_end_ms: leaseEndMs, revision: eb('revision', '+', 1) }))
    .where('tenant', '=', tenant)
    .where('fence', '=', fence)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Thrown when another worker took the register during a write, of which nothing is stored then. */
class RegisterLost extends Error {}

/** Stores a batch with its counts and events; false when another worker has taken the register. */
export async function applyBatch(database: Database, claim: RegisterClaim, batch: RegisterBatch): Promise<boolean> {
  try {
    return await database.writeInParts(scopeOf(claim), {
      begin: async (trx) => ((await isHeld(trx, claim)) ? insertOpened(trx, claim.tenant, batch) : null),
      complete: async (trx, begun) => {
        if (begun === null) return false;
        if (!(await extendLease(trx, claim, batch.leaseEndMs))) throw new RegisterLost();
        await completeBatch(trx, claim.tenant, { ...batch, ...begun });
        return true;
      },
    });
  } catch (error) {
    if (error instanceof RegisterLost) return false;
    throw error;
  }
}

type ToldType = 'opened' | 'mitigated' | 'reopened' | 'remediated' | 'closed';

/** What happened to a violation, by its id. */
type Told = ReadonlyMap<string, ToldType>;

/** A batch whose new violations are stored. */
type BegunBatch = RegisterBatch & Opened;

async function completeBatch(trx: Transaction<Tables>, tenant: string, batch: BegunBatch): Promise<void> {
  const { openedRows, texts } = batch;
  const told = new Map<string, ToldType>();
  for (const { id } of openedRows) told.set(id, 'opened');
  await updateChanged(trx, tenant, { batch, told });
  const ended = await endViolations(trx, tenant, { batch, told });
  await saveDue(trx, tenant, batch);
  await countBatch(trx, tenant, batch);
  const earlier = [...(await readTold(trx, tenant, told)), ...ended];
  const viewOf = await readViews(trx, earlier, { asOf: batch.at, controlled: earlier });
  const toJson = (row: SodViolationRow) => texts.get(row.id) ?? rowToViolationJson(row, viewOf(row));
  await appendEvents(trx, tenant, eventsOf([...openedRows, ...earlier], { told, time: batch.at, toJson }));
}

interface Opened {
  readonly openedRows: readonly SodViolationRow[];
  /** The violations as JSON, by id. */
  readonly texts: ReadonlyMap<string, string>;
}

async function insertOpened(
  trx: Transaction<Tables>,
  tenant: string,
  { at, opened: found }: RegisterBatch,
): Promise<Opened> {
  const owners = await readPolicyOwners(trx, tenant, new Set(found.map(({ policyId }) => policyId)));
  const owned = [...owners.values()].map((ownerId) => ({ tenant, owner_id: ownerId }));
  const viewOf = await readViews(trx, owned, { asOf: at, controlled: [] });
  const opened: SodViolationRow[] = [];
  const texts = new Map<string, string>();
  const toJson = createViolationWriter();
  // Rows, and what is told of them, are made while the engine inserts earlier ones.
  const makeRows = function* () {
    for (const each of found) {
      const row = toOpenedRow(each, { tenant, at, ownerId: owners.get(each.policyId) ?? null });
      opened.push(row);
      texts.set(row.id, toJson(row, viewOf(row)));
      yield row;
    }
  };
  await insertRows(trx, { table: 'sod_violation', onConflict: () => sql``, repeated: REPEATED }, makeRows());
  return { openedRows: opened, texts };
}

const OF_BATCH = ['tenant', 'created', 'modified', 'closed'] as const;
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

function toOpenedRow(
  found: PresentViolation,
  { tenant, at, ownerId }: { readonly tenant: string; readonly at: string; readonly ownerId: string | null },
): SodViolationRow {
  // Copies of objects would take longer than the rest.
  return {
    tenant,
    id: newViolationId(Date.parse(at)),
    identity_id: found.identityId,
    policy_id: found.policyId,
    status: statusOf(found),
    created: at,
    modified: at,
    closed: null,
    owner_id: ownerId,
    level_rank: found.levelRank,
    exception_id: found.exception?.id ?? null,
    expiration: found.exception?.end ?? null,
    policy_name: found.policyName,
    target_name: found.targetName,
    criteria: found.criteria,
  };
}

async function readPolicyOwners(
  trx: Transaction<Tables>,
  tenant: string,
  policyIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string | null>> {
  if (policyIds.size === 0) return new Map();
  const rows = await trx
    .selectFrom('sod_policy')
    .select(['id', 'owner_id'])
    .where('tenant', '=', tenant)
    .where('id', 'in', [...policyIds])
    .execute();
  return new Map(rows.map(({ id, owner_id }) => [id, owner_id]));
}

interface Telling {
  readonly batch: RegisterBatch;
  readonly told: Map<string, ToldType>;
}

async function updateChanged(
  trx: Transaction<Tables>,
  tenant: string,
  { batch: { at, changed }, told }: Telling,
): Promise<void> {
  const rows = changed.map(({ stored, found }): SodViolationRow => {
    const isMitigated = found.exception !== null;
    if (isMitigated !== stored.isMitigated) told.set(stored.id, isMitigated ? 'mitigated' : 'reopened');
    return {
      ...{ tenant, id: stored.id, identity_id: found.identityId, policy_id: found.policyId, created: stored.created },
      ...{ modified: at, closed: null, owner_id: null, ...evaluatedColumns(found) },
    };
  });
  // All rows exist. Their owners stay, which callers may change at the same time.
  await insertRows(trx, { table: 'sod_violation', onConflict: () => UPDATE }, rows);
}

const UPDATE = sql.raw(
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

async function endViolations(
  trx: Transaction<Tables>,
  tenant: string,
  { batch: { at, ended }, told }: Telling,
): Promise<readonly SodViolationRow[]> {
  const rows: SodViolationRow[] = [];
  for (const status of ['Remediated', 'Closed'] as const) {
    const ids = ended.flatMap((each) => (each.status === status ? each.stored.id : []));
    if (ids.length === 0) continue;
    const updated = await trx
      .updateTable('sod_violation')
      .set({ status, closed: at, modified: at, exception_id: null, expiration: null })
      .where('tenant', '=', tenant)
      .where('id', 'in', ids)
      .returningAll()
      .execute();
    for (const { id } of updated) told.set(id, status === 'Closed' ? 'closed' : 'remediated');
    rows.push(...updated);
  }
  return rows;
}

/** The changed violations of which something is told. */
async function readTold(trx: Transaction<Tables>, tenant: string, told: Told): Promise<readonly SodViolationRow[]> {
  const ids = [...told].flatMap(([id, type]) => (type === 'mitigated' || type === 'reopened' ? id : []));
  if (ids.length === 0) return [];
  return trx.selectFrom('sod_violation').selectAll().where('tenant', '=', tenant).where('id', 'in', ids).execute();
}

async function saveDue(trx: Transaction<Tables>, tenant: string, { due }: RegisterBatch): Promise<void> {
  const gone = due.flatMap((each) => (each.due === null ? each.identityId : []));
  if (gone.length > 0)
    await trx.deleteFrom('register_due').where('tenant', '=', tenant).where('identity_id', 'in', gone).execute();
  const rows = due.flatMap((each) =>
    each.due === null ? [] : { tenant, identity_id: each.identityId, due: each.due },
  );
  const onConflict = () => sql`on conflict (tenant, identity_id) do update set due = excluded.due`;
  await insertRows(trx, { table: 'register_due', onConflict }, rows);
}

interface ToldOf {
  readonly told: Told;
  readonly time: string;
  toJson(row: SodViolationRow): string;
}

function* eventsOf(rows: readonly SodViolationRow[], { told, time, toJson }: ToldOf) {
  for (const row of rows) {
    const type = told.get(row.id);
    if (type === undefined) continue;
    yield { type: `sod.violation.${type}` as const, subject: `/violations/v1/${row.id}`, time, data: toJson(row) };
  }
}
