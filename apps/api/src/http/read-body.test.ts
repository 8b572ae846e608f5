import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedRoom } from '../rooms/shared-room.ts';
import { readBody } from './read-body.ts';

/** A body that the test sends, and a room of 20 bytes for two tenants. */
function openBody(refusesAtOnce = true) {
  const room = createSharedRoom({ size: 20, waitingMax: 10, waitMsMax: 60_000, refusesAtOnce, elapsed: () => 0 });
  const stream = new PassThrough();
  const share = room.open('a');
  let aborted = 0;
  const body = readBody(stream, { bytesMax: 100, openShare: () => share }, () => {
    aborted += 1;
  });
  const send = async (bytes: number) => {
    stream.write(Buffer.alloc(bytes));
    await setImmediate();
  };
  return { room, stream, share, body, send, aborted: () => aborted };
}

test('a body of one packet takes no room, one of several takes room for all of them', async () => {
  const { room, stream, body, send } = openBody();
  await send(4);
  expect(room.usage().held).toBe(0);
  await send(3);
  expect(room.usage().held).toBe(7);
  stream.end(Buffer.alloc(2));
  expect(await body).toEqual({ ok: true, value: Buffer.alloc(9) });
  expect(room.usage().held).toBe(9);
});

test('a body beyond the part of its tenant is refused, and the rest of it is discarded', async () => {
  const { stream, body, send, aborted } = openBody();
  for (const bytes of [4, 4, 4]) await send(bytes);
  expect(await body).toMatchObject({ ok: false, failure: { type: 'Unavailable', retryAfterSeconds: 1 } });
  await send(50);
  expect([stream.readableLength, aborted()]).toEqual([0, 0]);
});

test('nothing is read of a body that waits for room, until there is some', async () => {
  const { room, stream, body, send } = openBody(false);
  const beside = room.open('b');
  await beside.take(10);
  await send(3);
  await send(3);
  await send(3);
  expect([room.usage().waiting, stream.isPaused()]).toEqual([1, true]);
  await send(1);
  expect(stream.readableLength).toBe(1);
  beside.release();
  stream.end();
  expect(await body).toMatchObject({ ok: true, value: { byteLength: 10 } });
  expect(room.usage()).toMatchObject({ held: 10, waiting: 0 });
});

test('a sender that leaves while its body waits leaves nothing behind', async () => {
  const { room, stream, share, body, send, aborted } = openBody(false);
  await room.open('b').take(10);
  for (const bytes of [3, 3, 3]) await send(bytes);
  stream.destroy();
  expect([(await body).ok, aborted()]).toEqual([false, 1]);
  share.release();
  await setImmediate();
  expect(room.usage()).toEqual({ held: 10, waiting: 0, tenants: 1 });
});
