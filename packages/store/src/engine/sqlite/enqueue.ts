import type { NewCheck } from '../../checks/check.ts';
import { checkToRow } from '../../checks/codec.ts';
import type { CheckQueue } from '../../checks/queue.ts';
import type { SodCheckRow } from '../../schema/tables.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteDatabase } from './database.ts';

type Outcome = Awaited<ReturnType<CheckQueue['enqueue']>>;

interface Request {
  readonly check: NewCheck;
  readonly backlogMax: number;
}

interface Batch {
  readonly requests: Request[];
  readonly outcomes: Promise<readonly Outcome[]>;
}

// The event loop stands still while a batch is stored.
const BATCH_MAX = 1_000;

/** Calls that wait for the writing connection together are one write. */
export function createSqliteEnqueue({
  writer,
  write,
}: Pick<SqliteDatabase, 'writer' | 'write'>): CheckQueue['enqueue'] {
  const storeAll = prepareStoring(writer);
  let filling: Batch | null = null;

  const openBatch = (): Batch => {
    const requests: Request[] = [];
    const close = () => {
      if (filling === batch) filling = null;
    };
    const outcomes = write('shared', async () => {
      // Only now that its turn has come: whoever came while the connection was busy is in it.
      close();
      return storeAll(requests);
    }).finally(close);
    const batch: Batch = { requests, outcomes };
    return batch;
  };

  return async (check, backlogMax) => {
    if (filling === null || filling.requests.length >= BATCH_MAX) filling = openBatch();
    const { requests, outcomes } = filling;
    const place = requests.push({ check, backlogMax }) - 1;
    return (await outcomes)[place] ?? 'backlogFull';
  };
}

function prepareStoring(writer: SqliteConnection): (batch: readonly Request[]) => readonly Outcome[] {
  const countPending = writer
    .prepare<{ tenant: string; countMax: number }, number>(`
      select count(*) + (
        select count(*) from sod_check indexed by sod_check_claimed
        where tenant = @tenant and state = 'PENDING' and attempts > 0
      ) from (
        select 1 from sod_check where tenant = @tenant and state = 'PENDING' and attempts = 0 limit @countMax
      )`)
    .pluck();
  const insert = writer.prepare<SodCheckRow>(`
    insert into sod_check (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id, access_refs,
      client_metadata, completed, result, includes, at_moment)
    values (@tenant, @request_id, @created, @state, @attempts, @fence, @claimable_at_ms, @identity_id, @access_refs,
      @client_metadata, @completed, @result, @includes, @at_moment)
    on conflict (tenant, request_id) do nothing`);
  return (batch) => {
    const countMax = Math.max(...batch.map(({ backlogMax }) => backlogMax));
    const pendingByTenant = new Map<string, number>();
    return batch.map(({ check, backlogMax }) => {
      const pending = pendingByTenant.get(check.tenant) ?? countPending.get({ tenant: check.tenant, countMax }) ?? 0;
      const isFull = pending >= backlogMax;
      pendingByTenant.set(check.tenant, isFull ? pending : pending + 1);
      if (isFull) return 'backlogFull';
      insert.run(checkToRow(check));
      return 'stored';
    });
  };
}
