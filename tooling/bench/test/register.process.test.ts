import { expect, test } from 'vitest';
import { measureRegister } from '../src/suites/register.ts';

const SIZE = { identities: 1_000, policies: 50, changes: 20 };

test('the register is measured with a violation for each identity', async () => {
  const { open, policySeconds, waitsMs, lists, summary } = await measureRegister(SIZE);
  expect(open).toBeGreaterThanOrEqual(SIZE.identities);
  expect(waitsMs).toHaveLength(SIZE.changes);
  const times = [...policySeconds, ...waitsMs, ...summary.ms, ...lists.flatMap(({ ms }) => ms)];
  expect(Math.min(...times)).toBeGreaterThan(0);
});
