import { setImmediate } from 'node:timers/promises';
import { createScheduler } from '@access-admin/scheduling';
import { expect, test } from 'vitest';
import { createJobs } from './jobs.ts';

/** Jobs with a clock that the test moves. */
function openJobs() {
  const clock = { nowMs: 0 };
  const elapsed = () => clock.nowMs;
  const jobs = createJobs({ scheduler: createScheduler({ elapsed, dueAfterMs: 2 }), elapsed, workMsMax: 1_000 });
  return { jobs, clock, job: jobs.begin('a', null) };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('one piece of concurrent work is done in each turn of the event loop', async () => {
  const { jobs, clock, job } = openJobs();
  const made: string[] = [];
  const work = function* (name: string, count: number): Generator<string> {
    for (let piece = 0; piece < count; piece++) {
      made.push(name);
      // Long enough for a pause after each.
      clock.nowMs += 2;
      yield `${name}${piece} `;
    }
  };
  const texts = Promise.all([textOf(jobs.chunks(job, work('a', 3))), textOf(jobs.chunks(job, work('b', 2)))]);
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
  const { jobs, clock, job } = openJobs();
  const chunks = jobs.chunks(job, pieces());
  await chunks.next();
  clock.nowMs = 600_000;
  expect((await textOf(chunks)).length).toBe(65_536);
  await expect(jobs.chunks(job, pieces()).next()).rejects.toThrow('deadline');
});

test('chunks join short pieces, and pause only when pieces have taken some time', async () => {
  const { jobs, clock, job } = openJobs();
  await jobs.yieldIfDue('a');
  const made: number[] = [];
  const pieces = function* (): Generator<string, void> {
    for (let piece = 0; piece < 10; piece++) {
      clock.nowMs += 1;
      made.push(piece);
      yield String(piece);
    }
  };
  const text = textOf(jobs.chunks(job, pieces()));
  expect(made.length).toBe(2);
  expect(await text).toBe('0123456789');
});

test('no piece is made ahead of a slow reader, nor after one has left', async () => {
  const { jobs, job } = openJobs();
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
  const chunks = jobs.chunks(job, pieces());
  await chunks.next();
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(state.made).toBe(1);
  await chunks.next();
  await chunks.return(undefined);
  expect(state).toEqual({ made: 2, isEnded: true });
});

test('pauses end work whose deadline has come or whose caller has left', async () => {
  const { jobs, clock } = openJobs();
  const late = jobs.pauseOf(jobs.begin('a', null));
  clock.nowMs = 1_000;
  await expect(late()).rejects.toThrow('deadline');
  const left = new AbortController();
  const abandoned = jobs.pauseOf(jobs.begin('a', left.signal));
  clock.nowMs = 1_002;
  left.abort();
  await expect(abandoned()).rejects.toThrow('left');
});

test.each([
  ['its deadline has come', ({ clock }: ReturnType<typeof openJobs>) => (clock.nowMs = 1_000), 'DeadlineExceeded'],
  ['its caller has left', (_: unknown, leaving: AbortController) => leaving.abort(), 'CallerLeft'],
])('work ends when it yields and %s', async (_, end, name) => {
  const opened = openJobs();
  const leaving = new AbortController();
  const outcome = opened.jobs.yield(opened.jobs.begin('a', leaving.signal));
  end(opened, leaving);
  await expect(outcome).rejects.toThrow(expect.objectContaining({ name }));
});
