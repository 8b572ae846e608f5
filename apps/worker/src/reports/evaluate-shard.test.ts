import {
  compileGrantingRefs,
  compileSodIndex,
  createAccessRefTable,
  createFinderMemory,
  createScanEvaluator,
  type ReportLine,
  type SodCatalogue,
} from '@access-admin/domain';
import { expect, test } from 'vitest';
import { createRandom, policyOf } from '../../test/report-world.ts';
import { evaluateShard } from './evaluate-shard.ts';
import { createShardWriter, markForReevaluation } from './shard.ts';

const IDS = ['a', 'b', 'c', 'd'];
const INDEX = compileSodIndex([policyOf('p', [['a', 'b'], ['c']]), policyOf('q', [['a'], ['d']])], {
  entitlements: IDS.map((id) => ({ id, name: id, source: null })),
  accessProfiles: [],
  roles: [],
});

const draw = (random: (end: number) => number, number: number) => ({
  id: `i-${String(number).padStart(3, '0')}`,
  displayName: null,
  access: JSON.stringify(IDS.filter(() => random(3) > 0).map((id) => ['ENTITLEMENT', id])),
});

async function evaluate(seed: number, lengthMax?: number) {
  const random = createRandom(seed);
  const refs = createAccessRefTable();
  const writer = createShardWriter(refs);
  for (let number = 0; number < 100; number++) writer.add(draw(random, number));
  const shard = writer.finish();
  for (let change = 0; change < 20; change++) markForReevaluation(shard, draw(random, random(120)));
  const population = {
    refs,
    finderMemory: createFinderMemory(lengthMax),
    grantingRefs: (catalogue: SodCatalogue) => compileGrantingRefs(refs, catalogue),
  };
  const prepared = { evaluator: createScanEvaluator(INDEX), affectedRefs: null };
  const data = { catalogue: INDEX.catalogue, population, nowMs: 0, at: null, exceptions: new Map() };
  const found: (readonly [number, ReportLine])[] = [];
  const emit = (policy: number, line: ReportLine) => found.push([policy, line]);
  const identities = await evaluateShard({ shard, prepared, data, emit, pause: async () => {} });
  return { identities, found };
}

test('a policy with very many holders is evaluated in batches, with the same result', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const all = await evaluate(seed);
    expect(all.found.length).toBeGreaterThan(40);
    const keys = all.found.map(([policy, { identityId }]) => `${policy} ${identityId}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await evaluate(seed, 10)).toEqual(all);
  }
});
