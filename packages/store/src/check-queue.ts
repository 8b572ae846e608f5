import type { SodCheckResult, SodCheckState } from '@access-admin/domain';
import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { packAccess, unpackAccess } from './access-codec.ts';
import type { Database } from './database.ts';
import {
  type CheckCompletion,
  type CheckQueue,
  type ClaimedCheck,
  type NewCheck,
  RETRY_DELAY_MS_MAX,
} from './store.ts';
import type { SodCheckRow, Tables } from './tables.ts';

// Literal: the partial indexes serve it only so.
const PENDING = sql.lit('PENDING');

export function createCheckQueue(database: Database, enqueue: CheckQueue['enqueue']): CheckQueue {
  return {
    enqueue,
    find: async (tenant, requestId) => {
      const row = await database.read((db) =>
        db
          .selectFrom('sod_check')
          .select(['created', 'state', 'completed', 'result'])
          .where('tenant', '=', tenant)
          .where('request_id', '=', requestId)
          .executeTakeFirst(),
      );
      if (row === undefined) return null;
      return {
        requestId,
        created: row.created,
        state: row.state as SodCheckState,
        completed: row.completed,
        violationCheckResult: row.result === null ? null : JSON.parse(row.result),
      };
    },
    claim: (request) => database.write((trx) => claim(trx, request)),
    complete: (completions) => database.write((trx) => complete(trx, completions)),
    release: (claimed, availableAtMs) => database.write((trx) => release(trx, claimed, availableAtMs)),
    failExhausted: (request) => failExhausted(database, request),
    nextClaimableAtMs: () => nextClaimableAtMs(database),
    countPending: async () => {
      const row = await database.read((db) =>
        db
          .selectFrom('sod_check')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('state', '=', PENDING)
          .executeTakeFirstOrThrow(),
      );
      return row.count;
    },
  };
}

/** What a worker may set as longest lease. */
const LEASE_MS_MAX = 3_600_000;

/** From when it says; or at once when it says a moment so far off that only a clock that was ahead can have set it. */
const isClaimableAt = (nowMs: number, farOffMs: number) => (eb: ExpressionBuilder<Tables, 'sod_check'>) =>
  eb.or([eb('claimable_at_ms', '<=', nowMs), eb('claimable_at_ms', '>', farOffMs)]);

async function claim(
  trx: Transaction<Tables>,
  { nowMs, leaseMs, limit, attemptsMax }: Parameters<CheckQueue['claim']>[0],
): Promise<readonly ClaimedCheck[]> {
  const oldest = trx
    .selectFrom('sod_check')
    .select(['tenant', 'request_id'])
    .where('state', '=', PENDING)
    .where(isClaimableAt(nowMs, nowMs + leaseMs + RETRY_DELAY_MS_MAX))
    .where('attempts', '<', attemptsMax)
    .orderBy('created')
    .orderBy('tenant')
    .orderBy('request_id')
    .limit(limit);
  const rows = await trx
    .updateTable('sod_check')
    .set((eb) => ({
      claimable_at_ms: nowMs + leaseMs,
      attempts: eb('attempts', '+', 1),
      fence: eb('fence', '+', 1),
    }))
    .where((eb) => eb(eb.refTuple('tenant', 'request_id'), 'in', oldest.$asTuple('tenant', 'request_id')))
    .returning([
      'tenant',
      'request_id',
      'created',
      'identity_id',
      'access_refs',
      'client_metadata',
      'fence',
      'attempts',
    ])
    .execute();
  // An update returns its rows in no order.
  return rows.map(rowToClaimedCheck).sort(byAge);
}

async function complete(trx: Transaction<Tables>, completions: readonly CheckCompletion[]): Promise<number> {
  // Compiled once; the names stand for the values of each completion.
  const statement = sql`
    update sod_check set state = ${'state'}, completed = ${'completed'}, result = ${'result'}
    where tenant = ${'tenant'} and request_id = ${'requestId'} and fence = ${'fence'} and state = ${PENDING}
  `.compile(trx);
  let effective = 0n;
  for (const { tenant, requestId, fence, state, completed, result } of completions) {
    const parameters = [state, completed, JSON.stringify(result), tenant, requestId, fence];
    const { numAffectedRows } = await trx.executeQuery({ ...statement, parameters });
    effective += numAffectedRows ?? 0n;
  }
  return Number(effective);
}

/** The fence moves too: who gave the check back cannot complete it any more. */
async function release(
  trx: Transaction<Tables>,
  { tenant, requestId, fence }: Parameters<CheckQueue['release']>[0],
  availableAtMs: number,
): Promise<void> {
  await trx
    .updateTable('sod_check')
    .set({ claimable_at_ms: availableAtMs, fence: fence + 1 })
    .where('tenant', '=', tenant)
    .where('request_id', '=', requestId)
    .where('fence', '=', fence)
    .where('state', '=', PENDING)
    .execute();
}

async function failExhausted(
  database: Database,
  { nowMs, attemptsMax, completed, message }: Parameters<CheckQueue['failExhausted']>[0],
): Promise<number> {
  const rows = await database.read((db) =>
    db
      .selectFrom('sod_check')
      .select(['tenant', 'request_id', 'client_metadata', 'fence'])
      .where('state', '=', PENDING)
      .where('attempts', '>', sql.lit(0))
      .where('attempts', '>=', attemptsMax)
      .where(isClaimableAt(nowMs, nowMs + LEASE_MS_MAX + RETRY_DELAY_MS_MAX))
      .execute(),
  );
  if (rows.length === 0) return 0;
  const completions = rows.map(({ tenant, request_id, client_metadata, fence }) => {
    const clientMetadata = parseMetadata(client_metadata);
    const result: SodCheckResult = { message, clientMetadata, violationContexts: [], violatedPolicies: [] };
    return { tenant, requestId: request_id, fence, state: 'ERROR' as const, completed, result };
  });
  // Whoever was faster, a worker or another process that ends them, has completed them by now or moved the fence.
  return database.write((trx) => complete(trx, completions));
}

async function nextClaimableAtMs(database: Database): Promise<number | null> {
  const fresh = await database.read((db) =>
    db
      .selectFrom('sod_check')
      .select('request_id')
      .where('state', '=', PENDING)
      .where('attempts', '=', 0)
      .orderBy('created')
      .limit(1)
      .executeTakeFirst(),
  );
  if (fresh !== undefined) return 0;
  const claimed = await database.read((db) =>
    db
      .selectFrom('sod_check')
      .select('claimable_at_ms')
      .where('state', '=', PENDING)
      .where('attempts', '>', sql.lit(0))
      .orderBy('claimable_at_ms')
      .limit(1)
      .executeTakeFirst(),
  );
  return claimed?.claimable_at_ms ?? null;
}

/** How a check is stored at first. */
export const checkToRow = (check: NewCheck): SodCheckRow => ({
  tenant: check.tenant,
  request_id: check.requestId,
  created: check.created,
  state: 'PENDING',
  attempts: 0,
  fence: 0,
  claimable_at_ms: 0,
  identity_id: check.identityId,
  access_refs: packAccess(check.accessRefs),
  client_metadata: check.clientMetadata === null ? null : JSON.stringify(check.clientMetadata),
  completed: null,
  result: null,
});

type ClaimedRow = Omit<SodCheckRow, 'state' | 'claimable_at_ms' | 'completed' | 'result'>;

const rowToClaimedCheck = (row: ClaimedRow): ClaimedCheck => ({
  tenant: row.tenant,
  requestId: row.request_id,
  created: row.created,
  identityId: row.identity_id,
  accessRefs: unpackAccess(row.access_refs),
  clientMetadata: parseMetadata(row.client_metadata),
  fence: row.fence,
  attempts: row.attempts,
});

const parseMetadata = (text: string | null): NewCheck['clientMetadata'] => (text === null ? null : JSON.parse(text));

const byAge = (left: ClaimedCheck, right: ClaimedCheck): number =>
  left.created < right.created ? -1 : left.created > right.created ? 1 : 0;
