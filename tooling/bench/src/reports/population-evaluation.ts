import {
  type AccessRefTable,
  compileGrantingRefs,
  compilePolicyTables,
  compileSodIndex,
  createAccessRefTable,
  createAssignmentIndexWriter,
  createConflictFinder,
  createDryRunEvaluator,
  createFinderMemory,
  createScanEvaluator,
  type HeldAccessLists,
  internRef,
  type ReportEvaluator,
} from '@access-admin/domain';
import type { World } from '../world/create-world.ts';
import { createRandom, createZipf, drawDistinct } from '../world/random.ts';

/** A population in the memory of this process, in the form in which a worker keeps it. */
export interface PopulationEvaluation {
  /** Evaluates all policies for all identities; returns the microseconds per identity. */
  scanMicros(): number;
  /** Evaluates changed policies, one after the other; returns the microseconds per identity and policy. */
  rescanMicros(): number;
}

const SHARD_SIZE = 0x10000;
const RESCANS = 100;
const MEMORY = createFinderMemory();

/** The violated policies of each identity of a world, as positions in `world.policies`. */
export function evaluateWorld(world: World): readonly (readonly number[])[] {
  const refs = createAccessRefTable();
  const writer = createAssignmentIndexWriter();
  for (const held of world.held) {
    for (const { type, id } of held) writer.add(internRef(refs, type, { text: id, start: 0, end: id.length }));
    writer.endHolder();
  }
  const index = compileSodIndex(world.policies, world.catalogue);
  const evaluator = createScanEvaluator(index);
  const held = { holdings: writer.finish(refs.count), grantingRefs: compileGrantingRefs(refs, index.catalogue) };
  const violated = world.held.map((): number[] => []);
  evaluateAll(evaluator, held, (policy, holder) => violated[holder]?.push(policy));
  return violated;
}

/** Fills `shards` with identities and draws their access as in a world. */
export function createPopulationEvaluation(
  { catalogue, policies }: World,
  { seed, shards, assignments }: { readonly seed: number; readonly shards: number; readonly assignments: number },
): PopulationEvaluation {
  const index = compileSodIndex(policies, catalogue);
  const refs = createAccessRefTable();
  const draw = createZipf(createRandom(seed), catalogue.entitlements.length, 1);
  const drawn = Array.from({ length: shards }, () => drawShard(refs, () => drawDistinct(draw, assignments), catalogue));
  const grantingRefs = compileGrantingRefs(refs, index.catalogue);
  const scan = createScanEvaluator(index);
  const timed = (work: () => void) => {
    const start = performance.now();
    work();
    return ((performance.now() - start) * 1000) / (shards * SHARD_SIZE);
  };
  let next = 0;
  const changed = Array.from({ length: RESCANS }, () => {
    const before = policies.slice(next, ++next);
    const after = before.map((policy) => ({ ...policy, level: 'LOW' as const }));
    return createDryRunEvaluator(compilePolicyTables(index.catalogue, { before, after }));
  });
  const evaluateShards = (one: ReportEvaluator) => {
    for (const holdings of drawn) evaluateAll(one, { holdings, grantingRefs }, () => {});
  };
  return {
    scanMicros: () => timed(() => evaluateShards(scan)),
    rescanMicros: () => timed(() => changed.forEach(evaluateShards)) / RESCANS,
  };
}

function drawShard(refs: AccessRefTable, drawHeld: () => readonly number[], { entitlements }: World['catalogue']) {
  const writer = createAssignmentIndexWriter();
  for (let identity = 0; identity < SHARD_SIZE; identity++) {
    for (const entitlement of drawHeld()) {
      const text = entitlements[entitlement]?.id ?? '';
      writer.add(internRef(refs, 'ENTITLEMENT', { text, start: 0, end: text.length }));
    }
    writer.endHolder();
  }
  return writer.finish(refs.count);
}

function evaluateAll(
  evaluator: ReportEvaluator,
  held: HeldAccessLists,
  visit: (policy: number, holder: number) => void,
): void {
  const finder = createConflictFinder(held, null, MEMORY);
  for (const policy of evaluator.policies) {
    do evaluator.evaluate(policy, finder, (_, holder) => visit(policy, holder));
    while (finder.nextBatch());
  }
}
