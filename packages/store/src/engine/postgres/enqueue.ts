import type pg from 'pg';
import { gather } from '../../concurrency/gather.ts';
import { createOrderedRunner } from '../../concurrency/ordered-runner.ts';
import type { SodCheckRow } from '../../schema/tables.ts';
import { createBacklogRoom } from '../backlog-room.ts';
import type { ArisingWork } from '../changed-tenants.ts';
import type { CheckWrites, EnqueueRequest } from '../check-writes.ts';
import { OutcomeUnknown, StorageUnavailable } from '../errors.ts';
import { CHANNEL, uncachedOf } from './commit-signal.ts';
import type { PostgresDatabase } from './database.ts';
import { isConnectionLost } from './errors.ts';

export type CheckDeps = Pick<
  PostgresDatabase,
  | 'pool'
  | 'workPool'
  | 'workLockMs'
  | 'guardRead'
  | 'guardWrite'
  | 'retryUnknownOutcome'
  | 'reportLostConnection'
  | 'commits'
  | 'announce'
  | 'epochOf'
  | 'changedTenants'
>;

/** An SQL expression that notifies every process of a change of checks. */
export const notifyOf = (arising: ArisingWork): string => `pg_notify('${CHANNEL}', '${uncachedOf(arising)}')`;

// Encoding a batch blocks the event loop.
const BATCH_MAX = 1_000;
const LANES = 2;

const COUNT_PENDING = `
  select (
    select count(*) from (
      select 1 from sod_check
      where sod_check.tenant = given.tenant and state = 'PENDING' and attempts = 0 limit $2::bigint
    ) unclaimed
  ) + (
    select count(*) from sod_check where sod_check.tenant = given.tenant and state = 'PENDING' and attempts > 0
  ) as pending
  from unnest($1::text[]) with ordinality as given (tenant, place) order by place`;

const ENQUEUE = `
  with stored as (
    insert into sod_check (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id, access_refs,
      client_metadata, completed, result, includes, at_instant, origin)
    select tenant, request_id, created, 'PENDING', 0, 0, 0, identity_id, access_refs, client_metadata, null, null, includes, at_instant, origin
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[])
      as given (tenant, request_id, created, identity_id, access_refs, client_metadata, includes, at_instant, origin)
    where not exists (select 1 from tenant_removal where tenant_removal.tenant = given.tenant)
    on conflict (tenant, request_id) do nothing
    returning 1
  )
  select ${notifyOf('checks')} from stored limit 1`;

/** What is given of a new check, but for its tenant. */
export const GIVEN_OF_TENANT = [
  'request_id',
  'created',
  'identity_id',
  'access_refs',
  'client_metadata',
  'includes',
  'at_instant',
  'origin',
] as const;

const GIVEN_COLUMNS = ['tenant', ...GIVEN_OF_TENANT] as const;

/** Stores the checks of all tenants of a batch by one statement. */
export const createPostgresEnqueue = (deps: CheckDeps): CheckWrites['enqueue'] =>
  createEnqueue({
    countPending: async (tenants, countMax) => {
      const values = [tenants, countMax];
      const { rows } = await deps.guardRead(() =>
        deps.pool.query<{ pending: number }>({ name: 'count pending', text: COUNT_PENDING, values }),
      );
      return rows.map(({ pending }) => pending);
    },
    store: async (rows) => {
      await insertOnce(deps, { name: 'enqueue', text: ENQUEUE, values: columnsOf(rows, GIVEN_COLUMNS) });
      deps.commits.notify('checks');
    },
  });

/** Runs an insert that has no effect on rows that are there. Rejects with `OutcomeUnknown` when that cannot be known. */
export async function insertOnce(
  { pool, guardWrite, retryUnknownOutcome, reportLostConnection }: CheckDeps,
  insert: pg.QueryConfig,
): Promise<void> {
  const isUnknown = await guardWrite(async () => {
    // Only a connection lost during the statement makes the outcome unknown; a failure to connect does not.
    const client = await pool.connect();
    let isLost = false;
    try {
      await client.query(insert);
    } catch (error) {
      isLost = isConnectionLost(error);
      if (!isLost) throw error;
      reportLostConnection(error);
    } finally {
      // Otherwise the pool would reuse a dead connection.
      client.release(isLost);
    }
    return isLost;
  });
  if (isUnknown) await retryUnknownOutcome(() => pool.query(insert)).catch(throwOutcomeUnknown);
}

interface Enqueuing {
  /** The pending checks of each tenant, in order; counting ends at `countMax`. */
  countPending(tenants: readonly string[], countMax: number): Promise<readonly number[]>;
  store(rows: readonly SodCheckRow[]): Promise<void>;
}

/** Calls of one turn of the event loop, and those that come while a batch is stored, are the next batch. */
export function createEnqueue({ countPending, store }: Enqueuing): CheckWrites['enqueue'] {
  const runInOrder = createOrderedRunner();
  const underWay = new Set<Promise<void>>();
  const admit = createBacklogRoom({
    countPending: async (tenants, countMax) => {
      await Promise.allSettled(underWay);
      return countPending(tenants, countMax);
    },
    now: () => performance.now(),
  });

  /** One after the other, so that a count includes what is being stored. */
  const begin = (requests: readonly EnqueueRequest[]) =>
    runInOrder('', async () => {
      const outcomes = await admit(requests.map(({ row, backlogMax }) => ({ tenant: row.tenant, backlogMax })));
      const accepted = requests.filter((_, place) => outcomes[place] === 'stored');
      const storing = accepted.length > 0 ? store(accepted.map(({ row }) => row)) : Promise.resolve();
      underWay.add(storing);
      return { outcomes, storing };
    });
  const enqueue = gather(
    async (requests: readonly EnqueueRequest[]) => {
      const { outcomes, storing } = await begin(requests);
      await storing.finally(() => underWay.delete(storing));
      return outcomes;
    },
    { requestsMax: BATCH_MAX, lanes: LANES },
  );
  return enqueue;
}

function throwOutcomeUnknown(cause: unknown): never {
  throw cause instanceof StorageUnavailable
    ? new OutcomeUnknown('Whether checks were stored cannot be known.', { cause })
    : cause;
}

/** The parameters of `unnest`: an array for each column. */
export const columnsOf = <R>(rows: readonly R[], columns: readonly (keyof R)[]): unknown[] =>
  columns.map((column) => rows.map((row) => row[column]));
