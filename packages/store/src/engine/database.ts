import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Tables } from '../schema/tables.ts';
import type { ArisingWork } from './commits.ts';
import type { EpochOf } from './read-cache.ts';
import type { Scope, TenantScope } from './scope.ts';
import type { TenantTurns, WorkOfTenants } from './tenant-turns.ts';

/** Runs single statements. */
export interface Reads {
  /** May run the callback again from its start. Each statement sees committed data. */
  read<T>(query: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
}

/** Reads that are all as of one instant. */
export interface Snapshot extends Reads, AsyncDisposable {}

/** Runs statements and transactions. */
export interface ReadsAndWrites extends Reads {
  /**
   * Runs as one transaction, alone with the data of its scope: it sees all earlier writes and is stored completely or not at
   * all. It may share its commit with others, resolves after the commit, and may run the callback again from its start.
   */
  write<T>(scope: Scope, transaction: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** `write` for long work, with a commit of its own, so that earlier writes need not wait for it. */
  writeAlone<T>(scope: Scope, transaction: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
}

/** A change of shared data, and its record in the log of a tenant. */
export interface SharedChange {
  /** False if it has changed nothing. */
  change(trx: Transaction<Tables>): Promise<boolean>;
  record(trx: Transaction<Tables>): Promise<void>;
}

/** What concerns several tenants, or none. */
export interface OfSeveralTenants {
  /** Reads something of each tenant. Tenants whose server is away are left out. */
  readOfTenants<T>(
    tenants: readonly string[],
    query: (db: Kysely<Tables>, tenants: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>>;
  /** Changes shared data and records it, in one transaction where that is possible; else the record is stored first. */
  writeShared(scope: TenantScope, change: SharedChange): Promise<boolean>;
  /** The turns of the tenants that have work of one kind. */
  takeTurns(work: WorkOfTenants): TenantTurns;
  /** Null where what a tenant's work changes cannot be had now: that work waits, and that of others goes on. */
  unlessBlocked<T>(work: Promise<T>): Promise<T | null>;
  /** SQL: the tenant in the condition of a join. `column` is the joined one. */
  joinedTenant(tenant: string, column: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** What the aggregates need of an engine. */
export interface Database extends ReadsAndWrites, OfSeveralTenants {
  /** `read` for a statement that is sent so often that PostgreSQL plans it once for each connection. */
  readRepeated: Reads['read'];
  /**
   * Runs one statement that claims rows of a tenant, or extends leases. If its outcome is unknown it rejects without finding it out,
   * which would hold up claims of other tenants: a lease ends by itself.
   */
  writeLease<T>(statement: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Runs one statement that changes rows of a tenant, and that may run twice, as `writeIdempotent` runs a transaction. */
  writeStatement<T>(statement: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Runs a transaction of a tenant that may run twice. Rejects with `OutcomeUnknown` if it is unknown whether the transaction committed. */
  writeIdempotent<T>(transaction: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Tells every process that work may have arisen in a tenant, after the commit. */
  announceWork(tenant: string, arising: ArisingWork): void;
  /** Runs work that reads and writes through `held`. A close that begins meanwhile waits for it, and refuses its calls after a second. */
  hold<T>(work: (held: ReadsAndWrites) => Promise<T>): Promise<T>;
  /**
   * Exports may be slow to consume, so loads by this process do not share their connections. The work of a worker on all data
   * of a tenant may take long. An answer takes some milliseconds, and there are many. All its reads are of the tenant.
   */
  openSnapshot(purpose: 'answer' | 'export' | 'load' | 'work', tenant: string): Promise<Snapshot>;
  /** For reads that every request makes: their results are kept while the epoch of their tenant lasts. */
  readonly epochOf: EpochOf;
  /** Has the planner look at tables that were just filled, where it does not do so by itself. */
  analyze(tables: readonly (keyof Tables)[]): Promise<void>;
  /** Whether one statement can write to several tables, by parts of a `with`. */
  readonly chainsWrites: boolean;
  readonly closing: AbortSignal;
  /** The migrations of the schema, by name, in order. */
  readonly migrations: Readonly<Record<string, Migration>>;
}
