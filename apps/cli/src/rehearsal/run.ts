import type { Catalogue, TimedAccessRef } from '@access-admin/domain';
import { createEvaluator, type EvaluationTime, type Evaluator, UnknownAccess } from '../evaluation/evaluate.ts';
import type { ModelIdentity } from '../model/records.ts';
import type { PlacedTest } from '../rulebook/parse.ts';
import { accessRefOf } from '../rulebook/refs.ts';
import type { ResolvedPolicy } from '../rulebook/resolve.ts';

/** What tests are run on. */
export interface TestBed {
  readonly policies: readonly ResolvedPolicy[];
  readonly catalogue: Catalogue;
  /** The identities that tests name; null without a model. */
  readonly identities: ReadonlyMap<string, ModelIdentity> | null;
  readonly nowMs: number;
}

/** What a test asks. */
export interface TestQuestion {
  readonly held: readonly TimedAccessRef[];
  /** Null where nothing is requested: then what is held is examined. */
  readonly request: readonly TimedAccessRef[] | null;
  readonly time: EvaluationTime;
}

/** The ids of the policies that a test finds violated. */
export interface TestAnswer {
  /** By the request, or by what is held where there is none. */
  readonly violates: ReadonlySet<string>;
  /** By what is held. */
  readonly existing: ReadonlySet<string>;
}

/** A test that was run. */
export interface RunTest {
  readonly placed: PlacedTest;
  /** Null where the test could not be run. */
  readonly question: TestQuestion | null;
  readonly answer: TestAnswer;
  /** What differs from what is expected. */
  readonly failures: readonly string[];
}

const NOTHING: TestAnswer = { violates: new Set(), existing: new Set() };

/** Runs tests, each by itself. */
export function runTests(tests: readonly PlacedTest[], bed: TestBed): readonly RunTest[] {
  const evaluator = createEvaluator(
    bed.policies.map(({ policy }) => policy),
    bed.catalogue,
  );
  return tests.map((placed) => {
    const question = questionOf(placed, bed);
    if (typeof question === 'string') return { placed, question: null, answer: NOTHING, failures: [question] };
    try {
      const answer = ask(evaluator, question);
      return { placed, question, answer, failures: compare(placed, answer) };
    } catch (error) {
      if (!(error instanceof UnknownAccess)) throw error;
      return { placed, question: null, answer: NOTHING, failures: [error.message] };
    }
  });
}

/** Asks what a question finds violated. */
export function ask(evaluator: Evaluator, { held, request, time }: TestQuestion): TestAnswer {
  const ids = (violated: ReturnType<Evaluator['violatedBy']>) => new Set(violated.map(({ policy }) => policy.id));
  const existing = ids(evaluator.violatedBy(held, time));
  return { existing, violates: request === null ? existing : ids(evaluator.causedBy(held, request, time)) };
}

/** What differs between an answer and what a test expects. */
export function compare({ test }: PlacedTest, { violates, existing }: TestAnswer): readonly string[] {
  const { expect } = test;
  const failures: string[] = [];
  for (const [list, found] of [
    ['violates', violates],
    ['existing', existing],
  ] as const) {
    const expected = expect[list];
    if (expected !== undefined && found.symmetricDifference(new Set(expected)).size > 0)
      failures.push(`${list}: expected ${listed(expected)}, found ${listed(found)}`);
  }
  if (expect.clean !== undefined && expect.clean !== (violates.size === 0))
    failures.push(
      expect.clean ? `expected to be clean, found ${listed(violates)}` : 'expected a violation, found none',
    );
  return failures;
}

const listed = (ids: Iterable<string>): string => [...ids].sort().join(', ') || 'none';

function questionOf({ test }: PlacedTest, { catalogue, identities, nowMs }: TestBed): TestQuestion | string {
  const { given, request, at } = test;
  const held = heldBy(given, identities);
  if (typeof held === 'string') return held;
  const asked = request?.map(accessRefOf) ?? null;
  if (identities === null) {
    const bundle = [...held, ...(asked ?? [])].find(({ type }) => type !== 'ENTITLEMENT');
    if (bundle !== undefined) return `${bundle.type}:${bundle.id} needs a model: --model model.ndjson`;
  } else {
    const known = new Set(catalogue.entitlements.map(({ id }) => id));
    const missing = held.find(({ type, id }) => type === 'ENTITLEMENT' && !known.has(id));
    if (missing !== undefined) return `there is no ENTITLEMENT ${missing.id} in the model`;
  }
  return { held, request: asked, time: { nowMs, at: at ?? null } };
}

function heldBy(
  given: PlacedTest['test']['given'],
  identities: TestBed['identities'],
): readonly TimedAccessRef[] | string {
  if (given === undefined) return [];
  if (typeof given === 'object' && 'holds' in given) return given.holds.map(accessRefOf);
  const id = typeof given === 'string' ? given : given.identity;
  if (identities === null) return `the identity ${id} needs a model: --model model.ndjson`;
  return identities.get(id)?.access ?? `there is no identity ${id} in the model`;
}
