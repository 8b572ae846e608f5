import { expect, test } from 'vitest';
import { endsOf, endsOfNew } from './times.ts';

const MINUTE_MS = 60_000;
const CONFIG = { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 };
const session = {
  id: 's',
  identityId: 'ada',
  factors: [],
  isFramed: false,
  address: null,
  createdMs: 0,
  provenMs: 0,
  activeMs: 0,
  ...endsOfNew(0, 0, CONFIG),
};

test.each([
  ['as stored', {}, 0, [480, 15]],
  ['shorter settings apply at once', { maxIdleTime: 5, maxSessionTime: 60 }, 0, [60, 5]],
  ['a longer maximum does not lengthen it', { maxSessionTime: 900 }, 0, [480, 15]],
  ['a longer idle time begins with the next activity', { maxIdleTime: 60 }, 0, [480, 15]],
  ['after an activity', {}, 10, [480, 25]],
  ['after an activity under a longer idle time', { maxIdleTime: 60 }, 10, [480, 70]],
])('%s', (_title, change, activeMinutes, [expires = 0, idle = 0]) => {
  expect(endsOf(session, { ...CONFIG, ...change }, activeMinutes * MINUTE_MS)).toEqual({
    expiresMs: expires * MINUTE_MS,
    idleExpiresMs: idle * MINUTE_MS,
  });
});
