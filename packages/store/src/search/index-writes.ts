import type { CompiledQuery, QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely';
import type { SearchEntry, SearchTable } from './entry.ts';

/** The transaction of a change. */
export interface SearchTransaction extends QueryExecutorProvider {
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>;
}

/** The records of one table of a tenant. */
export interface SearchScope {
  readonly tenant: string;
  readonly table: SearchTable;
}

/** Codes that an entry must have: one of them at least, or all of one of some sets, none of which is empty. */
export type SearchedCodes = { readonly any: readonly number[] } | { readonly allOfOne: readonly (readonly number[])[] };

/** The index of an engine by which entries are found. The rows of `search_entry` are the entries. */
export interface SearchIndex {
  /** Inserts or replaces entries with different ids, at most `ENTRIES_AT_ONCE`. */
  put(trx: SearchTransaction, scope: SearchScope, entries: readonly SearchEntry[]): Promise<void>;
  /** Removes entries by id, at most `ENTRIES_AT_ONCE`. */
  remove(trx: SearchTransaction, scope: SearchScope, ids: readonly string[]): Promise<void>;
  /** Removes some entries of a tenant, `limit` at most. Returns how many. */
  removeSome(trx: SearchTransaction, tenant: string, limit: number): Promise<number>;
  /** What to select from, and the condition, for the entries with such codes. */
  having(codes: SearchedCodes): { readonly source: RawBuilder<unknown>; readonly condition: RawBuilder<boolean> };
}

/** Keeps statements well below the limit of parameters. */
export const ENTRIES_AT_ONCE = 100;
