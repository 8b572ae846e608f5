import { expect, test } from 'vitest';
import { createRegister } from './register.ts';

const takes = async () => {};
const fails = () => Promise.reject(new Error('gone'));

test('what was acknowledged must be there', async () => {
  const register = createRegister('p-1');
  await register.write(takes);
  await register.write(takes);
  expect(register.judge(2)).toBeNull();
  expect(register.judge(1)).toBe('p-1 holds 1, although 2 was acknowledged and 2 sent last');
  expect(register.judge(null)).toBe('p-1 is gone');
});

test('what was sent later may be there, although nobody acknowledged it', async () => {
  const register = createRegister('p-1');
  await register.write(takes);
  await expect(register.write(fails)).rejects.toThrow('gone');
  expect(register.judge(1)).toBeNull();
  expect(register.judge(2)).toBeNull();
});

test('what nobody sent must not be there', async () => {
  const register = createRegister('p-1');
  await register.write(takes);
  expect(register.judge(2)).not.toBeNull();
  expect(register.judge(Number.NaN)).not.toBeNull();
});
