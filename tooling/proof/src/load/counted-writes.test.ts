import { expect, test } from 'vitest';
import { CountedWrites } from './counted-writes.ts';

const takes = async () => {};
const fails = () => Promise.reject(new Error('unreachable'));

test('an acknowledged number must be present', async () => {
  const register = new CountedWrites('p-1');
  await register.write(takes);
  await register.write(takes);
  expect(register.verify(2)).toBeNull();
  expect(register.verify(1)).toBe('p-1 holds 1, although 2 was acknowledged and 2 sent last');
  expect(register.verify(null)).toBe('p-1 is missing');
});

test('a number that was sent later may be present without being acknowledged', async () => {
  const register = new CountedWrites('p-1');
  await register.write(takes);
  await expect(register.write(fails)).rejects.toThrow('unreachable');
  expect(register.verify(1)).toBeNull();
  expect(register.verify(2)).toBeNull();
});

test('a number that was never sent must not be present', async () => {
  const register = new CountedWrites('p-1');
  await register.write(takes);
  expect(register.verify(2)).not.toBeNull();
  expect(register.verify(Number.NaN)).not.toBeNull();
});
