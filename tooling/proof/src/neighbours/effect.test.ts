import { expect, test } from 'vitest';
import { cpuSecondsBeyond, verifyEffect } from './effect.ts';

test('an attack that achieves the least took place', () => {
  const least = { outcomes: { 202: 3, 'answer begun': 1 }, cpuSeconds: { 'worker 0': 2 } };
  const effect = { outcomes: { 202: 3, 'answer begun': 1, 429: 7 }, cpuSeconds: { 'api 0': 0, 'worker 0': 2 } };
  expect(verifyEffect(least, effect)).toEqual([]);
});

test('names each effect that is missing', () => {
  const least = { outcomes: { 202: 3, 'answer begun': 1 }, cpuSeconds: { 'worker 0': 2 } };
  expect(verifyEffect(least, { outcomes: { 202: 2, 400: 90 }, cpuSeconds: { 'worker 0': 0.25 } })).toEqual([
    'the attack did not take place: 202: 2 times instead of 3',
    'the attack did not take place: answer begun: 0 times instead of 1',
    'the attack did not take place: worker 0 worked 0.3 s more than without it, instead of 2',
  ]);
});

test('CPU time counts beyond what the same while takes without an attack', () => {
  const calmPerSecond = { 'api 0': 0.25, 'worker 0': 0.5 };
  expect(cpuSecondsBeyond(calmPerSecond, { 'api 0': 3, 'worker 0': 1 }, 4)).toEqual({ 'api 0': 2, 'worker 0': 0 });
});
