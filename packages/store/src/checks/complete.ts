import { compareTexts } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { endHeld, endHeldOnPostgres } from '../queue/statements.ts';
import { appendEvents, appendEventsOf, EVENT_COLUMNS, toEventColumns } from '../record/events/append-events.ts';
import type { Tables } from '../schema/tables.ts';
import type { CheckCompletion } from './check.ts';
import { completionToEvent, completionToRow } from './codec.ts';
import { LEASED_CHECKS } from './leased-checks.ts';

const COLUMNS = { state: 'text', completed: 'text', result: 'text' } as const;

/** Stores results of checks with their events, those of a tenant all at once. Returns how many took effect. */
export async function completeChecks(database: Database, completions: readonly CheckCompletion[]): Promise<number> {
  const byTenant = Map.groupBy(completions, ({ tenant }) => tenant);
  const counts = Array.from(byTenant, ([tenant, own]) => completeOfTenant(database, tenant, own));
  // A tenant that fails holds up no other.
  await Promise.allSettled(counts);
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function completeOfTenant(
  database: Database,
  tenant: string,
  completions: readonly CheckCompletion[],
): Promise<number> {
  const ordered = latestOf(completions).sort(byCompletion);
  const count = database.chainsWrites
    ? await database.writeStatement((db) => completeByStatement(db, database, { tenant, completions: ordered }))
    : await database.writeIdempotent((trx) => completeInTransaction(trx, database, { tenant, completions: ordered }));
  // Also where none took effect: the answer to the first run of a repeated write may have been lost.
  database.announceWork(tenant, 'events');
  return count;
}

/** The first completion by the latest claim of each check: no other can take effect. */
function latestOf(completions: readonly CheckCompletion[]): CheckCompletion[] {
  const latest = new Map<string, CheckCompletion>();
  for (const one of completions) {
    const known = latest.get(one.requestId);
    if (known === undefined || one.fence > known.fence) latest.set(one.requestId, one);
  }
  return [...latest.values()];
}

interface CompletionsOfTenant {
  readonly tenant: string;
  readonly completions: readonly CheckCompletion[];
}

/** A transaction would take four round trips more on PostgreSQL. */
async function completeByStatement(
  db: Kysely<Tables>,
  { joinedTenant }: Database,
  { tenant, completions }: CompletionsOfTenant,
): Promise<number> {
  const ended = endHeldOnPostgres(
    { ...LEASED_CHECKS, joinedTenant },
    {
      tenant,
      columns: COLUMNS,
      rows: completions.map((one, place) => ({
        ...completionToRow(one),
        ...toEventColumns(completionToEvent(one), place),
      })),
      returned: EVENT_COLUMNS,
    },
  );
  const { rows } = await sql<{ readonly count: number }>`
    with ended as (${ended}), ${appendEventsOf(tenant, 'ended')} select count(*) as count from ended`.execute(db);
  return rows[0]?.count ?? 0;
}

async function completeInTransaction(
  trx: Transaction<Tables>,
  { joinedTenant }: Database,
  { tenant, completions }: CompletionsOfTenant,
): Promise<number> {
  const rows = completions.map(completionToRow);
  const ids = await endHeld(trx, { ...LEASED_CHECKS, joinedTenant }, { tenant, columns: COLUMNS, rows });
  const own = completions.filter(({ requestId }) => ids.has(requestId));
  await appendEvents(trx, tenant, own.map(completionToEvent));
  return own.length;
}

const byCompletion = (one: CheckCompletion, other: CheckCompletion): number =>
  compareTexts(one.completed, other.completed) || compareTexts(one.requestId, other.requestId);
