import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import { createStream } from './stream.ts';

/** A stream of one piece that is made when `make` is called, and the errors that the log would be told. */
function open() {
  const c = contextOf();
  const errors: unknown[] = [];
  const { promise: made, resolve: make, reject: fail } = Promise.withResolvers<string>();
  const stream = createStream({
    scheduler: { yield: async () => {} },
    onError: (error) => {
      errors.push(error);
      return null;
    },
  });
  async function* pieces() {
    yield await made;
  }
  const body = stream(c, pieces());
  if (body === null) throw new Error('There is no body.');
  return { c, reader: body.getReader(), make, fail, errors };
}

test('a piece is sent', async () => {
  const { reader, make, errors } = open();
  make('text');
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('text');
  expect([(await reader.read()).done, errors]).toEqual([true, []]);
});

test('a reader that leaves while a piece is made is no error', async () => {
  const { c, reader, make, errors } = open();
  const reading = reader.read();
  await turn();
  await reader.cancel();
  make('late');
  await reading;
  await c.get('state').streamed;
  expect(errors).toEqual([]);
});

test('pieces that fail are told to the log, and to no reader that has left', async () => {
  const failing = open();
  failing.fail(new Error('broken'));
  await expect(failing.reader.read()).rejects.toThrow('broken');
  expect(failing.errors).toEqual([new Error('broken')]);
  const left = open();
  const reading = left.reader.read();
  await turn();
  await left.reader.cancel();
  left.fail(new Error('broken'));
  await reading;
  expect(left.errors).toEqual([]);
});
