import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  type AccessPath,
  type AccessRef,
  type Catalogue,
  compileSodIndex,
  expandAccess,
  type NamedAccessRef,
} from '../src/index.ts';
import { gatherOrigins } from '../src/predictions/path-origins.ts';
import { ACCESS_PATHS_MAX, type AccessGraph, linkAccess } from '../src/predictions/reasons.ts';
import { always, concludeCheck, explainedText } from './entries.ts';
import { createRandomSodWorld, type RandomSodWorld } from './random-sod-world.ts';

const WORLDS = 20_000;

type Question = RandomSodWorld['questions'][number];

function explainAccess(graph: AccessGraph, entitlements: ReadonlySet<string>) {
  const reasonFor = linkAccess(graph, gatherOrigins(graph, new Float64Array()), entitlements);
  return (id: string) => reasonFor(id, null);
}

/** Every path to every entitlement, found by walking down from each ref; shares no code with the function that it tests. */
function walkAll(catalogue: Catalogue, { held, requested }: Question): ReadonlyMap<string, readonly AccessPath[]> {
  const found = new Map<string, Map<string, AccessPath>>();
  const walk = (source: AccessPath['source'], { type, id }: AccessRef, path: readonly NamedAccessRef[]) => {
    if (type === 'ENTITLEMENT') {
      const paths = found.get(id) ?? new Map();
      found.set(id, paths.set(JSON.stringify([source, path]), { source, path }));
      return;
    }
    const role = type === 'ROLE' ? catalogue.roles.find((candidate) => candidate.id === id) : undefined;
    const bundle = role ?? catalogue.accessProfiles.find((candidate) => candidate.id === id);
    if (bundle === undefined) return;
    const further = [...path, { type, id, name: bundle.name }];
    for (const entitlement of bundle.entitlements) walk(source, { type: 'ENTITLEMENT', id: entitlement }, further);
    for (const profile of role?.accessProfiles ?? []) walk(source, { type: 'ACCESS_PROFILE', id: profile }, further);
  };
  for (const ref of held) walk('ASSIGNED', ref, []);
  for (const ref of requested) walk('REQUESTED', ref, []);
  return new Map([...found].map(([id, paths]) => [id, [...paths.values()].sort(inOrder)]));
}

// A length, ids and the rest as one text whose code units are in the promised order: no id has a space or what is below it.
const orderOf = ({ source, path }: AccessPath): string =>
  `${path.length} ${path.map(({ id }) => `${id}\0`).join('')} ${source} ${path.map(({ type }) => type).join(' ')}`;

const inOrder = (a: AccessPath, b: AccessPath) => (orderOf(a) < orderOf(b) ? -1 : 1);

const byId = <T extends { readonly id: string }>(records: readonly T[]) =>
  new Map(records.map((record) => [record.id, record]));

const graphOf = ({ catalogue }: RandomSodWorld, { held, requested }: Question) => ({
  assignments: held,
  requested,
  roles: byId(catalogue.roles),
  accessProfiles: byId(catalogue.accessProfiles),
});

test(`explains the access of ${atDepth(WORLDS)} random worlds as a walk of every path does`, () => {
  const lengths = new Set<number>();
  for (const seed of seeds(WORLDS)) {
    const world = createRandomSodWorld(seed);
    const wanted = new Set(world.catalogue.entitlements.map(({ id }) => id));
    for (const question of world.questions) {
      const reasonFor = explainAccess(graphOf(world, question), wanted);
      const all = walkAll(world.catalogue, question);
      for (const id of wanted) {
        const paths = all.get(id) ?? [];
        for (const { path } of paths) lengths.add(path.length);
        const via = paths.slice(0, ACCESS_PATHS_MAX);
        const expected = { via, viaMore: paths.length - via.length };
        const reason = reasonFor(id);
        if (JSON.stringify(reason) !== JSON.stringify(expected)) expect(reason, `seed ${seed} ${id}`).toEqual(expected);
      }
    }
  }
  expect([...lengths].sort()).toEqual([0, 1, 2]);
});

test('of many paths shows the first ones and counts the rest, for any order of the bundles', () => {
  let left = 0;
  for (const seed of seeds(200)) {
    const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at * seed}`);
    const accessProfiles = ids('a', 1 + (seed % 13)).map((id) => ({ id, name: `The ${id}`, entitlements: ['e'] }));
    const roles = ids('r', seed % 17).map((id, at) => ({
      id,
      name: `The ${id}`,
      accessProfiles: accessProfiles.slice(at % 5).map((profile) => profile.id),
      entitlements: at % 3 === 0 ? ['e', 'e'] : [],
    }));
    const refs: AccessRef[] = [
      ...roles.map(({ id }) => ({ type: 'ROLE' as const, id })),
      ...accessProfiles.slice(seed % 4).map(({ id }) => ({ type: 'ACCESS_PROFILE' as const, id })),
    ];
    const question = { held: refs.toReversed(), requested: refs.slice(seed % 7) };
    const catalogue = { entitlements: [{ id: 'e', name: 'e', source: null }], accessProfiles, roles };
    const world = { policies: [], catalogue, questions: [question] };
    const paths = walkAll(catalogue, question).get('e') ?? [];
    const { via, viaMore } = explainAccess(graphOf(world, question), new Set(['e']))('e');
    expect([via, via.length + viaMore], `seed ${seed}`).toEqual([paths.slice(0, ACCESS_PATHS_MAX), paths.length]);
    left += viaMore;
  }
  expect(left).toBeGreaterThan(coverage(1_000));
});

test('predictions are those of checks, every item with a reason', () => {
  let items = 0;
  for (const seed of seeds(5_000)) {
    const world = createRandomSodWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    const advice = new Map(world.policies.map(({ id }) => [id, { correctionAdvice: id, compensatingControls: null }]));
    for (const question of world.questions) {
      const held = expandAccess(index, question.held).entitlements;
      const check = { identityId: 'i-1', accessRefs: question.requested, clientMetadata: null };
      const explanation = { ...graphOf(world, question), advice };
      const { violationContexts } = concludeCheck({ index, held, check, explanation }).result;
      const request = { accessRefs: question.requested, nowMs: 0, explanation };
      const prediction = explainedText(index, always(held), request);
      if (!prediction.ok) throw new Error(`seed ${seed} is refused`);
      const text = prediction.value;
      if (text !== JSON.stringify({ violationContexts }))
        expect(JSON.parse(text), `seed ${seed}`).toEqual({ violationContexts });
      for (const { policy, correctionAdvice, conflictingAccessCriteria: conflict } of violationContexts) {
        expect(correctionAdvice).toBe(policy.id);
        const sides = 'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
        for (const { existing, via = [] } of sides.flatMap(({ criteriaList }) => criteriaList)) {
          items++;
          expect(via.some(({ source }) => source === 'ASSIGNED') || !existing).toBe(true);
          expect(via.length).toBeGreaterThan(0);
        }
      }
    }
  }
  expect(items).toBeGreaterThan(coverage(5_000));
});
