import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createSemaphore } from '@access-admin/scheduling';
import { expect, test } from 'vitest';
import { FREE_BYTES, readStream } from './read-body.ts';

const UNIT = FREE_BYTES;

/** A body that the test sends, and memory for two tenants; all sizes are in units of what is not counted. */
function openBody(refusesAtOnce = true) {
  const memory = createSemaphore({
    capacity: 20 * UNIT,
    waitingMax: 10,
    waitMsMax: 60_000,
    refusesAtOnce,
    elapsed: () => 0,
  });
  const stream = new PassThrough();
  const slot = memory.open('a');
  let aborted = 0;
  const body = readStream(stream, { bytesMax: 100 * UNIT, openSlot: () => slot }, () => {
    aborted += 1;
  });
  const send = async (units: number) => {
    stream.write(Buffer.alloc(units * UNIT));
    await setImmediate();
  };
  return { memory, stream, slot, body, send, aborted: () => aborted };
}

test('a body of 64 KiB holds no memory in however many packets, a larger one holds memory for all of it', async () => {
  const { memory, stream, body, send } = openBody();
  await send(0.25);
  await send(0.75);
  expect(memory.usage().held).toBe(0);
  stream.end(Buffer.alloc(1));
  expect(await body).toEqual({ ok: true, value: Buffer.alloc(UNIT + 1) });
  expect(memory.usage().held).toBe(UNIT + 1);
});

test('a body beyond the part of its tenant is refused, and the rest of it is discarded', async () => {
  const { stream, body, send, aborted } = openBody();
  for (const units of [4, 4, 4]) await send(units);
  expect(await body).toMatchObject({ ok: false, failure: { type: 'Unavailable', retryAfterSeconds: 1 } });
  await send(50);
  expect([stream.readableLength, aborted()]).toEqual([0, 0]);
});

test('nothing is read of a body that waits for memory, until there is some', async () => {
  const { memory, stream, body, send } = openBody(false);
  const beside = memory.open('b');
  await beside.acquire(10 * UNIT);
  await send(3);
  await send(3);
  expect([memory.usage().waiting, stream.isPaused()]).toEqual([1, true]);
  await send(1);
  expect(stream.readableLength).toBe(UNIT);
  beside.release();
  stream.end();
  expect(await body).toMatchObject({ ok: true, value: { byteLength: 7 * UNIT } });
  expect(memory.usage()).toMatchObject({ held: 7 * UNIT, waiting: 0 });
});

test('a sender that leaves while its body waits leaves nothing behind', async () => {
  const { memory, stream, slot, body, send, aborted } = openBody(false);
  await memory.open('b').acquire(10 * UNIT);
  for (const units of [3, 3, 3]) await send(units);
  stream.destroy();
  expect([(await body).ok, aborted()]).toEqual([false, 1]);
  slot.release();
  await setImmediate();
  expect(memory.usage()).toEqual({ held: 10 * UNIT, waiting: 0, tenants: 1 });
});
