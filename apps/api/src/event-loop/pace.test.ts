import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';
import { createPace, type Job, type Pace } from './pace.ts';
import { createWorkedTime } from './worked-time.ts';

/** A pace with a clock that the test moves. */
function openPace() {
  const clock = { nowMs: 0 };
  const elapsed = () => clock.nowMs;
  const worked = createWorkedTime();
  const pace = createPace({ turn: createFairTurns({ elapsed, worked }), elapsed, workMsMax: 1_000 });
  return { pace, clock, job: pace.begin('a', null), worked };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('concurrent work is done in turns, one piece in each turn of the event loop', async () => {
  const { pace, clock, job } = openPace();
  const made: string[] = [];
  const work = function* (name: string, count: number): Generator<string> {
    for (let piece = 0; piece < count; piece++) {
      made.push(name);
      // Long enough for a pause after each.
      clock.nowMs += 2;
      yield `${name}${piece} `;
    }
  };
  const texts = Promise.all([textOf(pace.chunks(job, work('a', 3))), textOf(pace.chunks(job, work('b', 2)))]);
  let turns = 0;
  const all = texts.then(() => true);
  while (!(await Promise.race([all, setImmediate(false)]))) {
    turns += 1;
    expect(made.length).toBeLessThanOrEqual(turns + 2);
  }
  expect(await texts).toEqual(['a0 a1 a2 ', 'b0 b1 ']);
  expect(made.join('')).toMatch(/^ab/);
});

test('chunks have a deadline for the first only: then they are as slow as their reader', async () => {
  const pieces = () => ['a', 'b'].map((letter) => letter.repeat(65_536));
  const { pace, clock, job } = openPace();
  const chunks = pace.chunks(job, pieces());
  await chunks.next();
  clock.nowMs = 600_000;
  expect((await textOf(chunks)).length).toBe(65_536);
  await expect(pace.chunks(job, pieces()).next()).rejects.toThrow('deadline');
});

test('chunks join short pieces, and pause only when pieces have taken some time', async () => {
  const { pace, clock, job } = openPace();
  const made: number[] = [];
  const pieces = function* (): Generator<string, void> {
    for (let piece = 0; piece < 10; piece++) {
      clock.nowMs += 1;
      made.push(piece);
      yield String(piece);
    }
  };
  const text = textOf(pace.chunks(job, pieces()));
  expect(made.length).toBe(2);
  expect(await text).toBe('0123456789');
});

test('no piece is made ahead of a slow reader, nor after one has left', async () => {
  const { pace, job } = openPace();
  const state = { made: 0, isEnded: false };
  const pieces = function* (): Generator<string, void> {
    try {
      for (;;) {
        state.made += 1;
        yield 'x'.repeat(65_536);
      }
    } finally {
      state.isEnded = true;
    }
  };
  const chunks = pace.chunks(job, pieces());
  await chunks.next();
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(state.made).toBe(1);
  await chunks.next();
  await chunks.return(undefined);
  expect(state).toEqual({ made: 2, isEnded: true });
});

test('pauses end work whose deadline has come or whose caller has left', async () => {
  const { pace, clock } = openPace();
  const late = pace.pauses(pace.begin('a', null));
  clock.nowMs = 1_000;
  await expect(late()).rejects.toThrow('deadline');
  const left = new AbortController();
  const gone = pace.pauses(pace.begin('a', left.signal));
  clock.nowMs = 1_002;
  left.abort();
  await expect(gone()).rejects.toThrow('left');
});

/** Work of 60 pieces that each take a time on the clock. */
async function workFor(
  { pace, clock, order }: { readonly pace: Pace; readonly clock: { nowMs: number }; readonly order: string[] },
  job: Job,
  pieceMs: number,
): Promise<void> {
  for (let piece = 0; piece < 60; piece++) {
    await pace.turn(job);
    clock.nowMs += pieceMs;
    order.push(job.tenant);
  }
}

test('tenants get equal times, however long their pieces are, and save nothing up while they are idle', async () => {
  const { pace, clock } = openPace();
  const order: string[] = [];
  const endless = { tenant: 'long', deadlineMs: Number.POSITIVE_INFINITY, left: null };
  const run = (tenant: string, pieceMs: number) => workFor({ pace, clock, order }, { ...endless, tenant }, pieceMs);
  await run('alone', 3);
  order.length = 0;
  const long = [run('long', 6), run('long', 6), run('long', 6)];
  const short = [run('short', 2)];
  await Promise.all(short);
  const taken = (name: string) => order.filter((each) => each === name).length;
  // 60 pieces of 2 ms take as long as 20 of 6 ms.
  expect(taken('long')).toBeGreaterThanOrEqual(18);
  expect(taken('long')).toBeLessThanOrEqual(24);
  const late = run('alone', 6);
  await late;
  expect(order.filter((each) => each === 'alone')).toHaveLength(60);
  expect(taken('long')).toBeGreaterThanOrEqual(75);
  await Promise.all(long);
});

test.each([
  ['its deadline has come', ({ clock }: ReturnType<typeof openPace>) => (clock.nowMs = 1_000), 'DeadlineExceeded'],
  ['its caller has left', (_: unknown, leaving: AbortController) => leaving.abort(), 'CallerLeft'],
])('work ends at its next turn when %s', async (_, end, name) => {
  const opened = openPace();
  const { pace, clock } = opened;
  const leaving = new AbortController();
  const job: Job = pace.begin('a', leaving.signal);
  const outcome = workFor({ pace, clock, order: [] }, job, 1);
  end(opened, leaving);
  await expect(outcome).rejects.toThrow(expect.objectContaining({ name }));
});

test('waiting work rests for as long as the last step took, so that other work gets turns', async () => {
  let nowMs = 0;
  const turn = createFairTurns({ elapsed: () => nowMs, worked: createWorkedTime(), rests: true });
  const order: string[] = [];
  const work = async (name: string) => {
    await turn('a');
    order.push(name);
    nowMs += 5;
  };
  const all = Promise.all([work('a'), work('b'), work('c')]).then(() => true);
  let turns = 0;
  while (!(await Promise.race([all, setImmediate(false)]))) turns += 1;
  expect(order).toEqual(['a', 'b', 'c']);
  expect(turns).toBeGreaterThan(10);
});
