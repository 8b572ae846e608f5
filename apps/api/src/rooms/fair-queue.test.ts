import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue, type RunInTurn } from './fair-queue.ts';

const REFUSED = new Error('refused');

/** A queue with one slot, which is taken until `release`. */
async function openQueue(waitingMax: number) {
  const queue = createFairQueue({ atOnceMax: 1, waitingMax, refusal: () => REFUSED });
  const run = queue.openGroup();
  const runOther = queue.openGroup();
  const held = Promise.withResolvers<void>();
  const holding = run({ source: 'holder', clientId: 'h' }, () => held.promise);
  const order: string[] = [];
  const refused: string[] = [];
  const works: Promise<unknown>[] = [];
  const enterBy =
    (run: RunInTurn) =>
    (source: string, clientId: string, name = `${source} ${clientId}`) => {
      const work = run({ source, clientId }, async () => void order.push(name));
      works.push(work.catch((error: unknown) => refused.push(error === REFUSED ? name : String(error))));
    };
  const release = async () => {
    await setImmediate();
    held.resolve();
    await Promise.all([holding, ...works]);
    return { order, refused };
  };
  return { run, enter: enterBy(run), enterOther: enterBy(runOther), release };
}

test('sources are served in turn, whatever each has waiting', async () => {
  const { enter, release } = await openQueue(100);
  for (let at = 0; at < 5; at++) enter('flood', 'x', `flood ${at}`);
  enter('one', 'a');
  enter('two', 'b');
  expect(await release()).toEqual({
    order: ['flood 0', 'one a', 'two b', 'flood 1', 'flood 2', 'flood 3', 'flood 4'],
    refused: [],
  });
});

test('client ids of one source are served in turn', async () => {
  const { enter, release } = await openQueue(100);
  for (let at = 0; at < 3; at++) enter('same', 'flood', `flood ${at}`);
  enter('same', 'good');
  expect((await release()).order).toEqual(['flood 0', 'same good', 'flood 1', 'flood 2']);
});

test('a full queue refuses the newest of the source, and there of the client id, with the longest line', async () => {
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

test('groups are served in turn, so none keeps the work of another waiting', async () => {
  const { enter, enterOther, release } = await openQueue(100);
  for (let at = 0; at < 4; at++) enter('flood', 'x', `flood ${at}`);
  for (let at = 0; at < 2; at++) enterOther('tenant', 'a', `other ${at}`);
  expect((await release()).order).toEqual(['flood 0', 'other 0', 'flood 1', 'other 1', 'flood 2', 'flood 3']);
});

test('each group has waiting room of its own, and refuses what exceeds it', async () => {
  const { enter, enterOther, release } = await openQueue(2);
  for (let at = 0; at < 4; at++) enter('flood', 'x', `flood ${at}`);
  for (let at = 0; at < 3; at++) enterOther('tenant', 'a', `other ${at}`);
  expect(await release()).toEqual({
    order: ['flood 0', 'other 0', 'flood 1', 'other 1'],
    refused: ['flood 2', 'flood 3', 'other 2'],
  });
});

test('failed work releases its slot', async () => {
  const { run, enter, release } = await openQueue(10);
  const key = { source: 'one', clientId: 'a' };
  const failing = expect(run(key, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  enter('one', 'a');
  expect((await release()).order).toEqual(['one a']);
  await failing;
  expect(await run(key, async () => 'next')).toBe('next');
});

test('served in turn, no source waits for more than one work of each other', async () => {
  const { enter, release } = await openQueue(1000);
  for (let at = 0; at < 300; at++) enter(`a${at % 3}`, `c${at % 7}`, `a${at % 3}`);
  const { order } = await release();
  for (let at = 0; at + 3 <= order.length; at += 3) expect(new Set(order.slice(at, at + 3)).size).toBe(3);
});
