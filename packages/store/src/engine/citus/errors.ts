import pg from 'pg';
import { StorageUnavailable } from '../errors.ts';

/**
 * Citus of a connection to a node that it has lost, perhaps while the node committed. All that it says itself has the code of an
 * internal error, and so has what the library of PostgreSQL says in place of the node.
 */
const NODE_LOST =
  /^(could not commit transaction for shard |failure on connection marked as essential|execution cannot recover from multiple connection failures|server closed the connection unexpectedly|no connection to the server|connection not open|could not (receive data from|send data to) server|lost synchronization with server|SSL (SYSCALL |error|connection has been closed))/;
/** Citus of a node that takes no connection, so that nothing was sent to it. All else of a connection to a node may be its loss. */
const NODE_AWAY =
  /^(could not establish any connections to the node |connection to the remote node .*(Connection refused|No route to host|Network is unreachable|timeout expired|could not translate host name|the database system is |too many clients))/s;

/** Whether a node of a distributed database takes no connection. Only statements of its tenants fail, and nothing of them was done. */
export const isNodeAway = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && NODE_AWAY.test(error.message);

/** Whether Citus has lost a node during a statement, so that the outcome of the statement is unknown. */
export const isNodeLost = (error: pg.DatabaseError): boolean => error.code === 'XX000' && NODE_LOST.test(error.message);

const LOCK_TIMEOUT = '55P03';

/** Null where a node is away: work of its tenants waits, and that of others goes on. */
export const unlessAway = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isOf(error, isNodeAway)) return null;
    throw error;
  });

/** Null where a node is away, or where another transaction has locked what the work changes, as the move of a shard does. */
export const unlessBlocked = <T>(work: Promise<T>): Promise<T | null> =>
  unlessAway(work).catch((error: unknown) => {
    if (isOf(error, (cause) => cause instanceof pg.DatabaseError && cause.code === LOCK_TIMEOUT)) return null;
    throw error;
  });

const isOf = (error: unknown, isCause: (error: unknown) => boolean): boolean =>
  isCause(error) || (error instanceof StorageUnavailable && isOf(error.cause, isCause));
