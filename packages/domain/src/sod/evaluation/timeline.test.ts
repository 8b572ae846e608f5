import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isViolated, violatedWord } from './timeline.ts';

const rule = fc.integer({ min: 1, max: 10 }).chain((sideCount) =>
  fc.record({
    sideCount: fc.constant(sideCount),
    atLeast: fc.integer({ min: Math.min(2, sideCount), max: sideCount }),
  }),
);

test('a case violates a policy when it is on at least so many of its sides', () => {
  fc.assert(
    fc.property(rule, fc.array(fc.integer(), { minLength: 10, maxLength: 10 }), (given, words) => {
      const cases = violatedWord(given, (side) => words[side] ?? 0);
      for (let bit = 0; bit < 32; bit++) {
        const isOn = (side: number) => (((words[side] ?? 0) >>> bit) & 1) === 1;
        const sides = Array.from({ length: given.sideCount }, (_, side) => side).filter(isOn);
        expect((cases >>> bit) & 1).toBe(sides.length >= given.atLeast ? 1 : 0);
        expect(isViolated(given, isOn)).toBe(sides.length >= given.atLeast);
      }
    }),
  );
});

test('no side is evaluated once the answer is certain', () => {
  const seen: number[] = [];
  const record = (isOn: boolean) => (side: number) => {
    seen.push(side);
    return isOn;
  };
  expect(isViolated({ sideCount: 5, atLeast: 2 }, record(true))).toBe(true);
  expect(violatedWord({ sideCount: 5, atLeast: 5 }, (side) => (record(false)(side) ? 1 : 0))).toBe(0);
  expect(seen).toEqual([0, 1, 0]);
});
