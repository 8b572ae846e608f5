import { expect, test } from 'vitest';
import {
  CHECK_CONTEXTS_MAX,
  CHECK_RESULT_BYTES_MAX,
  compileSodIndex,
  EVENT_CONTEXTS_MAX,
  expandAssignments,
  type SodCheckResult,
  type SodInclude,
  type TimedAccessRef,
} from '../src/index.ts';
import { concludeCheckAsText } from './entries.ts';
import { catalogueOf, policyOf } from './sod-world.ts';

const byId = <T extends { readonly id: string }>(records: readonly T[]) =>
  new Map(records.map((record) => [record.id, record]));

/** So many policies, each with items of its own on both sides, and roles of which each has all of these items. */
function createWorld({ policies, items, roles }: { policies: number; items: number; roles: number }) {
  const itemsOf = (policy: number, side: string) =>
    Array.from({ length: items }, (_, at) => `entitlement-${policy}-${side}-${at}`);
  const numbers = Array.from({ length: policies }, (_, policy) => policy);
  const entitlements = numbers.flatMap((policy) => [...itemsOf(policy, 'a'), ...itemsOf(policy, 'b')]);
  const catalogue = catalogueOf({
    entitlements,
    accessProfiles: { all: entitlements },
    roles: Object.fromEntries(
      Array.from({ length: roles }, (_, at) => [`role-${at}-${'r'.repeat(100)}`, { accessProfiles: ['all'] }]),
    ),
  });
  const index = compileSodIndex(
    numbers.map((policy) => policyOf(`policy-${policy}`, { left: itemsOf(policy, 'a'), right: itemsOf(policy, 'b') })),
    catalogue,
  );
  return { index, catalogue };
}

/** Concludes a check. */
function conclude(
  { index, catalogue }: ReturnType<typeof createWorld>,
  { assignments, requested }: Readonly<Record<'assignments' | 'requested', readonly TimedAccessRef[]>>,
  includes: readonly SodInclude[],
) {
  const check = { identityId: 'i-1', accessRefs: requested, clientMetadata: null };
  const graph = { roles: byId(catalogue.roles), accessProfiles: byId(catalogue.accessProfiles), advice: new Map() };
  const explanation = includes.length === 0 ? {} : { explanation: { assignments, requested, ...graph } };
  const holder = expandAssignments(index, assignments);
  const outcome = concludeCheckAsText({ index, ...holder, check, includes, ...explanation });
  return { outcome, result: JSON.parse(outcome.result) as SodCheckResult };
}

const rolesOf = ({ catalogue }: ReturnType<typeof createWorld>): TimedAccessRef[] =>
  catalogue.roles.map(({ id }) => ({ type: 'ROLE', id }));

test('a check of a few hundred bytes whose reasons would take hundreds of megabytes has a result of 16 MiB', () => {
  const world = createWorld({ policies: 8_500, items: 10, roles: 20 });
  const requested = rolesOf(world);
  const { outcome, result } = conclude(world, { assignments: [], requested }, ['via']);
  expect(outcome.state).toBe('SUCCESS');
  expect(Buffer.byteLength(outcome.result)).toBeLessThanOrEqual(CHECK_RESULT_BYTES_MAX);
  expect(Buffer.byteLength(outcome.result)).toBeGreaterThan(CHECK_RESULT_BYTES_MAX * 0.98);
  expect([result.violationCount, result.violatedPolicies.length]).toEqual([8_500, 8_500]);
  expect(result.omitted).toBe(8_500 - result.violationContexts.length);
  expect(result.violationContexts.length).toBeGreaterThan(100);
});

test.each([0, 1])('a result shows at most 10,000 contexts: %i more are omitted', (more) => {
  const world = createWorld({ policies: CHECK_CONTEXTS_MAX + more, items: 1, roles: 1 });
  const { outcome, result } = conclude(world, { assignments: [], requested: rolesOf(world) }, []);
  const { violationContexts, violatedPolicies, ...counts } = JSON.parse(outcome.eventResult ?? '');
  expect([violationContexts, violatedPolicies]).toEqual([
    result.violationContexts.slice(0, EVENT_CONTEXTS_MAX),
    result.violatedPolicies,
  ]);
  expect(counts).toMatchObject({ violationCount: CHECK_CONTEXTS_MAX + more, omitted: CHECK_CONTEXTS_MAX + more - 100 });
  expect(result).toMatchObject({ violationCount: CHECK_CONTEXTS_MAX + more, omitted: more });
  expect([result.violationContexts.length, result.violatedPolicies.length]).toEqual([10_000, 10_000 + more]);
});

const day = (number: number) => new Date(number * 86_400_000).toISOString();

test('without include 500 windows of violations of large policies are all found', () => {
  const world = createWorld({ policies: 2_000, items: 50, roles: 2 });
  const [first, second] = rolesOf(world);
  if (first === undefined || second === undefined) throw new Error('no roles');
  const windows = (ref: TimedAccessRef, count: number, later: number) =>
    Array.from({ length: count }, (_, at) => ({ ...ref, start: day(at * 2 + later), end: day(at * 2 + later + 1) }));
  const access = { assignments: windows(second, 1_000, 1), requested: windows(first, 500, 1.5) };
  const { result } = conclude(world, access, []);
  expect(result.violationCount).toBe(2_000);
});
