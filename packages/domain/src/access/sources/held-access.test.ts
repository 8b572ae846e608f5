import { expect, test } from 'vitest';
import type { TimedAccessRef } from '../model/records.ts';
import { grants, heldAccess } from './held-access.ts';

const entitlement = (id: string, window: Partial<TimedAccessRef> = {}): TimedAccessRef => ({
  type: 'ENTITLEMENT',
  id,
  ...window,
});
const start = '2026-01-01T00:00:00.000Z';

test('what an identity holds is its own access, then that of its accounts, each ref and window once', () => {
  const own = [entitlement('a'), entitlement('b', { start })];
  const first = [entitlement('b', { start }), entitlement('b'), entitlement('c')];
  const second = [entitlement('c'), { type: 'ROLE', id: 'a' } as const];
  expect(heldAccess(own, [first, second])).toEqual([
    ...own,
    entitlement('b'),
    entitlement('c'),
    { type: 'ROLE', id: 'a' },
  ]);
  expect(heldAccess(own, [])).toBe(own);
});

test.each([
  [false, true, true],
  [false, false, true],
  [true, true, false],
  [true, false, true],
])(
  'an account that is disabled (%s) in a source that ignores such (%s) grants its access: %s',
  (disabled, ignoreDisabled, does) => {
    expect(grants({ disabled }, { ignoreDisabled })).toBe(does);
  },
);
