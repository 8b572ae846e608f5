import type { Kysely } from 'kysely';
import { createOrderedRunner } from '../../concurrency/ordered-runner.ts';
import type { Tables } from '../../schema/tables.ts';
import { type Database, keepsCaches, queueNameOf, type Scope } from '../database.ts';
import { StorageUnavailable } from '../errors.ts';
import type { Retry } from '../retry.ts';
import { transact } from './transaction.ts';

interface WriteDeps {
  readonly db: Kysely<Tables>;
  readonly retry: Retry;
  readonly retryLonger: Retry;
  readonly queueMs: number;
  reportLostConnection(error: unknown): void;
  onWritten(scope: Scope): void;
}

/** Runs writes of one tenant one after the other. In the database they would wait for each other on a connection each. */
export function createPostgresWrite({ retry, queueMs, onWritten, ...deps }: WriteDeps): Database['write'] {
  const runInOrder = createOrderedRunner();
  return async (scope, work) => {
    const enteredMs = performance.now();
    const { value, isChange } = await runInOrder(queueNameOf(scope), (before) => {
      const hasWaited = performance.now() - enteredMs >= queueMs;
      // It was not tried, so its outcome is known.
      if (hasWaited && before?.failure instanceof StorageUnavailable)
        throw new StorageUnavailable('The storage is away.', { cause: before.failure });
      return retry(() => transact(deps, scope, work));
    });
    if (isChange && !keepsCaches(scope)) onWritten(scope);
    return value;
  };
}
