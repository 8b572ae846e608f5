import { expect, test } from 'vitest';
import { DEFAULT_SESSION_CONFIG, validateSessionTimes } from './session-config.ts';

test.each([
  [1, 2, null],
  [600, 601, null],
  [480, 480, 'IllegalValue'],
  [1_440, 15, 'IllegalValue'],
])('of sessions idle for %i of %i minutes', (maxIdleTime, maxSessionTime, type) => {
  const refused = validateSessionTimes({ ...DEFAULT_SESSION_CONFIG, maxIdleTime, maxSessionTime });
  expect(refused && [refused.type, refused.causes.map(({ at }) => at)]).toEqual(type && [type, ['maxSessionTime']]);
});
