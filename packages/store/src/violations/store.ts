import type { SodViolation } from '@access-admin/domain';
import type { Database, Reads } from '../engine/database.ts';
import { readRegisterView } from '../register/head.ts';
import { showViolations } from '../register/show.ts';
import { countViolations } from './count.ts';
import { columnConditions } from './names.ts';
import { type RegisterPage, type RegisterPlace, type RegisterQuery, sortKeysOf } from './query.ts';
import { readPage } from './read-page.ts';
import { createKnownPolicyCounts, type RegisterSummary, readSummary } from './summary.ts';

/** A page of violations. */
export interface ViolationPage {
  readonly violations: readonly SodViolation[];
  /** The place after which the next page begins; null at the end. A page may have fewer violations than asked for and a next one. */
  readonly next: RegisterPlace | null;
  /** The register's moment; null before its first filling. */
  readonly asOf: string | null;
}

/** Reads of the violations of each tenant, present and ended ones. `now` is ISO 8601 in UTC with milliseconds. */
export interface ViolationStore {
  /** In bounded time for a page without an offset, however many violations there are and whatever the conditions leave. */
  list(tenant: string, query: RegisterQuery & { readonly now: string }, page: RegisterPage): Promise<ViolationPage>;
  /** The id of the owner of a violation; null without one. */
  findOwner(tenant: string, id: string): Promise<string | null>;
  count(tenant: string, query: Pick<RegisterQuery, 'conditions'>): Promise<number>;
  /** All violations of a query as of one snapshot. */
  export(tenant: string, query: RegisterQuery & { readonly now: string }): AsyncIterable<SodViolation>;
  /** The kept counts, with the trend of so many days. */
  summarize(tenant: string, options: { readonly now: string; readonly days: number }): Promise<RegisterSummary>;
}

export function createViolationStore(database: Database): ViolationStore {
  const knownPolicies = createKnownPolicyCounts();
  return {
    list: (tenant, query, page) => listPage(database, { tenant, query }, page),
    findOwner: (tenant, id) =>
      database.read(async (db) => {
        const found = db.selectFrom('sod_violation').select('owner_id').where('tenant', '=', tenant);
        return (await found.where('id', '=', id).executeTakeFirst())?.owner_id ?? null;
      }),
    count: (tenant, { conditions }) => countViolations(database, tenant, conditions),
    export: (tenant, query) => exportAll(database, tenant, query),
    summarize: (tenant, options) => database.read((db) => readSummary({ db, knownPolicies }, tenant, options)),
  };
}

interface Listed {
  readonly tenant: string;
  readonly isPatient?: boolean;
  readonly query: RegisterQuery & { readonly now: string };
}

async function listPage(
  reads: Reads,
  { tenant, query, isPatient = false }: Listed,
  page: RegisterPage,
): Promise<ViolationPage> {
  const { asOf } = await reads.read((db) => readRegisterView(db, tenant, query.now));
  const conditions = await columnConditions(reads, tenant, query.conditions);
  const { rows, next } = await readPage(reads, { tenant, conditions, keys: sortKeysOf(query), isPatient }, page);
  return { violations: await reads.read((db) => showViolations(db, rows, asOf ?? query.now)), next, asOf };
}

const EXPORTED_AT_ONCE = 250;

async function* exportAll(
  database: Database,
  tenant: string,
  query: RegisterQuery & { readonly now: string },
): AsyncGenerator<SodViolation> {
  await using snapshot = await database.openSnapshot('export');
  for (let after: RegisterPlace | null = null; ; ) {
    const page: ViolationPage = await listPage(
      snapshot,
      { tenant, query, isPatient: true },
      { limit: EXPORTED_AT_ONCE, offset: 0, after },
    );
    yield* page.violations;
    if (page.next === null) return;
    after = page.next;
  }
}
