import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { isConnectionLost, isTimedOut, postgresStateOf } from './errors.ts';

function fromServer(code: string): Error {
  const error = new pg.DatabaseError('what the server says', 0, 'error');
  error.code = code;
  return error;
}

const fromSocket = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

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
    ['a full disk', fromServer('53100'), 'away', false],
    ['no memory', fromServer('53200'), 'away', false],
    ['an I/O error', fromServer('58030'), 'away', false],
    ['a standby', fromServer('25006'), 'away', false],
    ['a lock that did not come', fromServer('55P03'), 'away', false],
    ['a statement that took too long', fromServer('57014'), 'away', false],
    ['a duplicate key', fromServer('23505'), 'other', false],
    ['a wrong password', fromServer('28P01'), 'other', false],
    ['a table that is missing', fromServer('42P01'), 'other', false],
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
