import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  type AccessRef,
  type Catalogue,
  changePolicies,
  compileGrantingRefs,
  compilePolicyTables,
  compileSodIndex,
  createAccessRefTable,
  createAssignmentIndexWriter,
  createConflictFinder,
  createDryRunEvaluator,
  createFinderMemory,
  createGainEvaluator,
  createScanEvaluator,
  createTimedConflictFinder,
  createTimedHoldingsWriter,
  type EmitViolation,
  expandAccess,
  type HeldAccessLists,
  internRef,
  intervalOf,
  type ReportEvaluator,
  type SodCheckResult,
  type SodIndex,
  type SodPolicy,
  type SodReportViolation,
  showReportLine,
  type TimedAccessRef,
  type TimedAssignment,
} from '../src/index.ts';
import { predictByOracle } from './predict-oracle.ts';
import { createRandomSodWorld } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import { predictTemporalByOracle } from './timed-oracle.ts';

// Shared by all: nothing of a policy or a population may affect the next.
const MEMORY = createFinderMemory(7);
const WORLDS = 5_000;
// The oracle evaluates every instant again.
const TIMED_WORLDS = 500;

type Conflict = Pick<SodReportViolation, 'change' | 'policyId' | 'policyName' | 'level' | 'conflictingAccessCriteria'>;
type Context = SodCheckResult['violationContexts'][number];

/** The lines of a report about some identities, for each of them. */
function linesOf(evaluator: ReportEvaluator, index: SodIndex, population: readonly (readonly AccessRef[])[]) {
  const held = holdingsOf(index, population);
  const gain = { entitlements: evaluator.gained ?? new Set<number>(), holders: numbersBelow(population.length) };
  const finder = createConflictFinder(held, gain, MEMORY);
  return gather(evaluator, population.length, (policy, take) => {
    do evaluator.evaluate(policy, finder, take);
    while (finder.nextBatch());
  });
}

/** The lines of a report about one identity with timed assignments. */
function linesTemporal(
  evaluator: ReportEvaluator,
  index: SodIndex,
  { held, nowMs, concerned }: Timed,
): readonly Conflict[] {
  const refs = createAccessRefTable();
  const writer = createTimedHoldingsWriter();
  const numberOf = ({ type, id }: AccessRef) => internRef(refs, type, { text: id, start: 0, end: id.length });
  const assignments = held.flatMap((ref): TimedAssignment[] => {
    const { startMs, endMs } = intervalOf(ref);
    const fromMs = Math.max(startMs, nowMs);
    return fromMs < endMs ? [{ ref: numberOf(ref), startMs: fromMs, endMs }] : [];
  });
  // Holders are not mixed up.
  const others = assignments.slice(1);
  const everyone = numberOf({ type: 'ROLE', id: 'everyone' });
  const always = { ref: everyone, startMs: nowMs, endMs: Number.POSITIVE_INFINITY };
  writer.add([...others, always]);
  writer.add([...assignments, always]);
  const gain =
    evaluator.gained === null
      ? null
      : { entitlements: evaluator.gained, refs: [concerned === null ? everyone : numberOf(concerned)] };
  const timed = writer.finish(refs.count);
  const grantingRefs = compileGrantingRefs(refs, index.catalogue);
  const finder = createTimedConflictFinder({ timed, grantingRefs, gain }, MEMORY);
  const lines = gather(evaluator, 2, (policy, take) => {
    do evaluator.evaluate(policy, finder, take);
    while (finder.nextBatch());
  });
  return lines[1] ?? [];
}

interface Timed {
  readonly held: readonly TimedAccessRef[];
  readonly nowMs: number;
  readonly concerned: AccessRef | null;
}

const numbersBelow = (end: number) => Uint32Array.from({ length: end }, (_, number) => number);

function holdingsOf(index: SodIndex, population: readonly (readonly AccessRef[])[]): HeldAccessLists {
  const refs = createAccessRefTable();
  const writer = createAssignmentIndexWriter(1);
  for (const held of population) {
    // A dropped holder must have no effect.
    writer.add(internRef(refs, 'ROLE', { text: 'dropped', start: 0, end: 7 }));
    writer.dropHolder();
    for (const { type, id } of held)
      writer.add(internRef(refs, type, { text: `x${id}x`, start: 1, end: id.length + 1 }));
    writer.endHolder();
  }
  const holdings = writer.finish(refs.count);
  return { holdings, grantingRefs: compileGrantingRefs(refs, index.catalogue) };
}

function gather(
  evaluator: ReportEvaluator,
  holderCount: number,
  run: (policy: number, take: EmitViolation) => void,
): readonly (readonly Conflict[])[] {
  const lines = Array.from({ length: holderCount }, (): Conflict[] => []);
  for (const policy of evaluator.policies) {
    let last = -1;
    run(policy, (change, holder, items) => {
      expect(holder).toBeGreaterThan(last);
      last = holder;
      if (evaluator.isNewOnly && change !== 'new') return;
      const found = { identityId: 'i', displayName: null, change, items, exception: null };
      const {
        identityId: _,
        displayName: __,
        exception: ___,
        ...line
      } = showReportLine(evaluator.policyAt(policy), found);
      lines[holder]?.push(line);
    });
  }
  return lines;
}

/** The violations of held access by the oracle; from an instant on if one is given. */
function heldConflicts(
  policies: readonly SodPolicy[],
  catalogue: Catalogue,
  held: readonly TimedAccessRef[],
  now: string | null = null,
) {
  const contexts =
    now === null
      ? predictByOracle({ policies, catalogue }, [], held)
      : predictTemporalByOracle({ policies, catalogue }, { held: [], requested: held, now });
  return new Map(
    contexts.map(({ policy, conflictingAccessCriteria }) => [
      policy.id,
      { policy, conflict: asHeld(conflictingAccessCriteria) },
    ]),
  );
}

const asHeld = (criteria: Context['conflictingAccessCriteria']): Context['conflictingAccessCriteria'] =>
  JSON.parse(JSON.stringify(criteria).replaceAll('"existing":false', '"existing":true'));

const lineOf = (
  change: Conflict['change'],
  { id, name, level }: Pick<SodPolicy, 'id' | 'name' | 'level'>,
  conflictingAccessCriteria: Conflict['conflictingAccessCriteria'],
): Conflict => ({ change, policyId: id, policyName: name, level, conflictingAccessCriteria });

const byId = (a: Conflict, b: Conflict) => (a.policyId < b.policyId ? -1 : 1);

test(`a scan of ${atDepth(WORLDS)} random worlds finds exactly the violations of every identity`, () => {
  let found = 0;
  for (const seed of seeds(WORLDS)) {
    const { policies, catalogue, questions } = createRandomSodWorld(seed);
    const changes = createRandomSodWorld(seed + WORLDS).policies;
    const index = compileSodIndex(policies, catalogue);
    const changed = changePolicies(index, { upserts: changes, deletes: policies.slice(0, 1).map(({ id }) => id) });
    const after = new Map([...policies.slice(1), ...changes].map((policy) => [policy.id, policy]));
    for (const [rulebook, own] of [
      [index, policies],
      [changed, [...after.values()]],
    ] as const) {
      const population = questions.flatMap(({ held, requested }) => [held, requested, [...held, ...requested]]);
      const expected = population.map((access) =>
        [...heldConflicts(own, catalogue, access).values()].map(({ policy, conflict }) =>
          lineOf('same', policy, conflict),
        ),
      );
      found += expected.flat().length;
      expect(linesOf(createScanEvaluator(rulebook), rulebook, population), `seed ${seed}`).toEqual(expected);
    }
  }
  expect(found).toBeGreaterThan(coverage(WORLDS));
});

test(`a dry-run of ${atDepth(WORLDS)} random changes finds the differences between a scan before and after`, () => {
  const counts = { new: 0, same: 0, gone: 0 };
  for (const [place, seed] of seeds(WORLDS).entries()) {
    const { policies, catalogue, questions } = createRandomSodWorld(seed);
    const timedQuestions = place < atDepth(TIMED_WORLDS) ? createRandomTimedWorld(seed).timedQuestions : [];
    const given = createRandomSodWorld(seed + WORLDS).policies;
    const removed = policies.slice(0, seed % 3).filter(({ id }) => given.every((policy) => policy.id !== id));
    const touched = new Set([...given, ...removed].map(({ id }) => id));
    const untouched = policies.filter(({ id }) => !touched.has(id));
    const index = compileSodIndex(policies, catalogue);
    const before = policies.filter(({ id }) => touched.has(id));
    const evaluator = createDryRunEvaluator(compilePolicyTables(index.catalogue, { before, after: given }));
    const untimed = questions.flatMap(({ held, requested }) => [held, requested]);
    const expectedOf = (access: readonly TimedAccessRef[], now: string | null) => {
      const earlier = heldConflicts(policies, catalogue, access, now);
      const later = heldConflicts([...untouched, ...given], catalogue, access, now);
      const expected: Conflict[] = [];
      for (const [id, { policy, conflict }] of later)
        if (touched.has(id)) expected.push(lineOf(earlier.has(id) ? 'same' : 'new', policy, conflict));
      for (const [id, { policy, conflict }] of earlier) {
        if (later.has(id) || !touched.has(id)) continue;
        // A policy that is still enforced has its new name.
        const named = given.find((each) => each.id === id && each.state === 'ENFORCED') ?? policy;
        expected.push(lineOf('gone', named, conflict));
      }
      for (const { change } of expected) counts[change]++;
      return expected.sort(byId);
    };
    expect(linesOf(evaluator, index, untimed), `seed ${seed}`).toEqual(
      untimed.map((access) => expectedOf(access, null)),
    );
    for (const { held, now } of timedQuestions) {
      const found = linesTemporal(evaluator, index, { held, nowMs: Date.parse(now), concerned: null });
      expect(found, `seed ${seed}`).toEqual(expectedOf(held, now));
    }
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(coverage(WORLDS / 50));
});

test('a scan of timed assignments finds the violations of every instant from now on', () => {
  let found = 0;
  for (const seed of seeds(TIMED_WORLDS)) {
    const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    const evaluator = createScanEvaluator(index);
    for (const { held, now } of timedQuestions) {
      const expected = [...heldConflicts(policies, catalogue, held, now).values()].map(({ policy, conflict }) =>
        lineOf('same', policy, conflict),
      );
      found += expected.length;
      const timed = { held, nowMs: Date.parse(now), concerned: null };
      expect(linesTemporal(evaluator, index, timed), `seed ${seed}`).toEqual(expected);
    }
  }
  expect(found).toBeGreaterThan(coverage(TIMED_WORLDS / 4));
});

test('a gain through timed assignments is new when the violation exists at no instant without it', () => {
  let found = 0;
  for (const seed of seeds(TIMED_WORLDS)) {
    const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    for (const { held, requested, now } of timedQuestions) {
      const [concerned] = held;
      if (concerned === undefined) continue;
      const gained = requested.map(({ type, id }) => ({ type, id }));
      const evaluator = createGainEvaluator(index, expandAccess(index, gained).entitlements);
      // Holders of the bundle gain for as long as they hold it.
      const holding = held.filter(({ type, id }) => type === concerned.type && id === concerned.id);
      const after = [...held, ...holding.flatMap((ref) => gained.map((each) => ({ ...ref, ...each })))];
      const earlier = heldConflicts(policies, catalogue, held, now);
      const later = heldConflicts(policies, catalogue, after, now);
      const expected = [...later.keys()].filter((id) => !earlier.has(id));
      found += expected.length;
      const lines = linesTemporal(evaluator, index, { held, nowMs: Date.parse(now), concerned });
      expect(
        lines.map(({ policyId, change }) => [policyId, change]),
        `seed ${seed}`,
      ).toEqual(expected.map((id) => [id, 'new']));
    }
  }
  expect(found).toBeGreaterThan(coverage(TIMED_WORLDS / 50));
});

test(`a gain in ${atDepth(WORLDS)} random worlds newly violates what predict reports as caused and not preexisting`, () => {
  let found = 0;
  for (const seed of seeds(WORLDS)) {
    const { policies, catalogue, questions } = createRandomSodWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    for (const { held, requested } of questions) {
      const evaluator = createGainEvaluator(index, expandAccess(index, requested).entitlements);
      const population = [held, [], requested, held];
      const expected = population.map((access) =>
        predictByOracle({ policies, catalogue }, access, requested)
          .filter(({ preexisting }) => !preexisting)
          .map(({ policy, conflictingAccessCriteria }) => lineOf('new', policy, conflictingAccessCriteria)),
      );
      found += expected.flat().length;
      expect(linesOf(evaluator, index, population), `seed ${seed}`).toEqual(expected);
    }
  }
  expect(found).toBeGreaterThan(coverage(WORLDS / 10));
});
