import { expect, test } from 'vitest';
import { createEpochSet, startEpoch } from './epoch-set.ts';

test('an epoch begins with two marks that nothing has', () => {
  const marks = createEpochSet(2);
  for (let call = 0; call < 1_000; call++) {
    const mark = startEpoch(marks);
    expect(marks.bytes.every((left) => left < mark)).toBe(true);
    marks.bytes[call % 2] = mark + (call % 3 === 0 ? 1 : 0);
    expect(marks.bytes[call % 2]).toBeGreaterThanOrEqual(mark);
  }
});
