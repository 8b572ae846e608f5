import pg from 'pg';
import { isNodeAway, isNodeLost } from '../citus/errors.ts';
import type { StorageState } from '../retry.ts';

// SQLSTATE classes and codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
/** A conflict with another transaction: serialization failure, deadlock. */
const IN_THE_WAY = /^(40001|40P01)$/;
/** The connection has ended or is not available now: 08 connection exception, 57P0x shutdown, crash and start, 53300 too many connections, 25P0x timed out. */
const CONNECTION_LOST = /^(08...|57P0[1-5]|53300|25P0[34])$/;
const DISK_FULL = '53100';
/** Out of memory, I/O error, a standby that cannot write, a timeout of a lock or a statement. */
const AWAY = /^(53[0-9A-Z]{3}|58...|25006|55P03|57014)$/;

/** Messages of the driver without a code, when a connection breaks or the pool has none. */
const DRIVER_LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout e|Received unexpected|There was an error establishing an SSL)/;
const TIMED_OUT = 'Query read timeout';

export function postgresStateOf(error: unknown): StorageState {
  if (isNodeAway(error)) return 'nodeAway';
  if (isConnectionLost(error)) return 'passing';
  const code = codeOf(error);
  if (IN_THE_WAY.test(code) || isPlanOutdated(error)) return 'passing';
  if (code === DISK_FULL) return 'full';
  return AWAY.test(code) ? 'away' : 'other';
}

/** Whether the connection was lost, so that the outcome of its statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError)
    return (CONNECTION_LOST.test(codeOf(error)) && !isNodeAway(error)) || isNodeLost(error);
  // A host name with several addresses yields one error for each.
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  // Other errors with a code come from the socket.
  return codeOf(error) !== '' || isTimedOut(error) || (error instanceof Error && DRIVER_LOST.test(error.message));
}

/** Whether a statement was refused because of rows that are there, or are not: 23 integrity constraint violation. */
export const isConstraintViolation = (error: unknown): boolean => codeOf(error).startsWith('23');

/** Whether a migration has changed the columns that a prepared statement returns. */
export const isPlanOutdated = (error: unknown): boolean =>
  // The code stands for everything that the server does not support, and the message is translated.
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/** Whether a lock was not free within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** Whether a statement took longer than the server allows, so that its connection is dead. */
export const isTimedOut = (error: unknown): boolean => error instanceof Error && error.message === TIMED_OUT;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
