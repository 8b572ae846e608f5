import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import {
  type AccessRef,
  accessStatesOf,
  compileSodIndex,
  expandAccess,
  expandAssignments,
  type SodIndex,
  type TimedAccessRef,
} from '../src/index.ts';
import { type Remediation, remediate as remediateStates } from '../src/predictions/remediation.ts';
import type { AccessState } from '../src/sod/index.ts';
import { contextsOf, predictionOf } from './entries.ts';
import { createRandomSodWorld } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import { catalogueOf, entitlement, policyOf, role } from './sod-world.ts';

const WORLDS = 6_000;

const remediate = (index: SodIndex, ...accessStates: readonly AccessState[]): Remediation =>
  remediateStates(index, accessStates);

const keyOf = ({ type, id }: AccessRef) => `${id} ${type}`;

const bare = ({ type, id }: AccessRef): AccessRef => ({ type, id });

const sortedOnce = (refs: readonly AccessRef[]): AccessRef[] =>
  [...new Map(refs.map((ref) => [keyOf(ref), ref])).entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, ref]) => ref);

const isClean = (index: SodIndex, held: readonly AccessRef[], requested: readonly AccessRef[]) =>
  contextsOf(index, expandAccess(index, held).entitlements, requested).length === 0;

/** Every subset in order: by size, then by the places of its refs. */
function subsetsOf(refs: readonly AccessRef[]): readonly (readonly AccessRef[])[] {
  const sets = Array.from({ length: 2 ** refs.length }, (_, bits) =>
    refs.flatMap((ref, at) => (bits & (1 << at) ? [{ ref, at }] : [])),
  );
  const text = (set: (typeof sets)[number]) => set.map(({ at }) => String(at).padStart(2, '0')).join(' ');
  return sets
    .sort((left, right) => left.length - right.length || (text(left) < text(right) ? -1 : 1))
    .map((set) => set.map(({ ref }) => ref));
}

const without = <R extends AccessRef>(refs: readonly R[], gone: readonly AccessRef[]): readonly R[] => {
  const keys = new Set(gone.map(keyOf));
  return refs.filter((ref) => !keys.has(keyOf(ref)));
};

test(`in ${atDepth(WORLDS)} random worlds the smallest sets are those that trying all of them finds`, () => {
  const seen = { dropped: 0, revoked: 0, hopeless: 0, several: 0 };
  for (const seed of seeds(WORLDS)) {
    const world = createRandomSodWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    for (const { held, requested } of world.questions) {
      const given = { assignments: held, requested };
      const drop = subsetsOf(sortedOnce(requested)).find((gone) => isClean(index, held, without(requested, gone)));
      const revoke = subsetsOf(sortedOnce(held)).find((gone) => isClean(index, without(held, gone), requested));
      expect(remediate(index, given), `seed ${seed}`).toEqual({
        drop: { accessRefs: drop, optimal: true },
        revoke: revoke === undefined ? null : { assignments: revoke, optimal: true },
      });
      if (drop?.length) seen.dropped++;
      if (revoke?.length) seen.revoked++;
      if (revoke === undefined) seen.hopeless++;
      if ((drop?.length ?? 0) > 1 || (revoke?.length ?? 0) > 1) seen.several++;
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(coverage(WORLDS / 200));
});

test('the sets for several access states remove all violations in each of them, and no smaller set does', () => {
  const seen = { both: 0, hopeless: 0 };
  for (const seed of seeds(WORLDS / 2)) {
    const world = createRandomSodWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    const accessStates = world.questions.slice(0, 2).map(({ held, requested }) => ({
      assignments: held,
      requested,
    }));
    const refs = sortedOnce(accessStates.flatMap(({ requested }) => requested));
    const held = sortedOnce(accessStates.flatMap(({ assignments }) => assignments));
    if (refs.length > 12 || held.length > 12) continue;
    const drop = subsetsOf(refs).find((gone) =>
      accessStates.every(({ assignments, requested }) => isClean(index, assignments, without(requested, gone))),
    );
    const revoke = subsetsOf(held).find((gone) =>
      accessStates.every(({ assignments, requested }) => isClean(index, without(assignments, gone), requested)),
    );
    expect(remediate(index, ...accessStates), `seed ${seed}`).toEqual({
      drop: { accessRefs: drop, optimal: true },
      revoke: revoke === undefined ? null : { assignments: revoke, optimal: true },
    });
    if ((drop?.length ?? 0) > 1) seen.both++;
    if (revoke === undefined) seen.hopeless++;
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(coverage(WORLDS / 600));
});

describe('with more candidates than are tried in all ways', () => {
  const ids = Array.from({ length: 20 }, (_, at) => `e-${String(at).padStart(2, '0')}`);
  const index = compileSodIndex(
    ids.map((id, at) => policyOf(`p-${at}`, { left: [id], right: ['held'] })),
    catalogueOf({ entitlements: [...ids, 'held'], roles: { all: { accessProfiles: [], entitlements: ids } } }),
  );
  const held = [entitlement('held')];

  test('the sets found leave no violation, and all of their items are necessary', () => {
    const given = { assignments: held, requested: ids.map(entitlement) };
    expect(remediate(index, given)).toEqual({
      drop: { accessRefs: ids.map(entitlement), optimal: false },
      revoke: { assignments: held, optimal: true },
    });
  });

  test('a single sufficient item is known to be the smallest set', () => {
    const given = { assignments: ids.map(entitlement), requested: held };
    expect(remediate(index, given).drop).toEqual({ accessRefs: held, optimal: true });
    expect(remediate(index, given).revoke).toEqual({ assignments: ids.map(entitlement), optimal: false });
  });

  test('the necessary items among thousands are found with few attempts', () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `m-${String(at).padStart(4, '0')}`);
    const needed = ['m-0003', 'm-0999', 'm-1999'];
    // Without these three no violation is left: each of the others conflicts only with them.
    const wide = compileSodIndex(
      needed.map((id) => policyOf(`p-${id}`, { left: [id], right: many.filter((other) => !needed.includes(other)) })),
      catalogueOf({ entitlements: many }),
    );
    const { drop } = remediate(wide, { assignments: [], requested: many.map(entitlement) });
    expect(drop).toEqual({ accessRefs: needed.map(entitlement), optimal: false });
  });

  test('an assignment that is also requested is not revoked: the grant would restore it', () => {
    const apart = policyOf('p-apart', { left: ['a'], right: ['b'] });
    const also = compileSodIndex(
      [...ids.map((id, at) => policyOf(`p-${at}`, { left: [id], right: ['held'] })), apart],
      catalogueOf({ entitlements: [...ids, 'held', 'a', 'b'] }),
    );
    const requested = ['a', 'b', 'held'].map(entitlement);
    const given = { assignments: [...ids, 'a', 'b'].map(entitlement), requested };
    expect(remediate(also, given).revoke).toEqual({ assignments: ids.map(entitlement), optimal: false });
  });

  test('a requested bundle with all of these entitlements is dropped too', () => {
    const given = { assignments: held, requested: [...ids.map(entitlement), role('all')] };
    expect(remediate(index, given).drop.accessRefs).toHaveLength(21);
  });
});

test('over time, it is the smallest set that leaves no violation at any instant', () => {
  const seen = { dropped: 0, revoked: 0, hopeless: 0, several: 0, at: 0 };
  for (const seed of seeds(WORLDS / 2)) {
    const world = createRandomTimedWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    for (const { held, requested, at, now } of world.timedQuestions) {
      const nowMs = Date.parse(now);
      const isCleanThen = (assignments: readonly TimedAccessRef[], accessRefs: readonly TimedAccessRef[]) => {
        const prediction = predictionOf(index, expandAssignments(index, assignments), {
          accessRefs,
          at: at ?? null,
          nowMs,
        });
        return prediction.ok && prediction.value.violationContexts.length === 0;
      };
      const refs = sortedOnce(requested);
      const assigned = sortedOnce(held);
      const found = subsetsOf(refs).find((gone) => isCleanThen(held, without(requested, gone)));
      const revoke = subsetsOf(assigned).find((gone) => isCleanThen(without(held, gone), requested));
      const graph = { assignments: held, requested, roles: new Map(), accessProfiles: new Map() };
      expect(remediate(index, ...accessStatesOf(graph, { at, nowMs })), `seed ${seed}`).toEqual({
        drop: { accessRefs: found?.map(bare), optimal: true },
        revoke: revoke === undefined ? null : { assignments: revoke.map(bare), optimal: true },
      });
      if (found?.length) seen.dropped++;
      if (revoke?.length) seen.revoked++;
      if (revoke === undefined) seen.hopeless++;
      if ((found?.length ?? 0) > 1) seen.several++;
      if (at !== undefined && found?.length) seen.at++;
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(coverage(WORLDS / 600));
});
