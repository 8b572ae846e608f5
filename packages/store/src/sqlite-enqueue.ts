import { setImmediate } from 'node:timers/promises';
import { checkToRow } from './check-queue.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { CheckQueue, NewCheck } from './store.ts';
import type { SodCheckRow } from './tables.ts';

type Outcome = Awaited<ReturnType<CheckQueue['enqueue']>>;

interface Waiting {
  readonly check: NewCheck;
  readonly backlogMax: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs work without a pause in a transaction of its own on the writing connection; may run it again from its start. */
export type Exclusively = <T>(work: () => T) => Promise<T>;

// The event loop stands still while a batch is stored.
const BATCH_MAX = 1_000;

/** Group commit: all calls of one turn of the event loop share a transaction, and are answered after it. */
export function createSqliteEnqueue(writer: SqliteConnection, exclusively: Exclusively): CheckQueue['enqueue'] {
  const storeAll = prepareStoring(writer);
  const waiting: Waiting[] = [];
  let flushing = false;

  const flush = async () => {
    while (waiting.length > 0) {
      await setImmediate();
      let batch: readonly Waiting[] = waiting;
      try {
        const outcomes = await exclusively(() => {
          // Taken only once the connection is ours: whoever came while it was busy shares the commit.
          if (batch === waiting) batch = waiting.splice(0, BATCH_MAX);
          return storeAll(batch);
        });
        for (const [place, { resolve }] of batch.entries()) resolve(outcomes[place] ?? 'backlogFull');
      } catch (error) {
        for (const { reject } of batch === waiting ? waiting.splice(0) : batch) reject(error);
      }
    }
    flushing = false;
  };

  return (check, backlogMax) =>
    new Promise((resolve, reject) => {
      waiting.push({ check, backlogMax, resolve, reject });
      if (flushing) return;
      flushing = true;
      void flush();
    });
}

function prepareStoring(writer: SqliteConnection): (batch: readonly Waiting[]) => readonly Outcome[] {
  const countPending = writer
    .prepare<[string, number], number>(
      `select count(*) from (select 1 from sod_check where tenant = ? and state = 'PENDING' limit ?)`,
    )
    .pluck();
  const insert = writer.prepare<SodCheckRow>(`
    insert into sod_check (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id, access_refs,
      client_metadata, completed, result)
    values (@tenant, @request_id, @created, @state, @attempts, @fence, @claimable_at_ms, @identity_id, @access_refs,
      @client_metadata, @completed, @result)`);
  return (batch) => {
    const countMax = Math.max(...batch.map(({ backlogMax }) => backlogMax));
    const pendingByTenant = new Map<string, number>();
    return batch.map(({ check, backlogMax }) => {
      const pending = pendingByTenant.get(check.tenant) ?? countPending.get(check.tenant, countMax) ?? 0;
      const isFull = pending >= backlogMax;
      pendingByTenant.set(check.tenant, isFull ? pending : pending + 1);
      if (isFull) return 'backlogFull';
      insert.run(checkToRow(check));
      return 'stored';
    });
  };
}
