import { createOrderedRunner } from '../concurrency/ordered-runner.ts';
import type { Database } from '../database.ts';
import { StorageUnavailable } from '../errors.ts';
import { queueNameOf, type Scope } from '../scope.ts';
import { type TransactionDeps, transact } from './transaction.ts';

interface WriteDeps extends TransactionDeps {
  readonly queueMs: number;
  /** Called after the commit of a write that has changed something. */
  onWritten(scope: Scope): void;
}

/** Runs writes of one tenant one after the other. In the database they would wait for each other on a connection each. */
export function createPostgresWrite({ queueMs, onWritten, ...deps }: WriteDeps): Database['write'] {
  const { retry } = deps;
  const runInOrder = createOrderedRunner();
  return async (scope, work) => {
    const enteredMs = performance.now();
    const { value, isRecorded } = await runInOrder(queueNameOf(scope), (before) => {
      const hasWaited = performance.now() - enteredMs >= queueMs;
      // It was not tried, so its outcome is known.
      if (hasWaited && before?.failure instanceof StorageUnavailable)
        throw new StorageUnavailable('The storage is away.', { cause: before.failure });
      return retry(() => transact(deps, scope, work));
    });
    if (isRecorded) onWritten(scope);
    return value;
  };
}
