import type { AuditContext } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { startStopwatch } from '../concurrency/stopwatch.ts';
import type { Reads, ReadsAndWrites } from '../engine/database.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { changeScope } from '../engine/scope.ts';
import type { Tables } from '../schema/tables.ts';
import { ATTEMPTS_MAX, isRepeatable } from './model-version.ts';

/** What was found out without a transaction. */
export interface Finding<T> {
  readonly value: T;
  /** Whether it would be found out again. Called in the transaction that depends on it. */
  isCurrent(trx: Transaction<Tables>): Promise<boolean>;
}

/** Finds something out, which may take long. */
export type Find<T> = (reads: Reads) => Promise<Finding<T>>;

/** The outcome of a write whose preparation does not fit the stored data any more. Nothing was written. */
export const OUTDATED = Symbol('outdated');

/**
 * Finds out what a write depends on before its transaction, and again for as long as that is outdated: outside, or within the
 * transaction where it is short.
 */
export async function writePrepared<T, R>(
  held: ReadsAndWrites,
  { auditContext, find }: { readonly auditContext: AuditContext; readonly find: Find<T> },
  write: (trx: Transaction<Tables>, found: T) => Promise<R>,
): Promise<R> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const elapsedMs = startStopwatch();
    const found = await find(held);
    const tookMs = elapsedMs();
    const written = await held.write(changeScope(auditContext), async (trx) => {
      if (await found.isCurrent(trx)) return write(trx, found.value);
      if (!isRepeatable(tookMs, attempt)) return OUTDATED;
      return write(trx, (await find({ read: (query) => query(trx) })).value);
    });
    if (written !== OUTDATED) return written;
  }
  throw new StorageUnavailable('The access of the identity changes too often to decide on its exception.');
}
