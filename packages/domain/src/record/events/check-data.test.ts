import { expect, test } from 'vitest';
import { checkEventData } from './check-data.ts';
import { EVENT_DATA_BYTES_MAX } from './new-event.ts';

const CHECK = {
  requestId: 'c-1',
  created: '2026-11-21T09:30:00.000Z',
  state: 'SUCCESS',
  completed: '2026-11-21T09:31:00.000Z',
} as const;

test('the event of a check has the check as its GET shows it, or a reference to it where that is too large', () => {
  const shown = (result: string | null) => ({ ...CHECK, violationCheckResult: result && JSON.parse(result) });
  for (const result of [null, '{"violationCount":1}'])
    expect(JSON.parse(checkEventData({ ...CHECK, result }))).toEqual(shown(result));
  const frame = checkEventData({ ...CHECK, result: '""' }).length;
  const most = JSON.stringify('x'.repeat(EVENT_DATA_BYTES_MAX - frame));
  expect(JSON.parse(checkEventData({ ...CHECK, result: most }))).toEqual(shown(most));
  const tooLarge = JSON.stringify('x'.repeat(EVENT_DATA_BYTES_MAX - frame + 1));
  expect(checkEventData({ ...CHECK, result: tooLarge })).toBe('{"type":"SOD_CHECK","id":"c-1"}');
});
