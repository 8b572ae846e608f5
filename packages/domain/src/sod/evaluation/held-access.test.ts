import { describe, expect, test } from 'vitest';
import { accessProfile, catalogueOf, entitlement, role } from '../../../test/sod-world.ts';
import { compileSodIndex } from '../rulebook/sod-index.ts';
import { expandAssignments } from './access.ts';

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

  test('has each ref with windows once, with all of them', () => {
    const held = expandAssignments(INDEX, [
      { ...role('r'), start: START, end: END },
      { ...accessProfile('ap'), start: START, end: END },
      { ...entitlement('a'), end: END },
      { ...role('r'), start: END },
      { ...entitlement('b'), start: START },
      { ...entitlement('gone'), start: END },
      entitlement('c'),
    ]);
    expect(held.held).toEqual(new Uint32Array([2]));
    const start = Date.parse(START);
    const end = Date.parse(END);
    const both = { startMs: start, endMs: end };
    expect(held.timed).toEqual([
      {
        type: 'ROLE',
        number: 0,
        entitlements: new Uint32Array([0, 1, 2]),
        windows: [both, { startMs: end, endMs: Number.POSITIVE_INFINITY }],
      },
      { type: 'ACCESS_PROFILE', number: 0, entitlements: new Uint32Array([1, 2]), windows: [both] },
      {
        type: 'ENTITLEMENT',
        number: 0,
        entitlements: [0],
        windows: [{ startMs: Number.NEGATIVE_INFINITY, endMs: end }],
      },
      {
        type: 'ENTITLEMENT',
        number: 1,
        entitlements: [1],
        windows: [{ startMs: start, endMs: Number.POSITIVE_INFINITY }],
      },
    ]);
  });

  test('with many windows of one large role takes memory for the windows alone', () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `e${at}`);
    const index = compileSodIndex([], catalogueOf({ entitlements: ids, roles: { r: { entitlements: ids } } }));
    const held = expandAssignments(
      index,
      Array.from({ length: 1_000 }, () => ({ ...role('r'), start: START })),
    );
    const [part] = held.timed ?? [];
    expect([held.timed?.length, part?.windows.length, part?.entitlements.length]).toEqual([1, 1_000, 20_000]);
    expect(part?.entitlements).toMatchObject({ buffer: index.catalogue.roles.entitlements.values.buffer });
  });

  test('is sorted and unique, however much it is', () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `e${String(at).padStart(5, '0')}`);
    const index = compileSodIndex(
      [],
      catalogueOf({ entitlements: ids, roles: { r: { entitlements: ids.slice(5_000) } } }),
    );
    const { held } = expandAssignments(index, [role('r'), entitlement('e00003'), role('r'), entitlement('e19999')]);
    expect(held).toEqual(Uint32Array.from([3, ...Array.from({ length: 15_000 }, (_, at) => 5_000 + at)]));
  });
});
