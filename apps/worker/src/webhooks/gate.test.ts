import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGate } from './gate.ts';

test('a tenant whose attempts hang leaves room for others, and those with the fewest come first', async () => {
  const gate = createGate({ all: 4, ofTenant: 3 });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (tenant: string) => void gate.enter(tenant).then((end) => ends.push(end) && begun.push(tenant));
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
