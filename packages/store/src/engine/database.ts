import type { Kysely, Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Tables } from '../schema/tables.ts';

/** At once where it is in memory, for the reads of every request: a wait would cost more than the read. */
export type MaybePromise<T> = T | Promise<T>;

/** Runs single statements. */
export interface Reads {
  /** May run the callback again from its start; each statement sees data that is committed. */
  read<T>(query: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
}

/** Reads that all see the data of one moment, however long they take. */
export interface Snapshot extends Reads, AsyncDisposable {}

/** The data that a write reads and changes: those of one tenant, perhaps its audit log or its reports alone, or those that belong to none. */
export type Scope = { readonly tenant: string; readonly changes?: 'auditLog' | 'reports' } | 'shared';

/** Whether nothing is changed that anybody remembers or waits for: then nobody is told of it. */
export const isUnremembered = (scope: Scope): boolean => scope !== 'shared' && scope.changes !== undefined;

/** Writes with the same name come one after the other. What a worker writes of reports is in nobody's way. */
export const lineOf = (scope: Scope): string =>
  scope === 'shared' ? '' : scope.changes === 'reports' ? `${scope.tenant} reports` : scope.tenant;

/** What the aggregates need of an engine. */
export interface Database extends Reads {
  /**
   * As if it were one transaction, alone with its data: sees what was written before it, stays whole or has no trace. May
   * share its commit with others, resolves after it, and may run the callback again from its start.
   */
  write<T>(scope: Scope, transaction: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** `write` for what takes long: with a commit of its own, so that those before it need not wait for it. */
  writeAlone<T>(scope: Scope, transaction: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** An export may be taken slowly; a load by this process itself should not have to wait for one. */
  openSnapshot(purpose: 'export' | 'load'): Promise<Snapshot>;
  readonly closing: AbortSignal;
  /** All that make its schema, by name, in order. */
  readonly migrations: Readonly<Record<string, Migration>>;
}
