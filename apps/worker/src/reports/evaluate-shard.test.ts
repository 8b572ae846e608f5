import {
  compileGrantingRefs,
  compileSodIndex,
  createAccessRefTable,
  createFinderMemory,
  createScanEvaluator,
  type ReportLine,
  type SodCatalogue,
} from '@access-admin/domain';
import type { ReportIdentity } from '@access-admin/store';
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

interface Options {
  readonly nowMs: number;
  readonly lengthMax: number | undefined;
  /** Identities that have changed since the shard was read. */
  readonly changed?: readonly ReportIdentity[];
}

async function evaluateAll(identities: readonly ReportIdentity[], { nowMs, lengthMax, changed = [] }: Options) {
  const refs = createAccessRefTable();
  const writer = createShardWriter(refs);
  for (const each of identities) writer.add(each);
  const shard = writer.finish();
  for (const each of changed) markForReevaluation(shard, each);
  const population = {
    refs,
    finderMemory: createFinderMemory(lengthMax),
    grantingRefs: (catalogue: SodCatalogue) => compileGrantingRefs(refs, catalogue),
  };
  const prepared = { evaluator: createScanEvaluator(INDEX), affectedRefs: null };
  const data = { catalogue: INDEX.catalogue, population, nowMs, at: null, exceptions: new Map() };
  const found: (readonly [number, ReportLine])[] = [];
  const emit = (policy: number, line: ReportLine) => found.push([policy, line]);
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const count = await evaluateShard({ shard, prepared, data, emit, pause });
  return { identities: count, found, pauses };
}

async function evaluate(seed: number, lengthMax?: number) {
  const random = createRandom(seed);
  const identities = Array.from({ length: 100 }, (_, number) => draw(random, number));
  const changed = Array.from({ length: 20 }, () => draw(random, random(120)));
  const { pauses: _, ...result } = await evaluateAll(identities, { nowMs: 0, lengthMax, changed });
  return result;
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

const NOW_MS = Date.parse('2026-01-01T00:00:00.000Z');
const momentOf = (second: number) => new Date(NOW_MS + second * 1_000).toISOString();

/** An identity as stored, of `[id, start, end]` in seconds from now. */
const identityOf = (id: string, held: readonly (readonly [string, number, number])[]) => ({
  id,
  displayName: null,
  access: JSON.stringify(held.map(([ref, start, end]) => ['ENTITLEMENT', ref, momentOf(start), momentOf(end)])),
});

test('an identity with very many windows is evaluated as a whole', async () => {
  const held = Array.from({ length: 600 }, (_, at) => ['a', at, at + 600] as const);
  const overlapping = identityOf('busy', [...held, ['c', 1_198, 1_300]]);
  const never = identityOf('never', [...held, ['c', 1_199, 1_300]]);
  for (const lengthMax of [undefined, 10]) {
    const { found, pauses } = await evaluateAll([overlapping, never], { nowMs: NOW_MS, lengthMax });
    expect(found.map(([policy, { identityId }]) => [policy, identityId])).toEqual([[0, 'busy']]);
    expect(pauses).toBeGreaterThan(1);
  }
});
