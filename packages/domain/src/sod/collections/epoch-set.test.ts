import { expect, test } from 'vitest';
import { createEpochSet, startEpoch } from './epoch-set.ts';

test('an epoch begins with marks that nothing has', () => {
  const marks = createEpochSet(2);
  for (let call = 0; call < 1_000; call++) {
    const count = 1 + (call % 11);
    const mark = startEpoch(marks, count);
    expect(marks.bytes.every((left) => left < mark)).toBe(true);
    marks.bytes[call % 2] = mark + (call % count);
    expect(marks.bytes[call % 2]).toBeGreaterThanOrEqual(mark);
  }
});
