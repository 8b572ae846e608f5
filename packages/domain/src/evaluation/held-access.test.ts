import { describe, expect, test } from 'vitest';
import { accessProfile, catalogueOf, entitlement, role } from '../../test/sod-world.ts';
import { compileSodIndex } from '../rulebook/sod-index.ts';
import { expandAssignments } from './held-access.ts';

const INDEX = compileSodIndex(
  [],
  catalogueOf({
    entitlements: ['a', 'b', 'c'],
    accessProfiles: { ap: ['b', 'c'] },
    roles: { r: { accessProfiles: ['ap'], entitlements: ['a'] } },
  }),
);
const START = '2026-01-01T00:00:00.000Z';
const END = '2027-01-01T00:00:00.000Z';

describe('what an identity holds', () => {
  test('has no windows where no assignment has', () => {
    const held = expandAssignments(INDEX, [accessProfile('ap'), entitlement('b'), entitlement('gone')]);
    expect(held).toEqual({ held: new Uint32Array([1, 2]), timed: null });
  });

  test('is kept apart by windows, those with the same one together and each entitlement of them once', () => {
    const held = expandAssignments(INDEX, [
      { ...role('r'), start: START, end: END },
      { ...accessProfile('ap'), start: START, end: END },
      { ...entitlement('a'), end: END },
      { ...entitlement('b'), start: START },
      { ...entitlement('gone'), start: END },
      entitlement('c'),
    ]);
    expect(held.held).toEqual(new Uint32Array([2]));
    expect(held.timed?.map((part) => [part.startMs, part.endMs, [...part.entitlements].sort()])).toEqual([
      [Date.parse(START), Date.parse(END), [0, 1, 2]],
      [Number.NEGATIVE_INFINITY, Date.parse(END), [0]],
      [Date.parse(START), Number.POSITIVE_INFINITY, [1]],
      [Date.parse(END), Number.POSITIVE_INFINITY, []],
    ]);
  });
});
