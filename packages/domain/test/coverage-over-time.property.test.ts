import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  type ApprovedException,
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

/** The plain rule, moment by moment: each violating one must lie in the window, but of the last state only the first one. */
function coversByOracle(
  world: World,
  { policy, question, exception }: { policy: SodPolicy; question: TimedSodQuestion; exception: ApprovedException },
): boolean {
  const isInWindow = (ms: number) => Date.parse(exception.start) <= ms && ms < Date.parse(exception.end);
  if (question.at !== undefined) return isInWindow(Date.parse(question.at));
  const refs = [...question.held, ...question.requested];
  const turns = refs.flatMap(({ start, end }) => [start, end]).flatMap((text) => text ?? []);
  const nowMs = Date.parse(question.now);
  const lastMs = Math.max(nowMs, ...turns.map((text) => Date.parse(text))) + 2 * STEP_MS;
  const states: { readonly ms: number; readonly state: string | null }[] = [];
  for (let ms = nowMs; ms <= lastMs; ms += STEP_MS)
    states.push({
      ms,
      state: violationAt(
        world,
        policy,
        refs.filter((ref) => holdsAt(ref, ms)),
      ),
    });
  const lastState = states.at(-1)?.state ?? null;
  const firstOfLast = states.findLastIndex(({ state }) => state !== lastState) + 1;
  return states.every(({ ms, state }, place) => state === null || place > firstOfLast || isInWindow(ms));
}

test(`in ${atDepth(WORLDS)} random worlds exceptions cover exactly what the plain rule says, in every form of answer`, () => {
  const seen = { covered: 0, outside: 0 };
  for (const seed of seeds(WORLDS)) {
    const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    const below = createRandom(seed + 2_000_000);
    for (const question of timedQuestions) {
      const nowMs = Date.parse(question.now);
      const boundary = () => new Date(nowMs + (below(12) - 4) * STEP_MS).toISOString();
      const exceptions = policies.map(({ id }) => {
        const [start = '', end = ''] = [boundary(), boundary()].sort();
        return { policyId: id, id: `x-${id}`, start, end: below(3) === 0 ? '2027-01-01T00:00:00.000Z' : end };
      });
      const expected = predictTemporalByOracle({ policies, catalogue }, question).map((context) => {
        const place = policies.findIndex(({ id }) => id === context.policy.id);
        const policy = policies[place];
        const exception = exceptions[place];
        if (policy === undefined || exception === undefined) throw new Error('There is no such policy.');
        const isCovered = coversByOracle({ policies, catalogue }, { policy, question, exception });
        seen[isCovered ? 'covered' : 'outside']++;
        return isCovered ? { ...context, exception: { id: exception.id, end: exception.end } } : context;
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
  expect(seen.covered).toBeGreaterThan(coverage(WORLDS / 20));
  expect(seen.outside).toBeGreaterThan(coverage(WORLDS / 20));
});
