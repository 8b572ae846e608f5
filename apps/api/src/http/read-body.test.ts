import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedRoom } from '../rooms/shared-room.ts';
import { FREE_BYTES, readStream } from './read-body.ts';

const UNIT = FREE_BYTES;

/** A body that the test sends, and a room for two tenants; all sizes are in units of what takes no room. */
function openBody(refusesAtOnce = true) {
  const room = createSharedRoom({
    size: 20 * UNIT,
    waitingMax: 10,
    waitMsMax: 60_000,
    refusesAtOnce,
    elapsed: () => 0,
  });
  const stream = new PassThrough();
  const share = room.open('a');
  let aborted = 0;
  const body = readStream(stream, { bytesMax: 100 * UNIT, openShare: () => share }, () => {
    aborted += 1;
  });
  const send = async (units: number) => {
    stream.write(Buffer.alloc(units * UNIT));
    await setImmediate();
  };
  return { room, stream, share, body, send, aborted: () => aborted };
}

test('a body of 64 KiB takes no room in however many packets, a larger one takes room for all of it', async () => {
  const { room, stream, body, send } = openBody();
  await send(0.25);
  await send(0.75);
  expect(room.usage().held).toBe(0);
  stream.end(Buffer.alloc(1));
  expect(await body).toEqual({ ok: true, value: Buffer.alloc(UNIT + 1) });
  expect(room.usage().held).toBe(UNIT + 1);
});

test('a body beyond the part of its tenant is refused, and the rest of it is discarded', async () => {
  const { stream, body, send, aborted } = openBody();
  for (const units of [4, 4, 4]) await send(units);
  expect(await body).toMatchObject({ ok: false, failure: { type: 'Unavailable', retryAfterSeconds: 1 } });
  await send(50);
  expect([stream.readableLength, aborted()]).toEqual([0, 0]);
});

test('nothing is read of a body that waits for room, until there is some', async () => {
  const { room, stream, body, send } = openBody(false);
  const beside = room.open('b');
  await beside.take(10 * UNIT);
  await send(3);
  await send(3);
  expect([room.usage().waiting, stream.isPaused()]).toEqual([1, true]);
  await send(1);
  expect(stream.readableLength).toBe(UNIT);
  beside.release();
  stream.end();
  expect(await body).toMatchObject({ ok: true, value: { byteLength: 7 * UNIT } });
  expect(room.usage()).toMatchObject({ held: 7 * UNIT, waiting: 0 });
});

test('a sender that leaves while its body waits leaves nothing behind', async () => {
  const { room, stream, share, body, send, aborted } = openBody(false);
  await room.open('b').take(10 * UNIT);
  for (const units of [3, 3, 3]) await send(units);
  stream.destroy();
  expect([(await body).ok, aborted()]).toEqual([false, 1]);
  share.release();
  await setImmediate();
  expect(room.usage()).toEqual({ held: 10 * UNIT, waiting: 0, tenants: 1 });
});
