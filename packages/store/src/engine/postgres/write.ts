import { createOrderedRunner } from '../../concurrency/ordered-runner.ts';
import type { Database } from '../database.ts';
import { StorageUnavailable } from '../errors.ts';
import { queueNameOf, type Scope } from '../scope.ts';
import { type Transacted, type TransactionDeps, transact, transactLocking } from './transaction.ts';

interface WriteDeps extends TransactionDeps {
  readonly queueMs: number;
  /** Called after the commit of a write that has changed something. */
  onWritten(scope: Scope): void;
}

type Writes = Pick<Database, 'write' | 'writeInParts'>;

/** Runs writes of one tenant one after the other. In the database they would wait for each other on a connection each. */
export function createPostgresWrites({ queueMs, onWritten, ...deps }: WriteDeps): Writes {
  const { retry } = deps;
  const runInOrder = createOrderedRunner();
  const inOrder = async <T>(scope: Scope, attempt: () => Promise<Transacted<T>>): Promise<T> => {
    const enteredMs = performance.now();
    const { value, isRecorded } = await runInOrder(queueNameOf(scope), (before) => {
      const hasWaited = performance.now() - enteredMs >= queueMs;
      // It was not tried, so its outcome is known.
      if (hasWaited && before?.failure instanceof StorageUnavailable)
        throw new StorageUnavailable('The storage is away.', { cause: before.failure });
      return retry(attempt);
    });
    if (isRecorded) onWritten(scope);
    return value;
  };
  const write: Writes['write'] = (scope, work) => inOrder(scope, () => transact(deps, scope, work));

  // One at a time: while it waits for its turn, it has a connection that writes before it may need.
  let isAnyAhead = false;
  const writeInParts: Writes['writeInParts'] = async (scope, { begin, complete }) => {
    if (isAnyAhead) return write(scope, async (trx) => complete(trx, await begin(trx)));
    isAnyAhead = true;
    const turn = Promise.withResolvers<void>();
    const ahead = transactLocking(deps, scope, async (trx, lock) => {
      const begun = await begin(trx);
      await turn.promise;
      await lock();
      return complete(trx, begun);
    });
    // What it rejects with is thrown when its turn has come.
    ahead.catch(() => {});
    turn.promise.catch(() => {});
    let isFirst = true;
    try {
      return await inOrder(scope, () => {
        if (!isFirst) return transact(deps, scope, async (trx) => complete(trx, await begin(trx)));
        [isFirst, isAnyAhead] = [false, false];
        turn.resolve();
        return ahead;
      });
    } finally {
      if (isFirst) {
        isAnyAhead = false;
        turn.reject(new StorageUnavailable('Its turn does not come.'));
      }
    }
  };
  return { write, writeInParts };
}
