import { setImmediate } from 'node:timers/promises';
import type { Steps, TextSteps } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';
import { createPace, type Job } from './pace.ts';
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

test('concurrent work is done in turns, one step in each turn of the event loop', async () => {
  const { pace, job } = openPace();
  const steps: string[] = [];
  const work = (name: string, count: number): TextSteps => {
    const sink = { text: '' };
    const write = function* (): Steps<void> {
      for (let step = 0; step < count; step++) {
        steps.push(name);
        sink.text += `${name}${step} `;
        yield;
      }
    };
    return { sink, steps: write() };
  };
  const texts = Promise.all([textOf(pace.text(job, work('a', 3))), textOf(pace.text(job, work('b', 2)))]);
  let turns = 0;
  const all = texts.then(() => true);
  while (!(await Promise.race([all, setImmediate(false)]))) {
    turns += 1;
    expect(steps.length).toBeLessThanOrEqual(turns + 2);
  }
  expect(await texts).toEqual(['a0 a1 a2 ', 'b0 b1 ']);
  expect(steps.join('')).toMatch(/^ab/);
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

test('no step is taken ahead of a slow reader, nor after one has left', async () => {
  const { pace, job } = openPace();
  let steps = 0;
  let isEnded = false;
  const sink = { text: '' };
  const write = function* (): Steps<void> {
    try {
      for (;;) {
        steps += 1;
        sink.text += 'x'.repeat(65_536);
        yield;
      }
    } finally {
      isEnded = true;
    }
  };
  const pieces = pace.text(job, { sink, steps: write() })[Symbol.asyncIterator]();
  await pieces.next();
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(steps).toBe(1);
  await pieces.next();
  await pieces.return(undefined);
  expect([steps, isEnded]).toEqual([2, true]);
});

test('work without text returns its outcome, one step in each turn', async () => {
  let steps = 0;
  const count = function* (): Steps<string> {
    for (; steps < 3; steps++) yield;
    return 'done';
  };
  const { pace, job } = openPace();
  const outcome = pace.run(job, count());
  expect(steps).toBe(0);
  expect([await outcome, steps]).toEqual(['done', 3]);
});

/** Steps that each take a time on the clock, and note whether they have ended. */
function takingTime(clock: { nowMs: number }, stepMs: number, order: string[], name: string) {
  const state = { isEnded: false };
  const take = function* (): Steps<void> {
    try {
      for (let step = 0; step < 60; step++) {
        clock.nowMs += stepMs;
        order.push(name);
        yield;
      }
    } finally {
      state.isEnded = true;
    }
  };
  return { state, steps: take() };
}

test('tenants get equal times, however long their steps are, and save nothing up while they are idle', async () => {
  const { pace, clock } = openPace();
  const order: string[] = [];
  const endless = { tenant: 'long', deadlineMs: Number.POSITIVE_INFINITY, left: null };
  const run = (tenant: string, stepMs: number) =>
    pace.run({ ...endless, tenant }, takingTime(clock, stepMs, order, tenant).steps);
  const alone = pace.run({ ...endless, tenant: 'alone' }, takingTime(clock, 3, order, 'alone').steps);
  await alone;
  order.length = 0;
  const long = [run('long', 6), run('long', 6), run('long', 6)];
  const short = [run('short', 2)];
  await Promise.all(short);
  const taken = (name: string) => order.filter((each) => each === name).length;
  // 60 steps of 2 ms take as long as 20 of 6 ms.
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
])('work ends between two steps when %s', async (_, end, name) => {
  const opened = openPace();
  const { pace, clock } = opened;
  const leaving = new AbortController();
  const job: Job = pace.begin('a', leaving.signal);
  const { state, steps } = takingTime(clock, 1, [], 'a');
  const outcome = pace.run(job, steps);
  const text = takingTime(clock, 1, [], 'b');
  const pieces = pace.text(job, { sink: { text: '' }, steps: text.steps });
  const piece = pieces.next();
  expect(state.isEnded).toBe(false);
  end(opened, leaving);
  await expect(outcome).rejects.toThrow(expect.objectContaining({ name }));
  await expect(piece).rejects.toThrow(expect.objectContaining({ name }));
  expect([state.isEnded, text.state.isEnded]).toEqual([true, true]);
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
