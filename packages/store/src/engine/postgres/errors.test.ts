import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { isConnectionLost, isTimedOut, postgresStateOf } from './errors.ts';

function fromServer(code: string, message = 'what the server says', routine = 'exec_stmt'): Error {
  const error = new pg.DatabaseError(message, 0, 'error');
  error.code = code;
  error.routine = routine;
  return error;
}

const fromSocket = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

// What Citus 13.2 says.
const COMMIT_UNKNOWN = 'could not commit transaction for shard 103399 on at least one active node';
const NO_ANSWER = 'could not establish any connections to the node 10.0.0.7:5432 after 2000 ms';
const REFUSED = 'Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?';
const ofNode = (text: string) =>
  `connection to the remote node postgres@10.0.0.7:5432 failed with the following error: ${text}`;

describe('the meaning of an error of the storage', () => {
  test.each([
    ['a serialization failure', fromServer('40001'), 'passing', false],
    ['a deadlock', fromServer('40P01'), 'passing', false],
    ['a connection exception', fromServer('08006'), 'passing', true],
    ['a shutdown', fromServer('57P01'), 'passing', true],
    ['a crash', fromServer('57P02'), 'passing', true],
    ['a start', fromServer('57P03'), 'passing', true],
    ['too many connections', fromServer('53300'), 'passing', true],
    ['a session that was idle for too long', fromServer('25P03'), 'passing', true],
    ['a full disk', fromServer('53100'), 'full', false],
    ['no memory', fromServer('53200'), 'away', false],
    ['an I/O error', fromServer('58030'), 'away', false],
    ['a standby', fromServer('25006'), 'away', false],
    ['a lock that did not come', fromServer('55P03'), 'away', false],
    ['a statement that took too long', fromServer('57014'), 'away', false],
    ['a plan of other columns', fromServer('0A000', 'what it says', 'RevalidateCachedQuery'), 'passing', false],
    ['what the server does not support', fromServer('0A000'), 'other', false],
    ['a duplicate key', fromServer('23505'), 'other', false],
    ['a wrong password', fromServer('28P01'), 'other', false],
    ['a table that is missing', fromServer('42P01'), 'other', false],
    ['a commit that a node may have carried out', fromServer('XX000', COMMIT_UNKNOWN), 'passing', true],
    ...[
      'failure on connection marked as essential: 10.0.0.7:5432',
      'execution cannot recover from multiple connection failures. Last node failed 10.0.0.7:5432',
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
      'no connection to the server\n',
      'could not receive data from server: Connection reset by peer',
      'SSL connection has been closed unexpectedly',
    ].map((message) => [`of a node: ${message}`, fromServer('XX000', message), 'passing', true] as const),
    ['another fault of the server', fromServer('XX000'), 'other', false],
    ['a node that refuses connections', fromServer('08006', ofNode(REFUSED)), 'nodeAway', false],
    [
      'a node that starts',
      fromServer('08006', ofNode('FATAL:  the database system is starting up')),
      'nodeAway',
      false,
    ],
    ['a node that does not answer', fromServer('08006', NO_ANSWER), 'nodeAway', false],
    [
      'a node that has ended the connection',
      fromServer('08006', ofNode('server closed the connection')),
      'passing',
      true,
    ],
    ['no listener', fromSocket('ECONNREFUSED'), 'passing', true],
    ['a reset', fromSocket('ECONNRESET'), 'passing', true],
    ['a name that has no address', fromSocket('ENOTFOUND'), 'passing', true],
    ['the refusals of all addresses', new AggregateError([fromSocket('ECONNREFUSED')]), 'passing', true],
    ['a connection that ended', new Error('Connection terminated unexpectedly'), 'passing', true],
    ['a connection that does not come', new Error('Connection terminated due to connection timeout'), 'passing', true],
    ['no connection to be had', new Error('timeout exceeded when trying to connect'), 'passing', true],
    ['an answer that does not come', new Error('Query read timeout'), 'passing', true],
    ['a fault of our own', new TypeError('x is not a function'), 'other', false],
    ['no error at all', 'thrown text', 'other', false],
  ] as const)('%s', (_, error, state, isLost) => {
    expect([postgresStateOf(error), isConnectionLost(error)]).toEqual([state, isLost]);
  });
});

test('a timeout is recognized', () => {
  expect(isTimedOut(new Error('Query read timeout'))).toBe(true);
  expect(isTimedOut(new Error('timeout exceeded when trying to connect'))).toBe(false);
});
