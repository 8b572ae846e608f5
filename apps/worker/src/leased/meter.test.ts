import { expect, test } from 'vitest';
import { createMeter } from './meter.ts';

test('a piece of work that waits does not count what others have counted meanwhile', () => {
  const clock = { ms: 0 };
  const meter = createMeter(() => clock.ms);
  const endWaiting = meter.begin();
  clock.ms += 3;
  const endOther = meter.begin();
  clock.ms += 40;
  expect(endOther()).toBe(40);
  clock.ms += 2;
  expect(endWaiting()).toBe(5);
});
