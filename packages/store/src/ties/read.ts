import { IDENTITY_TIE_HOURS, type IdentityTie } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { createPauses } from '../concurrency/pauses.ts';
import type { Reads } from '../engine/database.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';

/** The ties of a tenant that may connect some identities. */
export interface RecentTies {
  readonly ties: readonly IdentityTie[];
  /** Whether no tie was recorded since they were read. */
  isCurrent(db: Kysely<Tables>): Promise<boolean>;
}

interface Question {
  readonly tenant: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

/**
 * Reads the ties by which these identities may be connected at `now` (ISO 8601). An import can tie very many identities, most of
 * them to one maker: these are in no chain between others, and are left out.
 */
export async function readTies(
  { read }: Reads,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  identityIds: readonly string[],
): Promise<RecentTies> {
  const question = { tenant, sinceMs: Date.parse(now) - IDENTITY_TIE_HOURS * 3_600_000 };
  const state = await read((db) => readState(db, question));
  const makers = await read((db) => readMakers(db, tenant));
  const ties = await readTiesOf({ read }, question, new Set([...identityIds, ...makers]));
  if (makers.length > 1) ties.push(...(await readJoinedMakers({ read }, question)));
  return { ties, isCurrent: async (db) => (await readState(db, question)) === state };
}

/** Differs after any tie was recorded: their number rises with each new one, and the sum with each that is recorded again. */
async function readState(db: Kysely<Tables>, { tenant, sinceMs }: Question): Promise<string> {
  const { count, sum } = await db
    .selectFrom('identity_tie')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(sql<number | null>`cast(sum(made_ms - ${sinceMs}) as bigint)`.as('sum'))
    .where('tenant', '=', tenant)
    .where('made_ms', '>', sinceMs)
    .executeTakeFirstOrThrow();
  return `${count} ${sum}`;
}

/** The makers of a tenant. They are few, and the index leads from one to the next. */
async function readMakers(db: Kysely<Tables>, tenant: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive maker (id) as (
      select min(maker_id) from identity_tie where tenant = ${tenant}
      union all
      select (select min(maker_id) from identity_tie where tenant = ${tenant} and maker_id > maker.id)
      from maker where maker.id is not null
    )
    select id from maker where id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

const IDS_AT_ONCE = 500;

/** The ties by which others may act as these identities. */
async function readTiesOf(
  { read }: Reads,
  { tenant, sinceMs }: Question,
  identityIds: ReadonlySet<string>,
): Promise<IdentityTie[]> {
  const ids = [...identityIds];
  const ties: IdentityTie[] = [];
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = ids.slice(start, start + IDS_AT_ONCE);
    const rows = await read((db) =>
      db
        .selectFrom('identity_tie')
        .select(['identity_id', 'maker_id', 'made_ms'])
        .where('tenant', '=', tenant)
        .where('identity_id', 'in', some)
        .where('made_ms', '>', sinceMs)
        .execute(),
    );
    for (const row of rows) ties.push(toTie(row.identity_id, row.maker_id, row.made_ms));
  }
  return ties;
}

const toTie = (identityId: string, makerId: string, madeMs: number): IdentityTie => ({
  identityId,
  makerId,
  made: new Date(madeMs).toISOString(),
});

// A statement blocks the event loop while SQLite carries it out.
const ROWS_AT_ONCE = 10_000;

/**
 * The identities with several makers, each as ties of its makers with the one that was tied last: by these, any two of the
 * makers are connected for as long as by the identity itself.
 */
async function readJoinedMakers({ read }: Reads, question: Question): Promise<readonly IdentityTie[]> {
  const latest = new Map<string, IdentityTie>();
  const pause = createPauses();
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after;
    const to = await read((db) => readEndOfPage(db, question.tenant, from));
    const ids = await read((db) => readShared(db, question.tenant, { from, to }));
    const byIdentity = Map.groupBy(await readTiesOf({ read }, question, new Set(ids)), ({ identityId }) => identityId);
    for (const ties of byIdentity.values()) {
      const last = ties.reduce((one, other) => (one.made < other.made ? other : one));
      for (const { makerId, made } of ties) {
        const key = JSON.stringify([last.makerId, makerId]);
        const known = latest.get(key);
        if (makerId !== last.makerId && (known === undefined || known.made < made))
          latest.set(key, { identityId: last.makerId, makerId, made });
      }
    }
    after = to;
    await pause();
  }
  return [...latest.values()];
}

/** The identity with which a page of ties ends; null for the last page. */
async function readEndOfPage(db: Kysely<Tables>, tenant: string, from: string): Promise<string | null> {
  // PostgreSQL groups all rows as fast as it would find the end of one page without statistics.
  if (isPostgres(db)) return null;
  const end = await db
    .selectFrom('identity_tie')
    .select('identity_id')
    .where('tenant', '=', tenant)
    .where('identity_id', '>', from)
    .orderBy('identity_id')
    .orderBy('maker_id')
    .offset(ROWS_AT_ONCE - 1)
    .limit(1)
    .executeTakeFirst();
  return end?.identity_id ?? null;
}

/** The identities of a page that have several makers. */
async function readShared(
  db: Kysely<Tables>,
  tenant: string,
  { from, to }: { readonly from: string; readonly to: string | null },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('identity_tie')
    .select('identity_id')
    .where('tenant', '=', tenant)
    .where('identity_id', '>', from)
    .$if(to !== null, (query) => query.where('identity_id', '<=', to))
    .groupBy('identity_id')
    .having((eb) => eb.fn.countAll<number>(), '>', 1)
    .execute();
  return rows.map(({ identity_id }) => identity_id);
}
