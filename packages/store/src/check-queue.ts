import type { SodCheckResult, SodCheckState } from '@access-admin/domain';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { parseMetadata } from './check-codec.ts';
import type { CheckWrites, Database } from './database.ts';
import { type CheckQueue, RETRY_DELAY_MS_MAX } from './store.ts';
import type { Tables } from './tables.ts';

// Literal: the partial indexes serve it only so.
const PENDING = sql.lit('PENDING');
const ZERO = sql.lit(0);

export function createCheckQueue(database: Database, writes: CheckWrites): CheckQueue {
  return {
    ...writes,
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
    failExhausted: (request) => failExhausted(database, writes, request),
    nextClaimableAtMs: () => nextClaimableAtMs(database),
    countPending: async () => {
      const [unclaimed, claimed] = [await count(database, '='), await count(database, '>')];
      return unclaimed + claimed;
    },
  };
}

/** The longest lease that a worker may ask for. */
export const LEASE_MS_MAX = 3_600_000;

/** From when it says; or at once when it says a moment so far off that only a clock that was ahead can have set it. */
const isClaimableAt = (nowMs: number, farOffMs: number) => (eb: ExpressionBuilder<Tables, 'sod_check'>) =>
  eb.or([eb('claimable_at_ms', '<=', nowMs), eb('claimable_at_ms', '>', farOffMs)]);

/** Checks that nobody has claimed yet (`=`) and others (`>`) have an index each. */
const pendingChecks = (db: Kysely<Tables>, attempts: '=' | '>') =>
  db.selectFrom('sod_check').where('state', '=', PENDING).where('attempts', attempts, ZERO);

const count = async (database: Database, attempts: '=' | '>'): Promise<number> => {
  const row = await database.read((db) =>
    pendingChecks(db, attempts)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  return row.count;
};

async function failExhausted(
  database: Database,
  { complete }: Pick<CheckWrites, 'complete'>,
  { nowMs, attemptsMax, completed, message }: Parameters<CheckQueue['failExhausted']>[0],
): Promise<number> {
  const rows = await database.read((db) =>
    pendingChecks(db, '>')
      .select(['tenant', 'request_id', 'client_metadata', 'fence'])
      .where('attempts', '>=', attemptsMax)
      .where(isClaimableAt(nowMs, nowMs + LEASE_MS_MAX + RETRY_DELAY_MS_MAX))
      .execute(),
  );
  const completions = rows.map(({ tenant, request_id, client_metadata, fence }) => {
    const clientMetadata = parseMetadata(client_metadata);
    const result: SodCheckResult = { message, clientMetadata, violationContexts: [], violatedPolicies: [] };
    return { tenant, requestId: request_id, fence, state: 'ERROR' as const, completed, result };
  });
  // Whoever was faster, a worker or another process that ends them, has completed them by now or moved the fence.
  return completions.length === 0 ? 0 : complete(completions);
}

async function nextClaimableAtMs(database: Database): Promise<number | null> {
  const unclaimed = await database.read((db) =>
    pendingChecks(db, '=').select('request_id').limit(1).executeTakeFirst(),
  );
  if (unclaimed !== undefined) return 0;
  const claimed = await database.read((db) =>
    pendingChecks(db, '>').select('claimable_at_ms').orderBy('claimable_at_ms').limit(1).executeTakeFirst(),
  );
  return claimed?.claimable_at_ms ?? null;
}
