import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('a tenant whose attempts hang leaves capacity for others, and those with the fewest come first', async () => {
  const semaphore = createSemaphore({ all: 4, ofTenant: 3 });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (tenant: string) => void semaphore.acquire(tenant).then((end) => ends.push(end) && begun.push(tenant));
  for (let count = 0; count < 10; count++) enter('hanging');
  enter('good');
  enter('good');
  await setImmediate();
  expect(begun).toEqual(['hanging', 'hanging', 'hanging', 'good']);
  ends[0]?.();
  await setImmediate();
  expect(begun.slice(4)).toEqual(['good']);
  for (const end of ends.splice(1)) end();
  await setImmediate();
  expect(begun.slice(5)).toEqual(['hanging', 'hanging', 'hanging']);
});

test('a tenant holds no more than its bound, and one that holds nothing may hold one entry of any size', async () => {
  const semaphore = createSemaphore({ all: 10, ofTenant: 4 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (name: string, tenant: string, size: number) =>
    void semaphore.acquire(tenant, size).then((end) => begun.push(name) && ends.set(name, end));
  enter('a large', 'a', 6);
  enter('a small', 'a', 1);
  enter('b', 'b', 3);
  enter('c', 'c', 2);
  await setImmediate();
  expect(begun).toEqual(['a large', 'b']);
  ends.get('b')?.();
  await setImmediate();
  expect(begun.slice(2)).toEqual(['c']);
  ends.get('a large')?.();
  await setImmediate();
  expect(begun.slice(3)).toEqual(['a small']);
});
