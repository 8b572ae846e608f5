import {
  compileGivers,
  compileSodIndex,
  createAccessRefTable,
  createFinderMemory,
  createScanEvaluator,
  type SodCatalogue,
} from '@access-admin/domain';
import { unpackReportLines } from '@access-admin/store';
import { expect, test } from 'vitest';
import { createRandom, policyOf } from '../../test/report-world.ts';
import { evaluateShard } from './evaluate-shard.ts';
import { createViolationGatherer } from './gather-violations.ts';
import { createShardWriter, markForReevaluation } from './shard.ts';

const IDS = ['a', 'b', 'c', 'd'];
const INDEX = compileSodIndex([policyOf('p', [['a', 'b'], ['c']]), policyOf('q', [['a'], ['d']])], {
  entitlements: IDS.map((id) => ({ id, name: id, source: null })),
  ...{ accessProfiles: [], roles: [] },
});

test('a policy with very many holders is evaluated in batches, with the same result', () => {
  const draw = (random: (end: number) => number, number: number) => ({
    ...{ id: `i-${String(number).padStart(3, '0')}`, displayName: null },
    access: JSON.stringify(IDS.filter(() => random(3) > 0).map((id) => ['ENTITLEMENT', id])),
  });
  const evaluate = (seed: number, lengthMax?: number) => {
    const random = createRandom(seed);
    const refs = createAccessRefTable();
    const writer = createShardWriter(refs);
    for (let number = 0; number < 100; number++) writer.add(draw(random, number));
    const shard = runSteps(writer.finish());
    for (let change = 0; change < 20; change++) markForReevaluation(shard, draw(random, random(120)));
    const population = {
      ...{ refs, finderMemory: createFinderMemory(lengthMax), shardCount: 1, size: () => null },
      givers: (catalogue: SodCatalogue) => compileGivers(refs, catalogue),
      refresh: never,
      open: never,
    };
    const gatherer = createViolationGatherer();
    const prepared = { evaluator: createScanEvaluator(INDEX), affectedRefs: null, endedApprovals: new Set<string>() };
    const data = { catalogue: INDEX.catalogue, population, nowMs: 0, at: null, exceptions: new Map() };
    const value = runSteps(evaluateShard(shard, { prepared, data }, gatherer));
    const lines = gatherer.takeBlocks().map(({ number, content }) => [number, unpackReportLines(content)] as const);
    return { value, lines };
  };
  for (let seed = 1; seed <= 20; seed++) {
    const found = evaluate(seed);
    expect(found.lines.flatMap(([, lines]) => lines).length).toBeGreaterThan(40);
    for (const [, lines] of found.lines) {
      const ids = lines.map(({ identityId }) => identityId);
      expect(ids).toEqual([...new Set(ids)].sort());
    }
    expect(evaluate(seed, 10)).toEqual(found);
  }
});

function never(): never {
  throw new Error('The store must not be read.');
}

function runSteps<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
