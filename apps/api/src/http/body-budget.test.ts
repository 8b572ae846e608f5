import { expect, test } from 'vitest';
import { bareExchange } from '../../test/bare-exchange.ts';
import { createBodyBudget } from './body-budget.ts';
import type { BodyShare } from './body-share.ts';
import type { HttpResponse } from './exchange.ts';

const STAYS = bareExchange('POST');
const DONE: HttpResponse = { status: 204, headers: {}, body: null };

/** Responds in pieces after taking this number of bytes of room. */
const inPieces = (bytes: number) => (share: BodyShare) => {
  expect(share.take(bytes)).toBe(true);
  const body = (async function* () {
    yield 'a';
    yield 'b';
  })();
  return { status: 200, headers: {}, body };
};

test('all shares together have exactly the room of the budget', async () => {
  const budget = createBodyBudget(10);
  await budget.share(STAYS, async (one) => {
    expect(one.take(6)).toBe(true);
    await budget.share(STAYS, (other) => {
      expect([other.take(5), other.take(4), other.take(1)]).toEqual([false, true, false]);
      return DONE;
    });
    expect([one.take(5), one.take(4)]).toEqual([false, true]);
    return DONE;
  });
  await budget.share(STAYS, (share) => {
    expect(share.take(10)).toBe(true);
    return DONE;
  });
});

test('failed work releases its room', async () => {
  const budget = createBodyBudget(10);
  const failing = budget.share(STAYS, (share) => {
    expect(share.take(10)).toBe(true);
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect(await budget.share(STAYS, inPieces(10))).toMatchObject({ status: 200 });
});

test('a response in pieces keeps its room until its end', async () => {
  const budget = createBodyBudget(10);
  const { body } = await budget.share(STAYS, inPieces(10));
  const roomLeft = async () => {
    let isRoom = false;
    await budget.share(STAYS, (share) => {
      isRoom = share.take(1);
      return DONE;
    });
    return isRoom;
  };
  const pieces: unknown[] = [];
  for await (const piece of body as AsyncIterable<string>) pieces.push(piece, await roomLeft());
  expect(pieces).toEqual(['a', false, 'b', false]);
  expect(await roomLeft()).toBe(true);
});

test('an abort before the first piece releases the budget too', async () => {
  const budget = createBodyBudget(10);
  const leaving = new AbortController();
  await budget.share(bareExchange('POST', leaving.signal), inPieces(10));
  leaving.abort();
  await budget.share(STAYS, inPieces(10));
});
