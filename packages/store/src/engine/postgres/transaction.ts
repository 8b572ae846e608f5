import { randomBytes } from 'node:crypto';
import { type Kysely, type KyselyPlugin, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import type { Layout } from '../citus/layout.ts';
import { OutcomeUnknown, TenantRemoved } from '../errors.ts';
import type { Retry } from '../retry.ts';
import {
  isOfRemoval,
  keepsCaches,
  LINES,
  lineOf,
  presentTenantOf,
  queueNameOf,
  queueNamesOf,
  type Scope,
} from '../scope.ts';
import { isConnectionLost, isConstraintViolation } from './errors.ts';
import { lockLine } from './lock-line.ts';

export interface TransactionDeps {
  readonly db: Kysely<Tables>;
  readonly layout: Layout;
  /** A retry with a longer limit, to find out the outcome of a write. */
  readonly retryLonger: Retry;
  readonly retry: Retry;
  /** How long a claim waits for a lock, in milliseconds. */
  readonly workLockMs: number;
  /** Receives errors that may mean that other connections are dead too. */
  reportLostConnection(error: unknown): void;
}

interface Transacted<T> {
  readonly value: T;
  /** Whether the row of its line tells of the write: not when it has changed nothing. */
  readonly isRecorded: boolean;
}

/** Runs one transaction, alone with the data of its scope. When it rejects, nothing is stored, unless the error is `OutcomeUnknown`. */
export async function transact<T>(
  deps: TransactionDeps,
  scope: Scope,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<Transacted<T>> {
  const writeId = randomBytes(12).toString('hex');
  const finished: { readonly value: T; readonly write: LastWrite | null }[] = [];
  const failures: unknown[] = [];
  try {
    await begin(deps.db).execute(async (trx) => {
      if (isShort(scope, deps.layout)) await sql`set local lock_timeout = ${sql.lit(deps.workLockMs)}`.execute(trx);
      const changes = countChanges();
      try {
        await lockScope(trx, scope, deps.layout);
        const value = await work(trx.withPlugin(changes.plugin));
        finished.push({ value, write: isRecorded(scope, changes) ? await recordWrite(trx, scope, writeId) : null });
      } catch (error) {
        failures.push(error);
        throw error;
      }
    });
  } catch (outermost) {
    // A rollback that fails would hide why there is one.
    const [error = outermost] = failures;
    deps.reportLostConnection(error);
    // A write of a tenant that is partly removed may fail before it is refused.
    if (isConstraintViolation(error)) await refuseRemoved(deps.db, scope);
    const [{ write } = { write: null }] = finished;
    // Only a connection lost during the commit leaves the outcome open.
    if (write === null || !isConnectionLost(error) || !(await wasCommitted(deps, scope, write))) throw error;
  }
  const [transacted] = finished;
  if (transacted === undefined) throw new Error('A transaction was committed before its end.');
  return { value: transacted.value, isRecorded: transacted.write !== null };
}

/** With tenants on several servers, what waits for one tenant must hold up no claim of another. */
const isShort = (scope: Scope, layout: Layout): boolean =>
  layout === 'distributed' && typeof scope !== 'string' && scope.isLease === true;

/** Each statement must see the commits that its lock has waited for. */
const begin = (db: Kysely<Tables>) => db.transaction().setIsolationLevel('read committed');

/**
 * Finds out from its statements whether a transaction has changed rows. The number of its transaction would tell too, but not on
 * an engine of several servers. A change within the `with` of a select is not seen, so writes have none.
 */
function countChanges(): { readonly plugin: KyselyPlugin; hasAny(): boolean } {
  let changed = 0n;
  return {
    plugin: {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        changed += result.numAffectedRows ?? 0n;
        return result;
      },
    },
    hasAny: () => changed > 0n,
  };
}

/**
 * Whether the row of its line tells of a write. Every process forgets what it has cached after a write of shared data, also one
 * that has changed nothing. Nothing tells of a write that removes the last rows of a tenant.
 */
const isRecorded = (scope: Scope, changes: { hasAny(): boolean }): boolean =>
  scope === 'shared' || (changes.hasAny() && (scope === 'clientIds' || scope.changes !== 'remains'));

/** Waits for other writes in the same scope. */
async function lockScope(trx: Transaction<Tables>, scope: Scope, layout: Layout): Promise<void> {
  // A removal waits for whatever is written of its tenant.
  const isRemoval = isOfRemoval(scope);
  if (layout === 'distributed' && typeof scope !== 'string') {
    for (const line of isRemoval ? LINES : [lineOf(scope)]) await lockLine(trx, scope.tenant, line);
    return;
  }
  const queues = typeof scope !== 'string' && isRemoval ? queueNamesOf(scope.tenant) : [queueNameOf(scope)];
  const names = queues.map((queue) => `access-admin:${queue}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`.execute(trx);
}

/** What a scope's row says of its last write. */
interface LastWrite {
  readonly id: string;
  /** The id of the write before. */
  readonly previousId: string | null;
}

/**
 * Records the write in the row of its line. Its version grows when the write changes cached reads. Throws a `TenantRemoved`
 * where its tenant is being removed.
 */
async function recordWrite(trx: Transaction<Tables>, scope: Scope, id: string): Promise<LastWrite> {
  const version = keepsCaches(scope) ? 0 : 1;
  const { table, row, key, where } = rowOf(scope, { version, id });
  const tenant = presentTenantOf(scope);
  const isPresent =
    tenant === null
      ? sql`true`
      : sql`not exists (select 1 from tenant_removal where tenant_removal.tenant = ${tenant})`;
  const last = await lastWriteOf(
    trx,
    sql`update ${table} set version = version + ${version}, previous_id = write_id, write_id = ${id}
      where ${where} and ${isPresent}`,
  );
  if (last !== null) return last;
  // The tenant is being removed, or this is the first write of the line.
  await refuseRemoved(trx, scope);
  const upsert = sql`
    insert into ${table} ${row} on conflict ${key} do update
    set version = ${table}.version + excluded.version, previous_id = ${table}.write_id, write_id = excluded.write_id`;
  return returned(await lastWriteOf(trx, upsert));
}

/** The removal has waited for writes that do not see it. */
async function refuseRemoved(db: Kysely<Tables>, scope: Scope): Promise<void> {
  const tenant = presentTenantOf(scope);
  if (tenant === null) return;
  const { rows } = await sql`select 1 from tenant_removal where tenant = ${tenant}`.execute(db);
  if (rows.length > 0) throw new TenantRemoved(tenant);
}

/** Reads the row of a line, after the end of a transaction that has written it. A row that it makes has the empty id. */
const waitForLastWrite = async (trx: Transaction<Tables>, scope: Scope): Promise<LastWrite> => {
  const { table, row, key } = rowOf(scope, { version: 0, id: '' });
  const upsert = sql`insert into ${table} ${row} on conflict ${key} do update set version = ${table}.version`;
  return returned(await lastWriteOf(trx, upsert));
};

/** The rows of `shared_change`. */
const SHARED_ROWS = { shared: 1, clientIds: 2 } as const;

const rowOf = (scope: Scope, { version, id }: { readonly version: number; readonly id: string }) =>
  typeof scope === 'string'
    ? {
        table: sql.table('shared_change'),
        row: sql`(id, version, write_id) values (${SHARED_ROWS[scope]}, ${version}, ${id})`,
        key: sql`(id)`,
        where: sql`id = ${SHARED_ROWS[scope]}`,
      }
    : {
        table: sql.table('tenant_change'),
        row: sql`(tenant, line, version, write_id) values (${scope.tenant}, ${lineOf(scope)}, ${version}, ${id})`,
        key: sql`(tenant, line)`,
        where: sql`tenant = ${scope.tenant} and line = ${lineOf(scope)}`,
      };

/** The row that a statement writes, or null. */
async function lastWriteOf(trx: Transaction<Tables>, statement: RawBuilder<unknown>): Promise<LastWrite | null> {
  const { rows } = await sql<LastWrite>`
    ${statement} returning write_id as id, previous_id as "previousId"`.execute(trx);
  return rows[0] ?? null;
}

function returned(last: LastWrite | null): LastWrite {
  if (last === null) throw new Error('The row of a write was not returned.');
  return last;
}

const UNKNOWN = 'The storage became unavailable, and the outcome of a write is unknown.';

/** Rejects with `OutcomeUnknown` when two later writes have replaced what tells. */
async function wasCommitted(
  { db, layout, retry, retryLonger }: TransactionDeps,
  scope: Scope,
  write: LastWrite,
): Promise<boolean> {
  const repeat = isShort(scope, layout) ? retry : retryLonger;
  const last = await repeat(() => {
    // The server may not know yet that the connection is lost. Its transaction holds the row, so this waits for its end.
    return begin(db).execute((trx) => waitForLastWrite(trx, scope));
  }).catch((cause) => {
    throw new OutcomeUnknown(UNKNOWN, { cause });
  });
  if (last.id === write.id || last.previousId === write.id) return true;
  const previousId = write.previousId ?? '';
  if (last.id === previousId || (last.previousId ?? '') === previousId) return false;
  throw new OutcomeUnknown(UNKNOWN);
}
