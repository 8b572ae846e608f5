import {
  compileGrantingRefs,
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
  accessProfiles: [],
  roles: [],
});

const draw = (random: (end: number) => number, number: number) => ({
  id: `i-${String(number).padStart(3, '0')}`,
  displayName: null,
  access: JSON.stringify(IDS.filter(() => random(3) > 0).map((id) => ['ENTITLEMENT', id])),
});

async function evaluate(
  seed: number,
  { lengthMax, linesMax }: { readonly lengthMax?: number; readonly linesMax?: number },
) {
  const random = createRandom(seed);
  const refs = createAccessRefTable();
  const writer = createShardWriter(refs);
  for (let number = 0; number < 100; number++) writer.add(draw(random, number));
  const shard = writer.finish();
  for (let change = 0; change < 20; change++) markForReevaluation(shard, draw(random, random(120)));
  const population = {
    refs,
    finderMemory: createFinderMemory(lengthMax),
    shardCount: 1,
    size: () => null,
    grantingRefs: (catalogue: SodCatalogue) => compileGrantingRefs(refs, catalogue),
    refresh: never,
    open: never,
  };
  const gatherer = createViolationGatherer();
  const prepared = { evaluator: createScanEvaluator(INDEX), affectedRefs: null, endedApprovals: new Set<string>() };
  const data = { catalogue: INDEX.catalogue, population, nowMs: 0, at: null, exceptions: new Map() };
  const limits = linesMax === undefined ? {} : { linesMax };
  const value = await evaluateShard({ shard, prepared, data, gatherer, pause: async () => {}, ...limits });
  const lines = gatherer.takeBlocks().map(({ number, content }) => [number, unpackReportLines(content)] as const);
  return { value, lines };
}

test('a policy with very many holders is evaluated in batches, with the same result', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const found = await evaluate(seed, {});
    expect(found.lines.flatMap(([, lines]) => lines).length).toBeGreaterThan(40);
    for (const [, lines] of found.lines) {
      const ids = lines.map(({ identityId }) => identityId);
      expect(ids).toEqual([...new Set(ids)].sort());
    }
    expect(await evaluate(seed, { lengthMax: 10 })).toEqual(found);
  }
});

test('reevaluated identities with more violations than are kept are evaluated in ranges, with the same result', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { value, lines } = await evaluate(seed, {});
    for (const linesMax of [2, 3, 7]) {
      const split = await evaluate(seed, { linesMax });
      expect(split.value).toBe(value);
      expect(linesOf(split.lines)).toEqual(linesOf(lines));
    }
  }
});

test('one identity with more violations than are kept is too large', async () => {
  const found = await Promise.all(Array.from({ length: 20 }, (_, seed) => evaluate(seed, { linesMax: 1 })));
  expect(found.map(({ value }) => value)).toContain('tooLarge');
});

/** The lines of each policy, in order, from however many blocks. */
const linesOf = (lines: Awaited<ReturnType<typeof evaluate>>['lines']) => {
  const numbers = [...new Set(lines.map(([number]) => number))].sort();
  return numbers.map((of) => lines.filter(([number]) => number === of).flatMap(([, each]) => each));
};

function never(): never {
  throw new Error('The store must not be read.');
}
