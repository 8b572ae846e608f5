import { expect, test } from 'vitest';
import { describeError } from './describe-error.ts';

test.each([
  ['Cannot read properties of undefined', 'Cannot read properties of undefined'],
  ['Unexpected token \'c\', "canary" is not valid JSON', 'Unexpected token … is not valid JSON'],
  ['Bad control character in string literal in JSON: "a\ncanary', 'Bad control character in string literal in JSON: …'],
  ["The argument 'x' must be short. Received 'it's a canary'", 'The argument …'],
  ["It can't hold 'canary'", "It can't hold …"],
  ['cannot reach postgres://u:canary@h/d now', 'cannot reach … now'],
])('of the message %s the data are left out', (message, kept) => {
  expect(describeError(new Error(message)).message).toBe(kept);
});

test('properties are kept where they are names', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "client_pkey"'), {
    code: '23505',
    constraint: 'client_pkey',
    table: 'client (canary)',
    detail: 'Key (id)=(canary) already exists.',
    parameters: ['canary'],
  });
  const described = describeError(new TypeError('outer', { cause: error }));
  expect(described).toMatchObject({ type: 'TypeError', message: 'outer' });
  expect(described.cause).toEqual({
    type: 'Error',
    message: 'duplicate key value violates unique constraint …',
    code: '23505',
    constraint: 'client_pkey',
    stack: expect.stringMatching(/^ {4}at .*describe-error\.test/),
  });
  expect(JSON.stringify(described)).not.toContain('canary');
});

test('the stack is places, without the lines of the message', () => {
  const { stack } = describeError(new Error('first\ncanary\n    at canary'));
  expect(stack).toMatch(/^ {4}at .*describe-error\.test/);
  expect(stack).not.toContain('canary');
});

test('a thrown value that is no error is described by its type, and circular causes end', () => {
  expect(describeError('canary')).toEqual({ type: 'string', message: '', stack: '' });
  const error = new Error('round');
  error.cause = error;
  expect(JSON.stringify(describeError(error)).match(/"round"/g)).toHaveLength(5);
});
