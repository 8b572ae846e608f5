import { expect, test } from 'vitest';
import { createTenantLimits, HOLD_MS, UNMEASURED_MAX } from './claim-limits.ts';

test('a tenant with heavy checks may claim few, and others as many as fit', () => {
  const { count, limits } = createTenantLimits();
  count('heavy', 50);
  count('light', 1);
  const { tenantLimits, otherLimit } = limits(new Map(), 200);
  expect(tenantLimits.get('heavy')).toBe(2);
  expect([tenantLimits.get('light'), tenantLimits.has('new'), otherLimit]).toEqual([100, false, UNMEASURED_MAX]);
  count('light', 1);
  expect(limits(new Map([['heavy', 2]]), 200).tenantLimits.get('heavy')).toBe(0);
});

test('a tenant that has had more time than another waits until that one has caught up', () => {
  const { count, limits } = createTenantLimits();
  const limitOf = (tenant: string, held: Readonly<Record<string, number>>) =>
    limits(new Map(Object.entries(held)), 200).tenantLimits.get(tenant);
  const work = (tenant: string, checks: number, ms: number) => {
    for (let at = 0; at < checks; at++) count(tenant, ms);
  };
  work('heavy', 10, 50);
  work('light', 50, 4);
  expect(limitOf('heavy', { light: 10 })).toBe(0);
  work('light', 44, 4);
  // Its share is half of the time in which what is held is concluded.
  expect(limitOf('heavy', { light: 10 })).toBe(2);
  expect(500 - 94 * 4).toBeLessThan(HOLD_MS / 2);
});

test('a tenant that has had more time waits for nobody who has nothing to do, or gets on with nothing', () => {
  const { count, limits } = createTenantLimits();
  for (let at = 0; at < 100; at++) count('heavy', 50);
  count('other', 1);
  expect(limits(new Map([['other', 1]]), 200).tenantLimits.get('heavy')).toBe(0);
  // Nothing was concluded since.
  expect(limits(new Map([['other', 1]]), 200).tenantLimits.get('heavy')).toBe(2);
  count('heavy', 50);
  expect(limits(new Map(), 200).tenantLimits.get('heavy')).toBe(5);
});

test('time without checks gives no credit', () => {
  const { count, limits } = createTenantLimits();
  count('idle', 10);
  for (let at = 0; at < 100; at++) count('busy', 50);
  limits(new Map(), 200);
  count('busy', 50);
  limits(new Map([['busy', 1]]), 200);
  count('idle', 10);
  count('busy', 50);
  expect(limits(new Map([['idle', 1]]), 200).tenantLimits.get('busy')).toBe(2);
});

test('no tenant may claim more than half of what is free', () => {
  const { count, limits } = createTenantLimits();
  count('light', 1);
  const limitsOf = (free: number) => {
    const { tenantLimits, otherLimit } = limits(new Map(), free);
    return [tenantLimits.get('light'), otherLimit];
  };
  expect([200, 50, 3, 1].map(limitsOf)).toEqual([
    [100, UNMEASURED_MAX],
    [25, UNMEASURED_MAX],
    [2, 2],
    [1, 1],
  ]);
});
