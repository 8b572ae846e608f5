import type { AuditContext, Conflict, Forbidden, NotFound, Result, SodViolation } from '@access-admin/domain';
import type { Database, Reads, Snapshot } from '../../engine/database.ts';
import { changeScope } from '../../engine/scope.ts';
import type { Position } from '../../query/order.ts';
import { COUNTED_MAX, type Total } from '../../query/total.ts';
import { countViolations } from './count.ts';
import { columnConditions } from './names.ts';
import { type RegisterPage, type RegisterQuery, sortKeysOf } from './query.ts';
import { readPage } from './read-page.ts';
import { type Reassignment, reassignViolation } from './reassign.ts';
import { type RegisterView, readRegisterView } from './register/head.ts';
import { readOwnerId } from './register/owners.ts';
import { showViolations } from './register/show.ts';
import { type RegisterSummary, readSummary } from './summary.ts';

/** A page of violations. */
export interface ViolationPage {
  readonly violations: readonly SodViolation[];
  /** The position after which the next page begins; null at the end. A page may have fewer violations than asked for and a next one. */
  readonly next: Position | null;
  /** The instant up to which the register is complete; null before its first filling. */
  readonly asOf: string | null;
  /** How many violations meet the conditions; null if that was not asked. */
  readonly total: Total | null;
}

/** All violations of a query as of one snapshot, which is closed when they have been read, or with the export. */
export interface ViolationExport extends AsyncDisposable {
  /** The instant up to which the register is complete; null before its first filling. */
  readonly asOf: string | null;
  readonly violations: AsyncIterable<SodViolation>;
}

/** When a query is asked: `now` is ISO 8601 in UTC with milliseconds, and read before. */
type Asked<Query> = Query & { readonly now: string };

/** The violations of each tenant, present and ended ones. Each answer is as of one snapshot, with the instant up to which the register is complete. Times are ISO 8601 in UTC with milliseconds. */
export interface ViolationStore {
  /** In bounded time for a page without an offset, however many violations there are and whatever the conditions leave. */
  list(
    tenant: string,
    query: Asked<RegisterQuery>,
    page: RegisterPage & { readonly isCounted?: boolean },
  ): Promise<ViolationPage>;
  /** The instant up to which the register is complete, and what it was made from. */
  readView(tenant: string, now: string): Promise<RegisterView>;
  find(tenant: string, id: string, now: string): Promise<SodViolation | null>;
  /** The id of the owner of a violation; null without one. */
  findOwner(tenant: string, id: string): Promise<string | null>;
  /** Opens an export. */
  export(tenant: string, query: Asked<RegisterQuery>): Promise<ViolationExport>;
  /** The maintained counts, with the trend over the last `days` days. */
  summarize(tenant: string, options: { readonly now: string; readonly days: number }): Promise<RegisterSummary>;
  /** Gives a violation another owner; null when the identity owns it already. */
  reassign(
    auditContext: AuditContext,
    reassignment: Reassignment,
  ): Promise<Result<SodViolation | null, Forbidden | NotFound | Conflict>>;
}

/** A count that has passed `countedMax` may end. */
export function createViolationStore(database: Database, countedMax = COUNTED_MAX): ViolationStore {
  const open = async (tenant: string, now: string, purpose: 'answer' | 'export') => {
    const snapshot = await database.openSnapshot(purpose, tenant);
    try {
      return { snapshot, view: await snapshot.read((db) => readRegisterView(db, tenant, now)) };
    } catch (error) {
      await snapshot[Symbol.asyncDispose]();
      throw error;
    }
  };
  /** Reads a register together with its view, all as of one instant. */
  const readAt = async <T>(
    tenant: string,
    now: string,
    read: (reads: Reads, view: RegisterView) => Promise<T>,
  ): Promise<T> => {
    const { snapshot, view } = await open(tenant, now, 'answer');
    await using reads = snapshot;
    return await read(reads, view);
  };
  return {
    list: (tenant, query, page) =>
      readAt(tenant, query.now, async (reads, { asOf }) => {
        const listed = await listPage(reads, { tenant, query, asOf }, page);
        const { conditions } = query;
        const total = page.isCounted === true ? await countViolations(reads, { tenant, conditions, countedMax }) : null;
        return { ...listed, asOf, total };
      }),
    readView: (tenant, now) => database.read((db) => readRegisterView(db, tenant, now)),
    find: (tenant, id, now) =>
      readAt(tenant, now, ({ read }, { asOf }) =>
        read(async (db) => {
          const rows = db.selectFrom('sod_violation').selectAll().where('tenant', '=', tenant).where('id', '=', id);
          const [violation] = await showViolations(db, await rows.execute(), asOf ?? now);
          return violation ?? null;
        }),
      ),
    findOwner: (tenant, id) =>
      database.read(async (db) => {
        const found = db
          .selectFrom('sod_violation')
          .select('owner_id')
          .where('tenant', '=', tenant)
          .where('id', '=', id);
        const row = await found.executeTakeFirst();
        return row === undefined ? null : readOwnerId(db, tenant, row.owner_id);
      }),
    export: async (tenant, query) => {
      const { snapshot, view } = await open(tenant, query.now, 'export');
      return {
        asOf: view.asOf,
        violations: exportAll(snapshot, { tenant, query, asOf: view.asOf }),
        [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
      };
    },
    summarize: (tenant, options) =>
      readAt(tenant, options.now, ({ read }, view) => read((db) => readSummary(db, view, { tenant, ...options }))),
    reassign: (auditContext, reassignment) =>
      database.write(changeScope(auditContext), (trx) => reassignViolation(trx, auditContext, reassignment)),
  };
}

interface Listed {
  readonly tenant: string;
  readonly isPatient?: boolean;
  readonly query: Asked<RegisterQuery>;
  readonly asOf: string | null;
}

async function listPage(
  reads: Reads,
  { tenant, query, asOf, isPatient = false }: Listed,
  page: RegisterPage,
): Promise<Pick<ViolationPage, 'violations' | 'next'>> {
  const conditions = await columnConditions(reads, tenant, query.conditions);
  const keys = sortKeysOf(query);
  const { rows, next } = await readPage(reads, { tenant, conditions, keys, isPatient }, page);
  return { violations: await reads.read((db) => showViolations(db, rows, asOf ?? query.now)), next };
}

const EXPORTED_AT_ONCE = 250;

async function* exportAll(snapshot: Snapshot, listed: Listed): AsyncGenerator<SodViolation> {
  await using reads = snapshot;
  for (let after: Position | null = null; ; ) {
    const { violations, next }: Pick<ViolationPage, 'violations' | 'next'> = await listPage(
      reads,
      { ...listed, isPatient: true },
      { limit: EXPORTED_AT_ONCE, offset: 0, after },
    );
    yield* violations;
    if (next === null) return;
    after = next;
  }
}
