import {
  compileSodIndex,
  expandAssignments,
  type SodInclude,
  type SodPolicy,
  type TimedAccessRef,
} from '@access-admin/domain';
import type { SodReading } from '@access-admin/rulebook-cache';
import { expect, test } from 'vitest';
import { MemoryExceeded } from '../../event-loop/memory-exceeded.ts';
import { createPace } from '../../event-loop/pace.ts';
import { createSharedRoom } from '../../rooms/shared-room.ts';
import { explainInPlace, predictionText, writeInPlace } from './predict.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const day = (number: number) => new Date(NOW.getTime() + number * 86_400_000).toISOString();

const entitlement = (id: string): TimedAccessRef => ({ type: 'ENTITLEMENT', id });
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);
const sideOf = (ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id, name: null })),
});

const policyOf = (id: string, left: readonly string[], right: readonly string[]): SodPolicy => ({
  id,
  name: id,
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  tags: [],
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  ownerRef: null,
  created: day(-1),
  modified: day(-1),
  conflictingAccessCriteria: { leftCriteria: sideOf(left), rightCriteria: sideOf(right) },
});

interface World {
  readonly policies: readonly SodPolicy[];
  readonly roles?: readonly { readonly id: string; readonly entitlements: readonly string[] }[];
  readonly assignments: readonly TimedAccessRef[];
  /** The try at which the explanation is as of the same instant as the reading. */
  readonly tries?: number;
}

function openWorld({ policies, roles: few = [], assignments, tries = 1 }: World) {
  const ids = new Set(
    policies.flatMap(({ conflictingAccessCriteria: criteria }) =>
      'leftCriteria' in criteria
        ? [criteria.leftCriteria, criteria.rightCriteria].flatMap((side) => side.criteriaList.map(({ id }) => id))
        : [],
    ),
  );
  const roles = few.map((role) => ({ ...role, name: role.id, accessProfiles: [] }));
  const entitlements = [...ids].map((id) => ({ id, name: id, source: null }));
  const index = compileSodIndex(policies, { entitlements, accessProfiles: [], roles });
  const reading: SodReading = {
    index,
    exceptions: null,
    policySetVersion: 1,
    changeId: null,
    revision: null,
    ...expandAssignments(index, assignments),
  };
  const seen = { turns: 0, tries: 0 };
  const turn = async () => {
    seen.turns += 1;
  };
  const pace = createPace({ turn, elapsed: () => 0, workMsMax: 1 });
  const { signal: left } = new AbortController();
  const explaining = createSharedRoom({ size: 4, waitingMax: 0, waitMsMax: 1, elapsed: () => 0 });
  const placed = { job: { ...pace.begin('acme', left), left }, place: explaining.open('acme') };
  const rolesById = new Map(roles.map((role) => [role.id, role]));
  const ask = (accessRefs: readonly TimedAccessRef[], includes: readonly SodInclude[]) => {
    const readExplanation = async () => {
      seen.tries += 1;
      if (seen.tries < tries) return null;
      return { assignments, requested: accessRefs, roles: rolesById, accessProfiles: new Map(), advice: new Map() };
    };
    const deps = { reader: { read: () => reading }, sod: { readExplanation }, explaining, pace, now: () => NOW };
    const asked = { ...placed, includes };
    return explainInPlace(deps, asked, { identityId: 'i', accessRefs, clientMetadata: null });
  };
  return { ask, seen, reading, pace, placed };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const windows = (ref: TimedAccessRef, count: number): readonly TimedAccessRef[] =>
  Array.from({ length: count }, (_, at) => ({ ...ref, start: day(at * 2 + 1), end: day(at * 2 + 2) }));

const TOO_MUCH = { ok: false, failure: { type: 'LimitExceeded' } };

test('an explained prediction that is tried again counts the memory of its last try alone', async () => {
  const policies = idsOf('p', 3_000).map((id) => policyOf(id, ['a'], ['b']));
  const { ask, seen } = openWorld({ policies, assignments: windows(entitlement('a'), 31), tries: 12 });
  expect(await ask([entitlement('b')], ['via'])).toMatchObject({ ok: true });
  expect(seen.tries).toBe(12);
});

/** Policies with few reasons, and then one whose items each have as many reasons as there are roles. */
function withManyReasons(fewCount: number, roleCount: number): World {
  const many = idsOf('many', 100);
  const few = idsOf('few', fewCount);
  const roles = idsOf('role', roleCount).map((id) => ({ id, entitlements: many }));
  return {
    policies: [...few.map((id) => policyOf(id, [id], ['b'])), policyOf('many', many, ['b'])],
    roles: [...roles, { id: 'few', entitlements: few }],
    assignments: [...roles, { id: 'few' }].map(({ id }) => ({ type: 'ROLE', id })),
  };
}
const REQUESTED = [entitlement('b')];

test('an explained prediction whose first reasons take too much memory is refused, without a turn for each of them', async () => {
  const { ask, seen } = openWorld(withManyReasons(0, 11_000));
  const answer = await ask(REQUESTED, ['via']);
  expect(answer).toMatchObject(TOO_MUCH);
  expect(JSON.stringify(answer)).toContain('drop via, or request less at a time');
  expect(seen.turns).toBeLessThan(5_000);
});

test('an explained prediction whose later reasons take too much memory ends', async () => {
  const { ask, seen } = openWorld(withManyReasons(1_000, 11_000));
  const answer = await ask(REQUESTED, ['via']);
  if (!answer.ok) throw new Error('refused');
  await expect(textOf(answer.value)).rejects.toBeInstanceOf(MemoryExceeded);
  expect(seen.turns).toBeLessThan(5_000);
});

test('a plain prediction over time whose violations take too much memory is refused', async () => {
  const policies = idsOf('p', 132_000).map((id) => policyOf(id, ['a'], ['b']));
  const { reading, pace, placed } = openWorld({ policies, assignments: windows(entitlement('a'), 1) });
  const question = { identityId: 'i', accessRefs: [entitlement('b')], clientMetadata: null };
  const text = predictionText(reading, question, NOW);
  if (!text.ok || typeof text.value === 'string') throw new Error('not in steps');
  const answer = await writeInPlace(pace, placed, text.value);
  expect(answer).toMatchObject(TOO_MUCH);
  expect(JSON.stringify(answer)).toContain('"at":"accessRefs"');
});
