import { coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  type AccessRef,
  accessStatesOf,
  compileSodIndex,
  expandAssignments,
  type PendingRef,
  type PendingReservation,
  remediate,
  type TimedAccessRef,
  type ViolationContext,
  type ViolationItem,
} from '../src/index.ts';
import { predictionOf } from './entries.ts';
import { effectiveAccess } from './predict-oracle.ts';
import { createRandom, type RandomSodWorld } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import { atInstant, type TimedSodQuestion, violationsTemporal } from './timed-oracle.ts';

const WORLDS = 4_000;

/** A question, and the reservations that count as requested before it. */
interface PendingQuestion extends TimedSodQuestion {
  readonly pending: readonly PendingReservation[];
}

/** Some of the refs that other questions request, in up to three reservations. */
function withPending(seed: number, questions: readonly TimedSodQuestion[]): readonly PendingQuestion[] {
  const below = createRandom(seed + 2_000_000);
  const refs = questions.flatMap(({ held, requested }) => [...held, ...requested]);
  const draw = () =>
    Array.from({ length: 1 + below(3) }, () => refs[below(refs.length)]).filter((ref) => ref !== undefined);
  return questions.map((question) => ({
    ...question,
    pending: Array.from({ length: below(4) }, (_, at) => ({
      id: `r-${at}`,
      reference: below(2) === 0 ? null : `REQ-${at}`,
      accessRefs: draw(),
    })).filter(({ accessRefs }) => accessRefs.length > 0),
  }));
}

/**
 * The rule in plain words: what this request causes is what it would cause if reserved access were held; whether an item is held,
 * and whether the violation is there already, is told by what is really held.
 */
function predictByOracle(world: RandomSodWorld, { pending, ...asked }: PendingQuestion): readonly ViolationContext[] {
  const reserved = pending.flatMap(({ accessRefs }) => accessRefs);
  const ifHeld = violationsTemporal(world, { ...asked, held: [...asked.held, ...reserved] });
  const ifRequested = violationsTemporal(world, { ...asked, requested: [...reserved, ...asked.requested] });
  const caused = new Set(ifHeld.map(({ context }) => context.policy.id));
  return ifRequested
    .filter(({ context }) => caused.has(context.policy.id))
    .map(({ context, instants }) => {
      const gives = (refs: readonly TimedAccessRef[], id: string) =>
        instants.some((instant) => effectiveAccess(world.catalogue, atInstant(refs, instant)).has(id));
      return mapItems(context, (item) => {
        if (item.existing || gives(asked.requested, item.id)) return item;
        const refs = pending
          .filter(({ accessRefs }) => gives(accessRefs, item.id))
          .map(({ id, reference }): PendingRef => ({ reservationId: id, reference }));
        return refs.length === 0 ? item : { ...item, pending: refs };
      });
    });
}

function mapItems(context: ViolationContext, map: (item: ViolationItem) => ViolationItem): ViolationContext {
  const { conflictingAccessCriteria: conflict } = context;
  const inSide = <S extends { readonly criteriaList: readonly ViolationItem[] }>(side: S) => ({
    ...side,
    criteriaList: side.criteriaList.map(map),
  });
  return {
    ...context,
    conflictingAccessCriteria:
      'criteria' in conflict
        ? { ...conflict, criteria: conflict.criteria.map(inSide) }
        : { leftCriteria: inSide(conflict.leftCriteria), rightCriteria: inSide(conflict.rightCriteria) },
  };
}

test('predictions that count reservations equal those of the plain rule', () => {
  const seen = { violations: 0, byPendingAlone: 0, silent: 0 };
  for (const seed of seeds(WORLDS)) {
    const world = createRandomTimedWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    for (const asked of withPending(seed, world.timedQuestions)) {
      const { held, requested, pending, at, now } = asked;
      const request = { accessRefs: requested, pending, nowMs: Date.parse(now), ...(at !== undefined && { at }) };
      const answer = predictionOf(index, expandAssignments(index, held), request);
      if (!answer.ok) throw new Error(`seed ${seed} is refused`);
      const expected = predictByOracle(world, asked);
      seen.violations += expected.length;
      if (JSON.stringify(expected).includes('"pending"')) seen.byPendingAlone++;
      const withRequest = [...pending.flatMap(({ accessRefs }) => accessRefs), ...requested];
      if (violationsTemporal(world, { ...asked, requested: withRequest }).length > expected.length) seen.silent++;
      if (JSON.stringify(answer.value.violationContexts) !== JSON.stringify(expected))
        expect(answer.value.violationContexts, `seed ${seed}`).toEqual(expected);
    }
  }
  expect(seen.violations).toBeGreaterThan(coverage(WORLDS / 10));
  expect(seen.byPendingAlone).toBeGreaterThan(coverage(WORLDS / 20));
  expect(seen.silent).toBeGreaterThan(coverage(WORLDS / 20));
});

const isOneOf = (refs: readonly AccessRef[], ref: AccessRef) =>
  refs.some(({ type, id }) => type === ref.type && id === ref.id);

/** Each ref once, without its windows. */
const distinct = (refs: readonly TimedAccessRef[]): readonly AccessRef[] => [
  ...new Map(refs.map(({ type, id }) => [`${type} ${id}`, { type, id }])).values(),
];

/** The sets of refs, smaller ones first. */
const subsetsOf = (refs: readonly AccessRef[]): readonly (readonly AccessRef[])[] =>
  Array.from({ length: 2 ** refs.length }, (_, bits) => refs.filter((__, at) => (bits >> at) % 2 === 1)).sort(
    (left, right) => left.length - right.length,
  );

test('what to drop and to revoke leaves what is reserved, and is as little as trying all sets finds', () => {
  const seen = { dropped: 0, revoked: 0, helpless: 0 };
  for (const seed of seeds(WORLDS / 2)) {
    const world = createRandomTimedWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    for (const { held, requested, pending, at, now } of withPending(seed, world.timedQuestions)) {
      const nowMs = Date.parse(now);
      const refs = distinct(requested);
      const assignments = distinct(held);
      if (refs.length > 5 || assignments.length > 5) continue;
      const isClean = (dropped: readonly AccessRef[], revoked: readonly AccessRef[]) => {
        const left = held.filter((ref) => !isOneOf(revoked, ref));
        const accessRefs = requested.filter((ref) => !isOneOf(dropped, ref));
        const request = { accessRefs, pending, nowMs, ...(at !== undefined && { at }) };
        const answer = predictionOf(index, expandAssignments(index, left), request);
        return answer.ok && answer.value.violationContexts.length === 0;
      };
      const pendingRefs = pending.flatMap(({ accessRefs }) => accessRefs);
      const access = { assignments: held, pending: pendingRefs, requested };
      const { drop, revoke } = remediate(index, accessStatesOf(access, { at, nowMs }));
      const fewest = subsetsOf(refs).find((set) => isClean(set, []));
      expect([isClean(drop.accessRefs, []), drop.accessRefs.length], `seed ${seed}`).toEqual([true, fewest?.length]);
      const least = subsetsOf(assignments).find((set) => isClean([], set));
      expect(revoke?.assignments.length, `seed ${seed}`).toBe(least?.length);
      if (revoke !== null) expect(isClean([], revoke.assignments), `seed ${seed}`).toBe(true);
      if (drop.accessRefs.length > 0) seen.dropped++;
      if ((revoke?.assignments.length ?? 0) > 0) seen.revoked++;
      if (revoke === null) seen.helpless++;
    }
  }
  expect(seen.dropped).toBeGreaterThan(coverage(WORLDS / 40));
  expect(seen.revoked).toBeGreaterThan(coverage(WORLDS / 400));
  expect(seen.helpless).toBeGreaterThan(coverage(WORLDS / 400));
});
