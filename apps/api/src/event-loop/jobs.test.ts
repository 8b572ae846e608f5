import { createScheduler } from '@access-admin/scheduling';
import { expect, test } from 'vitest';
import { createJobs } from './jobs.ts';

/** Jobs with a clock that the test moves. */
function openJobs() {
  const clock = { nowMs: 0 };
  const elapsed = () => clock.nowMs;
  const jobs = createJobs({ scheduler: createScheduler({ elapsed, dueAfterMs: 2 }), elapsed, workMsMax: 1_000 });
  return { jobs, clock };
}

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
