import {
  compileGrantingRefs,
  compileSodIndex,
  createAccessRefTable,
  createFinderMemory,
  createGainEvaluator,
  createScanEvaluator,
  expandAccess,
  type SodCatalogue,
  type TimedAccessRef,
} from '@access-admin/domain';
import type { ReportIdentity } from '@access-admin/store';
import { expect, test } from 'vitest';
import { createRandom, policyOf } from '../../test/report-world.ts';
import type { PreparedReport } from './prepare.ts';
import { reevaluateIdentities } from './reevaluate.ts';
import { createShardWriter } from './shard.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const ENTITLEMENTS = IDS.map((id) => ({ id, name: id, source: null }));
const INDEX = compileSodIndex(
  [policyOf('p', [['a', 'b'], ['c']]), policyOf('k-of-n', [['a'], ['d', 'e'], ['f']], { atLeast: 2 })],
  { entitlements: ENTITLEMENTS, accessProfiles: [], roles: [] },
);
const NOW_MS = Date.parse('2026-01-01T00:00:00.000Z');
const momentOf = (second: number) => new Date(NOW_MS + second * 1_000).toISOString();

/** An identity as stored, of `[id, start, end]` in seconds from now. */
const identityOf = (id: string, held: readonly (readonly [string, number, number])[]): ReportIdentity => ({
  id,
  displayName: null,
  access: JSON.stringify(held.map(([ref, start, end]) => ['ENTITLEMENT', ref, momentOf(start), momentOf(end)])),
});

async function reevaluate(identities: readonly ReportIdentity[], prepared: PreparedReport, lengthMax?: number) {
  const refs = createAccessRefTable();
  const writer = createShardWriter(refs);
  for (const identity of identities) writer.add(identity);
  const population = {
    refs,
    finderMemory: createFinderMemory(),
    shardCount: 1,
    size: () => null,
    grantingRefs: (catalogue: SodCatalogue) => compileGrantingRefs(refs, catalogue),
    refresh: never,
    open: never,
  };
  const data = { catalogue: INDEX.catalogue, population, nowMs: NOW_MS, at: null, exceptions: new Map() };
  const shard = writer.finish();
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const report = { shard, prepared, data, pause };
  const value = await reevaluateIdentities([...shard.reevaluated.values()], report, { lengthMax });
  return { value, pauses };
}

function never(): never {
  throw new Error('Nothing is read.');
}

test('the number of batches of intervals does not change the result', async () => {
  const scan: PreparedReport = {
    evaluator: createScanEvaluator(INDEX),
    affectedRefs: null,
    endedApprovals: new Set<string>(),
  };
  const add: readonly TimedAccessRef[] = [{ type: 'ENTITLEMENT', id: 'c' }];
  const gain: PreparedReport = {
    evaluator: createGainEvaluator(INDEX, expandAccess(INDEX, add).entitlements),
    affectedRefs: [{ type: 'ENTITLEMENT', id: 'a' }],
    endedApprovals: new Set(),
  };
  let found = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const random = createRandom(seed);
    const identities = Array.from({ length: random(6) }, (_, number) => {
      const draw = () => [IDS[random(6)] ?? 'a', random(20) - 5, random(30) - 5] as const;
      return identityOf(`i-${number}`, Array.from({ length: 1 + random(5) }, draw));
    });
    for (const prepared of [scan, gain]) {
      const { value } = await reevaluate(identities, prepared);
      for (const lengthMax of [1, 4]) expect((await reevaluate(identities, prepared, lengthMax)).value).toEqual(value);
      found += [...value.lines.values()].flat().length;
    }
  }
  expect(found).toBeGreaterThan(100);
});

test('an identity with very many windows is evaluated as a whole', async () => {
  const scan: PreparedReport = {
    evaluator: createScanEvaluator(INDEX),
    affectedRefs: null,
    endedApprovals: new Set<string>(),
  };
  const held = Array.from({ length: 600 }, (_, at) => ['a', at, at + 600] as const);
  const overlapping = identityOf('busy', [...held, ['c', 1_198, 1_300]]);
  const never = identityOf('never', [...held, ['c', 1_199, 1_300]]);
  const { value, pauses } = await reevaluate([overlapping, never], scan);
  expect([...value.lines.values()].flat().map(({ identity }) => identity)).toEqual([expect.stringContaining('busy')]);
  expect(pauses).toBeGreaterThan(1);
});
