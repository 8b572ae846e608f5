import type { Kysely } from 'kysely';
import { createTurns } from '../../concurrency/turns.ts';
import type { Tables } from '../../schema/tables.ts';
import { type Database, isUnremembered, lineOf, type Scope } from '../database.ts';
import { StorageUnavailable } from '../errors.ts';
import type { Retry } from '../retry.ts';
import { transact } from './transaction.ts';

/** Who has waited so long in a line in which one gave up does not try any more. */
const QUEUE_MS_MAX = 2_000;

interface WriteDeps {
  readonly db: Kysely<Tables>;
  readonly retry: Retry;
  readonly retryPatiently: Retry;
  noticeLost(error: unknown): void;
  onWritten(scope: Scope): void;
}

/** Writes of one tenant one after the other: they would only wait for each other in the database, on a connection each. */
export function createPostgresWrite({ retry, onWritten, ...deps }: WriteDeps): Database['write'] {
  const inTurn = createTurns();
  return async (scope, work) => {
    const enteredMs = performance.now();
    const { value, isChange } = await inTurn(lineOf(scope), (before) => {
      const hasWaited = performance.now() - enteredMs >= QUEUE_MS_MAX;
      // Of this one it is known: it was not tried.
      if (hasWaited && before?.failure instanceof StorageUnavailable)
        throw new StorageUnavailable('The storage is away.', { cause: before.failure });
      return retry(() => transact(deps, scope, work));
    });
    if (isChange && !isUnremembered(scope)) onWritten(scope);
    return value;
  };
}
