import { hash } from 'node:crypto';
import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  approvedTermsOf,
  compileSodIndex,
  conflictingItems as findConflictingItems,
  type HeldGraph,
  type SodPolicy,
  seeTerms,
} from '../src/index.ts';
import { contextsOf } from './entries.ts';
import { createRandomSodWorld } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import { predictTemporalByOracle } from './timed-oracle.ts';

const WORLDS = 5_000;

const conflictingItems = (
  policy: Pick<SodPolicy, 'state' | 'conflictingAccessCriteria'>,
  graph: HeldGraph,
  nowMs: number,
): readonly string[] => findConflictingItems(policy, { graph, nowMs });

const byId = <T extends { readonly id: string }>(all: readonly T[]) => new Map(all.map((one) => [one.id, one]));

test(`what is held violates what predict would say that granting it violates, in ${atDepth(WORLDS)} random worlds`, () => {
  const nothing = new Uint32Array();
  let violated = 0;
  for (const seed of seeds(WORLDS)) {
    const { policies, catalogue, questions } = createRandomSodWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    const graph = { roles: byId(catalogue.roles), accessProfiles: byId(catalogue.accessProfiles) };
    for (const { held } of questions) {
      const expected = contextsOf(index, nothing, held).map(({ policy }) => policy.id);
      const isInConflict = (policy: SodPolicy) =>
        conflictingItems(policy, { ...graph, assignments: held }, 0).length > 0;
      const found = policies.filter(isInConflict).map(({ id }) => id);
      violated += found.length;
      expect([seed, found.toSorted()]).toEqual([seed, expected.toSorted()]);
    }
  }
  expect(violated).toBeGreaterThan(coverage(WORLDS / 10));
});

test('the conflicting items of access with windows are those of a violation at any instant from now on', () => {
  let found = 0;
  for (const seed of seeds(500)) {
    const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
    const graph = { roles: byId(catalogue.roles), accessProfiles: byId(catalogue.accessProfiles) };
    for (const { held, now } of timedQuestions) {
      const question = { held: [], requested: held, now };
      const expected = predictTemporalByOracle({ policies, catalogue }, question).map((context) => {
        const { conflictingAccessCriteria: shown } = context;
        const sides = 'criteria' in shown ? shown.criteria : [shown.leftCriteria, shown.rightCriteria];
        const items = sides.flatMap(({ criteriaList }) => criteriaList.map(({ id }) => id));
        return [context.policy.id, [...new Set(items)].sort()] as const;
      });
      const given = policies
        .map(
          (policy) => [policy.id, conflictingItems(policy, { ...graph, assignments: held }, Date.parse(now))] as const,
        )
        .filter(([, items]) => items.length > 0);
      found += given.length;
      expect([seed, Object.fromEntries(given)]).toEqual([seed, Object.fromEntries(expected)]);
    }
  }
  expect(found).toBeGreaterThan(coverage(20));
});

const sha256 = (text: string) => hash('sha256', text);
const NO_NAMES: ReadonlyMap<string, string> = new Map();

test('the terms of an approval show what a prediction shows of the same violation, with or without windows', () => {
  let shown = 0;
  for (const seed of seeds(500)) {
    const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
    const graph = { roles: byId(catalogue.roles), accessProfiles: byId(catalogue.accessProfiles) };
    const names = new Map(catalogue.entitlements.map(({ id, name }) => [id, name]));
    for (const { held, now } of timedQuestions)
      for (const context of predictTemporalByOracle({ policies, catalogue }, { held: [], requested: held, now })) {
        const policy = policies.find(({ id }) => id === context.policy.id);
        if (policy === undefined) throw new Error('There is no such policy.');
        const items = conflictingItems(policy, { ...graph, assignments: held }, Date.parse(now));
        const terms = seeTerms(policy, { items, names }, sha256);
        shown += 1;
        // Whoever asks for an exception holds the items already.
        const existing = JSON.parse(
          JSON.stringify(context.conflictingAccessCriteria).replaceAll('"existing":false', '"existing":true'),
        );
        expect([seed, terms]).toEqual([
          seed,
          {
            policyName: policy.name,
            level: policy.level,
            conflictingAccessCriteria: existing,
            digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        ]);
      }
  }
  expect(shown).toBeGreaterThan(coverage(20));
});

test('the conflicting items of many windows take one look at each bundle', () => {
  const item = (id: string) => ({ type: 'ENTITLEMENT' as const, id, name: null });
  const side = (id: string) => ({ name: null, criteriaList: [item(id)] });
  const criteria = { leftCriteria: side('a'), rightCriteria: side('b') };
  const policy = { state: 'ENFORCED', conflictingAccessCriteria: criteria } as const;
  let looks = 0;
  const accessProfiles = new Map([['ap', { id: 'ap', name: 'All', entitlements: ['a', 'b', 'c'] }]]);
  const get = accessProfiles.get.bind(accessProfiles);
  accessProfiles.get = (id) => {
    looks += 1;
    return get(id);
  };
  const windows = Array.from({ length: 2_000 }, (_, at) => ({
    ...({ type: 'ACCESS_PROFILE', id: 'ap' } as const),
    start: new Date(2_000 * at).toISOString(),
    end: new Date(2_000 * at + 1_000).toISOString(),
  }));
  const graph = { assignments: windows, roles: new Map(), accessProfiles };
  expect(conflictingItems(policy, graph, 0)).toEqual(['a', 'b']);
  expect(conflictingItems(policy, graph, 4_000_000)).toEqual([]);
  expect(looks).toBe(2);
});

test('an approval is bound to the name, level and criteria of a policy, whatever the order and the names of items', () => {
  const { policies } = createRandomSodWorld(1);
  const [policy] = policies;
  if (policy === undefined) throw new Error('There is no policy.');
  const side = (name: string | null, ...items: readonly (readonly [id: string, name: string | null])[]) => ({
    name,
    criteriaList: items.map(([id, itemName]) => ({ type: 'ENTITLEMENT' as const, id, name: itemName })),
  });
  const given = {
    ...policy,
    conflictingAccessCriteria: {
      leftCriteria: side('left', ['e-1', null], ['e-2', null]),
      rightCriteria: side('right', ['e-3', null]),
    },
  };
  const withCriteria = (left: ReturnType<typeof side>, right: ReturnType<typeof side>) =>
    ({ ...given, conflictingAccessCriteria: { leftCriteria: left, rightCriteria: right } }) as const;
  const same = [
    { ...given, description: 'Other', tags: ['other'], correctionAdvice: 'Other' },
    withCriteria(side('left', ['e-2', 'Two'], ['e-1', 'One']), side('right', ['e-3', 'Three'])),
  ];
  const others = [
    { ...given, name: 'Other' },
    { ...given, level: given.level === 'LOW' ? ('HIGH' as const) : ('LOW' as const) },
    withCriteria(side('left', ['e-1', null]), side('right', ['e-3', null])),
    withCriteria(side('left', ['e-1', null]), side('right', ['e-2', null], ['e-3', null])),
    withCriteria(side(null, ['e-1', null], ['e-2', null]), side('right', ['e-3', null])),
    {
      ...given,
      conflictingAccessCriteria: { criteria: [side('left', ['e-1', null], ['e-2', null])], atLeast: 1 },
    },
  ];
  const digestOf = (one: Parameters<typeof seeTerms>[0], ...items: readonly string[]) =>
    seeTerms(one, { items, names: NO_NAMES }, sha256).digest;
  for (const one of same) {
    expect(approvedTermsOf(one)).toBe(approvedTermsOf(given));
    expect(digestOf(one, 'e-1', 'e-3')).toBe(digestOf(given, 'e-1', 'e-3'));
  }
  for (const one of others) {
    expect(approvedTermsOf(one)).not.toBe(approvedTermsOf(given));
    expect(digestOf(one, 'e-1', 'e-3')).not.toBe(digestOf(given, 'e-1', 'e-3'));
  }
  for (const items of [['e-1'], ['e-2', 'e-3'], ['e-1', 'e-2', 'e-3'], []])
    expect(digestOf(given, ...items)).not.toBe(digestOf(given, 'e-1', 'e-3'));
  // Anybody can compute it.
  const canonical =
    '{"conflictingItems":["e-1","e-3"],"criteria":{"atLeast":2,"sides":[{"items":["e-1","e-2"],"name":"left"},{"items":["e-3"],"name":"right"}]},"level":"HIGH","name":"Pay"}';
  expect(digestOf({ ...given, name: 'Pay', level: 'HIGH' }, 'e-1', 'e-3')).toBe(sha256(canonical));
});
