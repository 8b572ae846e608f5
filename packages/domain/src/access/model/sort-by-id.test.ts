import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortById } from './sort-by-id.ts';

const idsOf = (count: number) => fc.array(fc.string({ maxLength: 4 }), { minLength: count, maxLength: count });
const inCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

test.each([0, 1, 2, 1_024, 1_025, 2_049, 5_000])(
  'sorts %i items in code-unit order of ids and leaves them alone',
  (count) => {
    fc.assert(
      fc.property(idsOf(count), (ids) => {
        const items = ids.map((id) => ({ id }));
        const sorted = sortById(items);
        expect(sorted.map(({ id }) => id)).toEqual(ids.toSorted(inCodeUnits));
        expect(items.map(({ id }) => id)).toEqual(ids);
      }),
      { numRuns: 5 },
    );
  },
);
