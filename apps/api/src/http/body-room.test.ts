import { expect, test } from 'vitest';
import { bareExchange } from '../../test/bare-exchange.ts';
import { createSharedRoom } from '../rooms/shared-room.ts';
import { createBodyRoom, type KeptBody } from './body-room.ts';
import type { HttpResponse } from './exchange.ts';

const STAYS = bareExchange('POST');
const DONE: HttpResponse = { status: 204, headers: {}, body: null };

/** A room of 10 bytes for bodies, and what is held of it. */
function openBodies() {
  const room = createSharedRoom({ size: 10, waitingMax: 0, waitMsMax: 0, elapsed: () => 0 });
  return { bodies: createBodyRoom(room), held: () => room.usage().held };
}

/** Responds in pieces after taking this number of bytes of room. */
const inPieces =
  (bytes: number) =>
  async ({ open }: KeptBody) => {
    expect(await open('a').take(bytes)).toMatchObject({ ok: true });
    const body = (async function* () {
      yield 'a';
      yield 'b';
    })();
    return { status: 200, headers: {}, body };
  };

test('a body has one share, which it keeps until its response exists', async () => {
  const { bodies, held } = openBodies();
  await bodies.keep(STAYS, async ({ open }) => {
    await open('a').take(3);
    await open('a').take(2);
    expect(held()).toBe(5);
    return DONE;
  });
  expect(held()).toBe(0);
});

test('failed work releases its room', async () => {
  const { bodies, held } = openBodies();
  const failing = bodies.keep(STAYS, async ({ open }) => {
    await open('a').take(5);
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect(held()).toBe(0);
});

test('a response in pieces keeps its room until its end', async () => {
  const { bodies, held } = openBodies();
  const { body } = await bodies.keep(STAYS, inPieces(10));
  const pieces: unknown[] = [];
  for await (const piece of body as AsyncIterable<string>) pieces.push(piece, held());
  expect([pieces, held()]).toEqual([['a', 10, 'b', 10], 0]);
});

test('an abort before the first piece releases the room too', async () => {
  const { bodies, held } = openBodies();
  const leaving = new AbortController();
  await bodies.keep(bareExchange('POST', leaving.signal), inPieces(10));
  expect(held()).toBe(10);
  leaving.abort();
  expect(held()).toBe(0);
});
