import { coverage, runs } from '@access-admin/test-depth';
import { array, assert, integer, oneof, property, record, subarray, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Catalogue,
  compileLintRulebook,
  firstFindings,
  IMPORT_WARNINGS_MAX,
  type LintFocus,
  type LintRequest,
  type LintRulebook,
  lintInFocus,
  lintPolicies,
  type PolicyFinding,
  type SodPolicy,
  sidesOf,
} from '../src/index.ts';
import { cataloguesOf, criticalAccessOf, kOfNOf, policiesOf, twoSidedOf } from './lint-arbitraries.ts';
import { catalogueOf, policyOf } from './sod-world.ts';

const ITEMS = ['a', 'B', '_', '10', '9', 'z'];
const POLICIES = ['p', 'P', 'p-1', '1', 'q', 'r', 's'];
const PROFILES = ['ap', 'AP'];
const ROLES = ['r', 'R', 'none'];

const twoSided = twoSidedOf(ITEMS);
const kOfN = kOfNOf(ITEMS);
const criticalAccess = criticalAccessOf(ITEMS);
const policies = policiesOf(POLICIES, oneof(twoSided, kOfN, criticalAccess));
const catalogues = cataloguesOf(ITEMS);
const some = (ids: readonly string[]) => subarray([...ids], { maxLength: 2 }).map((drawn) => new Set(drawn));
const focuses = record({
  policies: some(POLICIES),
  accessProfiles: some(PROFILES),
  roles: some(ROLES),
  deletedEntitlements: some(ITEMS),
});

const isNever = () => false;

/** The findings that an import reports. */
const lintWithin = (rulebook: LintRulebook, request: LintRequest) =>
  firstFindings([...lintInFocus(rulebook, request)].flat());

/** A direct reading of what concerns a focus. */
function isInFocus(finding: PolicyFinding, focus: LintFocus, world: readonly [readonly SodPolicy[], Catalogue]) {
  const { code, policyId, ref, related } = finding;
  const [given, catalogue] = world;
  if (focus.policies.has(policyId) || related.some(({ id }) => focus.policies.has(id))) return true;
  if (ref?.type === 'ENTITLEMENT') return code === 'DELETED_ITEM' && focus.deletedEntitlements.has(ref.id);
  if (ref?.type === 'ACCESS_PROFILE') return focus.accessProfiles.has(ref.id);
  if (ref?.type === 'ROLE') {
    const profiles = catalogue.roles.find(({ id }) => id === ref.id)?.accessProfiles ?? [];
    return focus.roles.has(ref.id) || profiles.some((id) => focus.accessProfiles.has(id));
  }
  if (code !== 'UNMATCHABLE_POLICY') return false;
  const criteria = given.find(({ id }) => id === policyId)?.conflictingAccessCriteria;
  const living = new Set(catalogue.entitlements.map(({ id }) => id));
  return (criteria === undefined ? [] : sidesOf(criteria)).some(({ criteriaList }) =>
    criteriaList.some(({ id }) => focus.deletedEntitlements.has(id) && !living.has(id)),
  );
}

test('the focused findings are the findings of the whole lint that concern the focus', () => {
  const codes = new Map<string, number>();
  let passedOver = 0;
  assert(
    property(policies, catalogues, focuses, (given, catalogue, focus) => {
      const rulebook = compileLintRulebook(given, catalogue);
      const all = [...lintPolicies(rulebook)].flat();
      const expected = all.filter((finding) => isInFocus(finding, focus, [given, catalogue]));
      for (const { code } of expected) codes.set(code, (codes.get(code) ?? 0) + 1);
      passedOver += all.length - expected.length;
      expect(lintWithin(rulebook, { focus, isSpent: isNever })).toEqual(expected);
    }),
    runs(6_000),
  );
  expect(codes.size).toBeGreaterThan(coverage(6));
  // The rarest code is expected about 54 times at full depth, with a standard deviation of 7.
  expect(Math.min(...codes.values())).toBeGreaterThan(coverage(10));
  expect(passedOver).toBeGreaterThan(coverage(1_000));
});

/** Many policies over few items, so that most have broader or narrower ones. */
const crowds = array(oneof(twoSided, kOfN), { minLength: 20, maxLength: 60 }).map((makes) =>
  makes.map((make, at) => make(`p-${at}`, {})),
);
/** Sides with many rare items, so that most policies can be skipped. */
const wide = uniqueArray(integer({ min: 0, max: 39 }), { minLength: 3, maxLength: 9 }).map((items) =>
  items.map(String),
);
const nested = array(wide, { minLength: 2, maxLength: 6 }).chain((wides) =>
  array(
    record({
      of: integer({ min: 0, max: wides.length - 1 }),
      dropped: integer({ min: 0, max: 2 }),
      cut: integer({ min: 1, max: 2 }),
    }),
    {
      minLength: 10,
      maxLength: 60,
    },
  ).map((drawn) =>
    drawn.map(({ of, dropped, cut }, at) => {
      const [first = '', ...items] = (wides[of] ?? []).slice(0, -dropped || undefined);
      const all = [first, ...items, ...(items.length < cut ? ['x', 'y'] : [])];
      return policyOf(`p-${at}`, { left: all.slice(0, cut), right: all.slice(cut) });
    }),
  ),
);

test.each([
  ['similar', crowds],
  ['nested', nested],
])('among many %s policies the focused findings are the same', (_, many) => {
  const catalogue = catalogueOf({ entitlements: ITEMS });
  const none = new Set<string>();
  let told = 0;
  assert(
    property(many, array(integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 20 }), (given, drawn) => {
      const rulebook = compileLintRulebook(given, catalogue);
      const named = new Set(drawn.map((at) => `p-${at}`));
      const focus = { policies: named, accessProfiles: none, roles: none, deletedEntitlements: none };
      const compared = ({ code }: PolicyFinding) => code === 'DUPLICATE_POLICY' || code === 'SUBSUMED_POLICY';
      const all = [...lintPolicies(rulebook)].flat();
      const expected = all.filter((one) => isInFocus(one, focus, [given, catalogue])).slice(0, IMPORT_WARNINGS_MAX);
      const found = lintWithin(rulebook, { focus, isSpent: isNever });
      told += found.filter(compared).length;
      expect(found).toEqual(expected);
    }),
    runs(400),
  );
  expect(told).toBeGreaterThan(coverage(1_000));
});

test('when time is short, comparisons are left out first, and all findings are those of the whole lint', () => {
  const given = ['a', 'b', 'c'].flatMap((id) => [
    policyOf(`p-${id}`, { left: [id], right: ['x'] }),
    policyOf(`q-${id}`, { left: [id], right: ['x', 'y'] }),
  ]);
  const rulebook = compileLintRulebook(given, catalogueOf({ entitlements: ['a', 'b', 'c'] }));
  const none = new Set<string>();
  const policies = new Set(given.map(({ id }) => id));
  const focus = { policies, accessProfiles: none, roles: none, deletedEntitlements: none };
  const within = (looksMax: number) => {
    let looks = 0;
    const found = lintWithin(rulebook, { focus, isSpent: () => looks++ >= looksMax });
    return { found, looks };
  };
  const all = [...lintPolicies(rulebook)].flat();
  const { found, looks } = within(Number.POSITIVE_INFINITY);
  expect(found).toEqual(all);
  const counts = Array.from({ length: looks }, (_, looksMax) => {
    const some = within(looksMax).found;
    expect(all.filter((one) => some.some(({ text }) => text === one.text))).toEqual(some);
    return ['DELETED_ITEM', 'UNMATCHABLE_POLICY', 'SUBSUMED_POLICY'].map(
      (code) => some.filter((one) => one.code === code).length,
    );
  });
  // 9 items, 6 unmatchable policies and 3 subsumed ones.
  expect(counts[0]).toEqual([9, 1, 0]);
  expect(counts).toContainEqual([9, 6, 0]);
  expect(counts).toContainEqual([9, 6, 1]);
  expect(counts.every(([, dead, narrow]) => dead === 6 || narrow === 0)).toBe(true);
});
