import { expect, test } from 'vitest';
import { createTestDatabase } from './create-on-postgres.ts';

test('the tests of a run share one server', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  expect(new URL(one.url).host).toBe(new URL(other.url).host);
  expect(one.url).not.toBe(other.url);
  await Promise.all([one.remove(), other.remove()]);
});
