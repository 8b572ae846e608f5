import { isNodeAway } from '../citus/errors.ts';
import type { Layout } from '../citus/layout.ts';
import { createRetry, type Retry, type StorageState } from '../retry.ts';
import { isTimedOut, postgresStateOf } from './errors.ts';
import type { PostgresLimits } from './limits.ts';
import type { PostgresConnections } from './pool.ts';

interface Retries {
  readonly retry: Retry;
  /** To find out the outcome of a write. */
  readonly retryLonger: Retry;
  readonly retryOnce: Retry;
  /** Receives errors that may mean that other connections are dead too. */
  reportLostConnection(error: unknown): void;
}

/** How calls are repeated. Each has its own limit: the success of others does not mean that it will succeed. */
export function createRetries({ cut }: PostgresConnections, limits: PostgresLimits, layout: Layout): Retries {
  // On a cluster, a timeout is that of a node: the coordinator is still there.
  const isOfNode = (error: unknown): boolean => isNodeAway(error) || (layout === 'distributed' && isTimedOut(error));
  // After a timeout on one server, every connection is cut: the others are as old and may be dead too.
  const reportLostConnection = (error: unknown): void => {
    if (layout === 'oneServer' && isTimedOut(error)) cut();
  };
  const stateOf = (error: unknown): StorageState => {
    reportLostConnection(error);
    return isOfNode(error) ? 'nodeAway' : postgresStateOf(error);
  };
  // Only the node of a write knows the outcome, so this waits until it is back.
  const stateForLonger = (error: unknown): StorageState => (isOfNode(error) ? 'passing' : stateOf(error));
  return {
    retry: (attempt) => createRetry(stateOf, limits.retryMs)(attempt),
    retryLonger: (attempt) => createRetry(stateForLonger, limits.unknownOutcomeMs)(attempt),
    retryOnce: (attempt) => createRetry(stateOf, 0)(attempt),
    reportLostConnection,
  };
}
