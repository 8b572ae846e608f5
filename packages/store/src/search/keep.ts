import { createPauses } from '../concurrency/pauses.ts';
import { createEntryMaker, type SearchedColumns, type SearchTable } from './entry.ts';
import { ENTRIES_AT_ONCE, type SearchIndex, type SearchScope, type SearchTransaction } from './index-writes.ts';

/** Keeps the entries of a transaction's changes, in the transaction. */
export interface SearchKeeper {
  /** Inserts or replaces the entries of rows with different ids. */
  put<T extends SearchTable>(table: T, rows: Iterable<SearchedColumns[T]>): Promise<void>;
  remove(table: SearchTable, ids: readonly string[]): Promise<void>;
}

export function createSearchKeeper(trx: SearchTransaction, index: SearchIndex, tenant: string): SearchKeeper {
  return {
    put: async (table, rows) => {
      const toEntry = createEntryMaker(tenant, table);
      await inChunks({ tenant, table }, rows, (scope, some) => index.put(trx, scope, some.map(toEntry)));
    },
    remove: (table, ids) => inChunks({ tenant, table }, ids, (scope, some) => index.remove(trx, scope, some)),
  };
}

async function inChunks<T>(
  scope: SearchScope,
  all: Iterable<T>,
  write: (scope: SearchScope, some: readonly T[]) => Promise<void>,
): Promise<void> {
  const pause = createPauses();
  let some: T[] = [];
  for (const each of all) {
    some.push(each);
    if (some.length < ENTRIES_AT_ONCE) continue;
    await write(scope, some);
    some = [];
    await pause();
  }
  if (some.length > 0) await write(scope, some);
}
