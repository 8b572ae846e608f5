import type { SourceLoad } from '@access-admin/client';
import { EMPTY_LOAD_SUMMARY } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { waitForEnd } from './loads.ts';

const load: SourceLoad = {
  loadId: 'l-1',
  source: 'erp',
  mode: 'FULL',
  dryRun: false,
  state: 'RUNNING',
  reason: null,
  deletes: null,
  message: null,
  created: '2026-11-29T00:00:00.000Z',
  committed: '2026-11-29T00:00:00.000Z',
  completed: null,
  expires: null,
  summary: EMPTY_LOAD_SUMMARY,
};

/** Waits for a load that ends after so long, without the time that this takes. */
async function waitFor(endMs: number, running: SourceLoad) {
  let now = 0;
  const notes: (readonly [at: number, text: string])[] = [];
  const ended = await waitForEnd(running, {
    read: async () => (now < endMs ? running : { ...running, state: 'SUCCESS' }),
    pause: async (ms) => {
      now += ms;
    },
    note: (text) => notes.push([Math.floor(now / 10_000), text]),
  });
  return { ended, notes };
}

test('a load that ends soon is waited for in silence', async () => {
  const { ended, notes } = await waitFor(25_000, load);
  expect([ended.state, notes]).toEqual(['SUCCESS', []]);
});

test('one line says after 30 seconds what is waited for', async () => {
  expect((await waitFor(200_000, load)).notes).toEqual([
    [3, 'load l-1 has changed nothing yet: a worker of the service examines it, or none is running'],
  ]);
  const accounts = { created: 1000, updated: 200, deleted: 30, unchanged: 4 };
  const { notes } = await waitFor(200_000, { ...load, summary: { ...EMPTY_LOAD_SUMMARY, accounts } });
  expect(notes).toEqual([[3, 'load l-1 is being applied: 1,234 accounts so far']]);
});
