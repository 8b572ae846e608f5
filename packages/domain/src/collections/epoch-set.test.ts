import { expect, test } from 'vitest';
import { createMarks, takeMarks } from './epoch-set.ts';

test('marks taken are never left over from earlier calls', () => {
  const marks = createMarks(2);
  for (let call = 0; call < 1_000; call++) {
    const mark = takeMarks(marks);
    expect(marks.bytes.every((left) => left < mark)).toBe(true);
    marks.bytes[call % 2] = mark + (call % 3 === 0 ? 1 : 0);
    expect(marks.bytes[call % 2]).toBeGreaterThanOrEqual(mark);
  }
});
