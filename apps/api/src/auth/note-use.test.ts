import { expect, test } from 'vitest';
import { createNoteUse } from './note-use.ts';

test('a client is noted once an hour, and again after a failure', async () => {
  const clock = { nowMs: Date.parse('2026-11-21T09:30:00.000Z') };
  const noted: string[] = [];
  let fails = false;
  const note = createNoteUse({
    clients: {
      noteUse: async (_, clientId, hour) => {
        noted.push(`${clientId} ${hour.slice(11, 16)}`);
        if (fails) throw new Error('away');
      },
    },
    now: () => new Date(clock.nowMs),
  });
  for (const id of ['a', 'b', 'a']) note('acme', id);
  clock.nowMs += 30 * 60_000;
  fails = true;
  note('acme', 'a');
  await Promise.resolve();
  await Promise.resolve();
  fails = false;
  note('acme', 'a');
  note('acme', 'a');
  expect(noted).toEqual(['a 09:00', 'b 09:00', 'a 10:00', 'a 10:00']);
});
