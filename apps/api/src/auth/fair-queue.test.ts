import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const REFUSED = new Error('refused');

/** A queue with one slot, which is taken until `release`. */
async function openQueue(waitingMax: number) {
  const queue = createFairQueue({ atOnceMax: 1, waitingMax, refusal: () => REFUSED });
  const held = Promise.withResolvers<void>();
  const holding = queue.runFirst(() => held.promise);
  const order: string[] = [];
  const refused: string[] = [];
  const works: Promise<unknown>[] = [];
  const enter = (address: string, clientId: string, name = `${address} ${clientId}`) => {
    const work = queue.run({ address, clientId }, async () => void order.push(name));
    works.push(work.catch((error: unknown) => refused.push(error === REFUSED ? name : String(error))));
  };
  const release = async () => {
    await setImmediate();
    held.resolve();
    await Promise.all([holding, ...works]);
    return { order, refused };
  };
  return { queue, enter, release };
}

test('addresses are served in turn, whatever each has waiting', async () => {
  const { enter, release } = await openQueue(100);
  for (let at = 0; at < 5; at++) enter('flood', 'x', `flood ${at}`);
  enter('one', 'a');
  enter('two', 'b');
  expect(await release()).toEqual({
    order: ['flood 0', 'one a', 'two b', 'flood 1', 'flood 2', 'flood 3', 'flood 4'],
    refused: [],
  });
});

test('client ids of one address are served in turn', async () => {
  const { enter, release } = await openQueue(100);
  for (let at = 0; at < 3; at++) enter('same', 'flood', `flood ${at}`);
  enter('same', 'good');
  expect((await release()).order).toEqual(['flood 0', 'same good', 'flood 1', 'flood 2']);
});

test('a full queue refuses the newest of the address, and there of the client id, with the longest line', async () => {
  const { enter, release } = await openQueue(4);
  for (let at = 0; at < 4; at++) enter('flood', at === 0 ? 'rare' : 'often', `flood ${at}`);
  enter('other', 'a');
  enter('flood', 'often', 'flood 4');
  expect(await release()).toEqual({
    order: ['flood 0', 'other a', 'flood 1', 'flood 2'],
    refused: ['flood 3', 'flood 4'],
  });
});

test('a newcomer is refused where no line is longer than its own', async () => {
  const { enter, release } = await openQueue(2);
  for (const address of ['one', 'two', 'three']) enter(address, 'a');
  expect(await release()).toEqual({ order: ['one a', 'two a'], refused: ['three a'] });
});

test('work that is entered first runs before all that waits; failed work releases its slot', async () => {
  const { queue, enter, release } = await openQueue(10);
  enter('one', 'a');
  const failing = expect(queue.runFirst(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect((await release()).order).toEqual(['one a']);
  await failing;
  expect(await queue.run({ address: 'one', clientId: 'a' }, async () => 'next')).toBe('next');
});

test('served in turn, no address waits for more than one work of each other', async () => {
  const { enter, release } = await openQueue(1000);
  for (let at = 0; at < 300; at++) enter(`a${at % 3}`, `c${at % 7}`, `a${at % 3}`);
  const { order } = await release();
  for (let at = 0; at + 3 <= order.length; at += 3) expect(new Set(order.slice(at, at + 3)).size).toBe(3);
});
