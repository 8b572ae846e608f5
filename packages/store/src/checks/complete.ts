import type { Database } from '../engine/database.ts';
import type { LeasedQueue } from '../queue/queue.ts';
import type { SodCheckRow } from '../schema/tables.ts';
import type { CheckCompletion } from './check.ts';
import { completionToEvent, completionToRow } from './codec.ts';

const COLUMNS = { state: 'text', completed: 'text', result: 'text' } as const;

/** Stores results of checks with their events, those of a tenant in one transaction. Returns how many took effect. */
export async function completeChecks(
  database: Database,
  queue: LeasedQueue<SodCheckRow>,
  completions: readonly CheckCompletion[],
): Promise<number> {
  const byTenant = Map.groupBy(completions, ({ tenant }) => tenant);
  const counts = Array.from(byTenant, ([tenant, own]) =>
    completeOfTenant(database, queue, { tenant, completions: own }),
  );
  // A tenant that fails holds up no other.
  await Promise.allSettled(counts);
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

interface OfTenant {
  readonly tenant: string;
  readonly completions: readonly CheckCompletion[];
}

async function completeOfTenant(
  database: Database,
  queue: LeasedQueue<SodCheckRow>,
  { tenant, completions }: OfTenant,
): Promise<number> {
  // The first completion of a claim counts.
  const byClaim = new Map(completions.toReversed().map((one) => [`${one.requestId} ${one.fence}`, one]));
  const ends = [...byClaim.values()].sort(byCompletion).map((completion) => ({
    row: completionToRow(completion),
    event: completionToEvent(completion),
  }));
  const count = await queue.complete({ tenant, columns: COLUMNS, ends });
  if (count > 0) database.announceWork(tenant, 'events');
  return count;
}

const byCompletion = (one: CheckCompletion, other: CheckCompletion): number =>
  compare(one.completed, other.completed) || compare(one.requestId, other.requestId);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
