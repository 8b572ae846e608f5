import { expect, test } from 'vitest';
import { claimSoon } from './claim-soon.ts';
import { NOW } from './model-records.ts';
import { newScan } from './new-report.ts';
import { ENGINE, openDatabase } from './store-engine.ts';

const MANY = 1_000;
const LEASE_MS = 10;
const SHARED = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const ALONE = ['y', 'z'];
const ALONE_EACH = 10;

test('reports that run alone, and those of other tenants between them, have turns of their own', async () => {
  await using database = await openDatabase(ENGINE);
  const { reports } = database.store;
  let nowMs = Date.parse(NOW);
  let added = 0;
  const add = (tenant: string) => reports.enqueue(newScan(`s-${added++}`, { tenant }), MANY);
  const claim = async () => {
    const claimed = await reports.claim({ nowMs, leaseMs: LEASE_MS });
    return claimed === null ? [] : [claimed];
  };

  for (const tenant of ALONE) for (let at = 0; at < ALONE_EACH; at++) await add(tenant);
  // What was claimed twice without an end runs alone.
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < ALONE.length * ALONE_EACH; at++) expect(await claimSoon(claim)).toHaveLength(1);
    nowMs += LEASE_MS;
  }
  for (const tenant of SHARED) for (let at = 0; at < 2; at++) await add(tenant);

  const served = new Map([...SHARED, ...ALONE].map((tenant) => [tenant, 0]));
  const countOf = (tenant: string) => served.get(tenant) ?? 0;
  const sum = (tenants: readonly string[]) => tenants.reduce((total, tenant) => total + countOf(tenant), 0);
  while (sum(SHARED) < 80) {
    for (const { tenant, ...rest } of await claim()) {
      served.set(tenant, countOf(tenant) + 1);
      const end = { state: 'ERROR', completed: NOW, totals: null, message: '' } as const;
      await reports.complete({ tenant, ...rest }, end, MANY);
      if (SHARED.includes(tenant)) await add(tenant);
    }
  }
  expect(SHARED.map(countOf)).toEqual(SHARED.map(() => 10));
  expect(Math.abs(countOf('y') - countOf('z'))).toBeLessThanOrEqual(1);
});
