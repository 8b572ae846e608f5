import { expect, test } from 'vitest';
import type { TimedAccessRef } from '../../access/model/records.ts';
import type { EvaluatedPolicy } from '../../policies/model.ts';
import { compileSodIndex, type SodIndex } from '../rulebook/sod-index.ts';
import { expandAssignments } from './access.ts';
import { settleQuestion } from './question.ts';
import { shownItems } from './shown-items.ts';
import { findViolations, type Violation } from './violations.ts';

const ITEMS = 100;
const POLICIES = 100;

const itemOf = (number: number) => ({ type: 'ENTITLEMENT' as const, id: `e-${String(number).padStart(4, '0')}` });
const sideOf = (from: number, count: number) => ({
  name: null,
  criteriaList: Array.from({ length: count }, (_, at) => itemOf(from + at)),
});

/** Each policy has one item of its own on the left side, and the same many on the right one. */
const index = compileSodIndex(
  Array.from({ length: POLICIES }, (_, at): EvaluatedPolicy => {
    const id = `p-${String(at).padStart(3, '0')}`;
    const criteria = { leftCriteria: sideOf(ITEMS + at, 1), rightCriteria: sideOf(0, ITEMS) };
    return { id, name: id, state: 'ENFORCED', level: 'HIGH', conflictingAccessCriteria: criteria };
  }),
  {
    entitlements: Array.from({ length: ITEMS + POLICIES }, (_, at) => ({ ...itemOf(at), name: '', source: null })),
    accessProfiles: [],
    roles: [],
  },
);

function find(held: readonly TimedAccessRef[], accessRefs: readonly TimedAccessRef[]): Iterable<Violation | null> {
  const question = settleQuestion(index, expandAssignments(index, held), { accessRefs, nowMs: 0 });
  if (!question.ok) throw new Error(question.failure.type);
  return findViolations(index, question.value, { shownMax: POLICIES, keepsRuns: false }).violations;
}

const textOf = (of: SodIndex, violation: Violation): string =>
  `${violation.preexisting} ${shownItems(of, violation)
    .flat()
    .map(({ item, existing }) => `${item.id} ${existing}`)}`;

const ofLeft = Array.from({ length: POLICIES }, (_, at) => itemOf(ITEMS + at));

test('other searches between two violations change neither', () => {
  const found = Array.from(find(ofLeft, [itemOf(1)]), (violation) => {
    // Marks of searches are used again after 127 of them.
    for (let search = 0; search < 5; search++) find([itemOf(3)], [itemOf(4), ...ofLeft.slice(7)]);
    return violation === null ? '' : textOf(index, violation);
  });
  expect(found).toEqual(ofLeft.map(({ id }) => `false ${id} true,e-0001 false`));
});

test('a policy whose items come and go in thousands of windows is found in several pieces', () => {
  const windowed = (at: number) => ({
    ...itemOf(at % ITEMS),
    start: new Date(1 + at).toISOString(),
    end: new Date(100_000 + at).toISOString(),
  });
  const requested = Array.from({ length: 500 }, (_, at) => windowed(at));
  const pieces = [...find([...ofLeft, ...Array.from({ length: 1_000 }, (_, at) => windowed(500 + at))], requested)];
  const violations = pieces.filter((violation) => violation !== null);
  expect(violations.map(({ policy }) => policy)).toEqual(ofLeft.map((_, at) => at));
  expect(pieces.indexOf(violations[0] ?? null)).toBeGreaterThan(1);
});
