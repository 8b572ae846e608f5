import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  type BoundException,
  compileSodIndex,
  coverageOf,
  expandAssignments,
  type SodPolicy,
  type TimedAccessRef,
} from '../src/index.ts';
import { concludeCheck, predictionText } from './entries.ts';
import { effectiveAccess } from './predict-oracle.ts';
import { createRandom, type RandomSodWorld } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import { predictTemporalByOracle, type TimedSodQuestion } from './timed-oracle.ts';

const WORLDS = 3_000;
// All windows of the worlds begin and end at whole seconds.
const STEP_MS = 500;

type World = Pick<RandomSodWorld, 'policies' | 'catalogue'>;

const holdsAt = ({ start, end }: TimedAccessRef, ms: number) =>
  (start === undefined || Date.parse(start) <= ms) && (end === undefined || ms < Date.parse(end));

/** The items of a policy by side that would be there at a moment; null unless they violate it. */
function violationAt(
  { catalogue }: World,
  { conflictingAccessCriteria: criteria }: SodPolicy,
  refs: readonly TimedAccessRef[],
): string | null {
  const access = effectiveAccess(catalogue, refs);
  const sides = 'criteria' in criteria ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria];
  const atLeast = 'criteria' in criteria ? criteria.atLeast : 2;
  const there = sides.map(({ criteriaList }) => criteriaList.map(({ id }) => id).filter((id) => access.has(id)));
  return there.filter((ids) => ids.length > 0).length < atLeast ? null : JSON.stringify(there);
}

/** The plain rule, moment by moment. Beyond the last one everything stays as it is. */
function coverageByOracle(
  world: World,
  { policy, question, exception }: { policy: SodPolicy; question: TimedSodQuestion; exception: BoundException },
): 'ALL' | 'PART' | 'NOTHING' | 'OVER' {
  const refs = [...question.held, ...question.requested];
  const stateAt = (ms: number) =>
    violationAt(
      world,
      policy,
      refs.filter((ref) => holdsAt(ref, ms)),
    );
  const isInWindow = (ms: number) => Date.parse(exception.start) <= ms && ms < Date.parse(exception.end);
  const turns = refs.flatMap(({ start, end }) => [start, end]).flatMap((text) => text ?? []);
  const nowMs = Date.parse(question.now);
  const lastMs = Math.max(nowMs + 20 * STEP_MS, ...turns.map((text) => Date.parse(text))) + 2 * STEP_MS;
  const violating: number[] = [];
  const items = new Set<string>();
  const addItems = (state: string | null) => {
    for (const id of (JSON.parse(state ?? '[]') as string[][]).flat()) items.add(id);
  };
  for (let ms = nowMs; ms <= lastMs; ms += STEP_MS) {
    const state = stateAt(ms);
    addItems(state);
    if (state !== null) violating.push(ms);
  }
  const told = question.at === undefined ? violating : [Date.parse(question.at)];
  for (const ms of told) addItems(stateAt(ms));
  const isEndless = question.at === undefined && violating.at(-1) === lastMs;
  if (!told.some(isInWindow)) return Date.parse(exception.end) > nowMs ? 'NOTHING' : 'OVER';
  if (![...items].every((id) => exception.items.includes(id))) return 'NOTHING';
  return !isEndless && told.every(isInWindow) ? 'ALL' : 'PART';
}

const itemsOf = ({ conflictingAccessCriteria: criteria }: SodPolicy): readonly string[] =>
  ('criteria' in criteria ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria]).flatMap(
    ({ criteriaList }) => criteriaList.map(({ id }) => id),
  );

test(`in ${atDepth(WORLDS)} random worlds exceptions cover exactly what the plain rule says, in every form of answer`, () => {
  const seen = { ALL: 0, PART: 0, NOTHING: 0, OVER: 0 };
  for (const seed of seeds(WORLDS)) {
    const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    const below = createRandom(seed + 2_000_000);
    for (const question of timedQuestions) {
      const nowMs = Date.parse(question.now);
      const boundary = () => new Date(nowMs + (below(12) - 4) * STEP_MS).toISOString();
      const exceptions = policies.map((policy) => {
        const { id } = policy;
        const [start = '', end = ''] = [boundary(), boundary()].sort();
        const items = itemsOf(policy).filter(() => below(8) > 0);
        return { policyId: id, id: `x-${id}`, start, end: below(3) === 0 ? '2027-01-01T00:00:00.000Z' : end, items };
      });
      const expected = predictTemporalByOracle({ policies, catalogue }, question).map((context) => {
        const place = policies.findIndex(({ id }) => id === context.policy.id);
        const policy = policies[place];
        const exception = exceptions[place];
        if (policy === undefined || exception === undefined) throw new Error('There is no such policy.');
        const covered = coverageByOracle({ policies, catalogue }, { policy, question, exception });
        seen[covered]++;
        if (covered === 'ALL') return { ...context, exception: { id: exception.id, end: exception.end } };
        if (covered === 'NOTHING') return { ...context, exception: null };
        return covered === 'PART' ? { ...context, exception: null, exceptionEnds: exception.end } : context;
      });
      const holder = expandAssignments(index, question.held);
      const { at } = question;
      const request = { accessRefs: question.requested, at, nowMs };
      const given = coverageOf(exceptions, { index, holder, request });
      const written = predictionText(index, holder, request, { coverage: given });
      expect([seed, written.ok && JSON.parse(written.value)]).toEqual([seed, { violationContexts: expected }]);
      const check = { identityId: 'i-1', accessRefs: question.requested, clientMetadata: null, ...(at && { at }) };
      const { result } = concludeCheck({ index, ...holder, check, nowMs, coverage: given });
      expect([seed, result.violationContexts]).toEqual([seed, expected]);
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(coverage(WORLDS / 20));
});
