import type { SodCheckRow } from '../../schema/tables.ts';
import type { BacklogOutcome } from '../backlog-room.ts';
import type { CheckWrites, EnqueueRequest } from '../check-writes.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteDatabase } from './database.ts';

interface Batch {
  readonly requests: EnqueueRequest[];
  readonly outcomes: Promise<readonly BacklogOutcome[]>;
}

// A batch is stored without a pause, which blocks the event loop.
const BATCH_MAX = 1_000;

/** Calls that wait for the writing connection at the same time share one write. */
export function createSqliteEnqueue({
  writer,
  write,
}: Pick<SqliteDatabase, 'writer' | 'write'>): CheckWrites['enqueue'] {
  const storeAll = prepareStoring(writer);
  let filling: Batch | null = null;

  const openBatch = (): Batch => {
    const requests: EnqueueRequest[] = [];
    const close = () => {
      if (filling === batch) filling = null;
    };
    const outcomes = write('shared', async () => {
      // The batch closes when its turn comes, so it has every call made while the connection was busy.
      close();
      return storeAll(requests);
    }).finally(close);
    const batch: Batch = { requests, outcomes };
    return batch;
  };

  return async (request) => {
    if (filling === null || filling.requests.length >= BATCH_MAX) filling = openBatch();
    const { requests, outcomes } = filling;
    const place = requests.push(request) - 1;
    return (await outcomes)[place] ?? 'backlogFull';
  };
}

function prepareStoring(writer: SqliteConnection): (batch: readonly EnqueueRequest[]) => readonly BacklogOutcome[] {
  const countPending = writer
    .prepare<{ tenant: string; countMax: number }, number>(`
      select count(*) + (
        select count(*) from sod_check indexed by sod_check_claimed
        where tenant = +@tenant and state = 'PENDING' and attempts > 0
      ) from (
        select 1 from sod_check where tenant = +@tenant and state = 'PENDING' and attempts = 0 limit +@countMax
      )`)
    .pluck();
  const insert = writer.prepare<SodCheckRow>(`
    insert into sod_check (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id, access_refs,
      client_metadata, completed, result, includes, at_instant, origin)
    values (@tenant, @request_id, @created, @state, @attempts, @fence, @claimable_at_ms, @identity_id, @access_refs,
      @client_metadata, @completed, @result, @includes, @at_instant, @origin)
    on conflict (tenant, request_id) do nothing`);
  const findRemoval = writer.prepare<[string]>('select 1 from tenant_removal where tenant = ?');
  return (batch) => {
    const countMax = Math.max(...batch.map(({ backlogMax }) => backlogMax));
    const pendingByTenant = new Map<string, number>();
    return batch.map(({ row, backlogMax }) => {
      const pending = pendingByTenant.get(row.tenant) ?? countPending.get({ tenant: row.tenant, countMax }) ?? 0;
      const isFull = pending >= backlogMax;
      pendingByTenant.set(row.tenant, isFull ? pending : pending + 1);
      if (isFull) return 'backlogFull';
      // A check of a tenant that is being removed goes with it.
      if (findRemoval.get(row.tenant) === undefined) insert.run(row);
      return 'stored';
    });
  };
}
