import { deepStrictEqual } from 'node:assert/strict';
import { compileSodIndex } from '@access-admin/domain';
import { type Figure, figure, type SuiteResult, spreadText, type Table } from '../measure/report.ts';
import { measureInterleaved, ratioOf, spreadOf } from '../measure/rounds.ts';
import type { PredictEngine } from '../predict-engines/engine.ts';
import { editFigures, editTable, measureEdits } from '../predict-engines/measure-edits.ts';
import { createOwnEngine } from '../predict-engines/own-engine.ts';
import { createSqliteJoin } from '../predict-engines/sqlite-join.ts';
import { longestPieces, REQUESTS, type WorstRequest } from '../predict-engines/worst-request.ts';
import { createWorld } from '../world/create-world.ts';

const SEED = 20_261_121;
const QUESTIONS = 4096;
const ROUND_MS = 200;
const JOIN = 'SQLite, prepared join';
/** At 10,000 policies. */
const GOAL_TIMES_JOIN = 60;
const ROUNDS = 5;
const LARGEST_POLICIES = 10_000;
const GOAL_WORST_MS = 40;

/** By the number of policies: on how many questions both must agree before they are measured; at most half of them have violations. */
const SIZES = [
  { policies: 1_000, compared: 200 },
  { policies: 10_000, compared: 100 },
  { policies: 100_000, compared: 50 },
] as const;

interface Measured {
  readonly policies: number;
  readonly compared: Compared;
  /** Microseconds per prediction by engine, by round. */
  readonly micros: Readonly<Record<string, readonly number[]>>;
}

interface Compared {
  readonly questions: number;
  readonly violating: number;
  readonly rows: number;
}

/** Microseconds per prediction in one thread, by engine and number of policies, and the cost of a policy edit. */
export async function run(): Promise<SuiteResult> {
  const sizes: Measured[] = [];
  for (const size of SIZES) sizes.push(await measure(size));
  const edits = await measureEdits(SEED);
  const worst = measureWorst();
  return {
    name: 'predict',
    tables: [engineTable(sizes), equalityTable(sizes), editTable(edits)],
    figures: [...sizes.flatMap(figuresOf), ...worstFigures(worst), ...editFigures(edits)],
    raw: { seed: SEED, sizes, worst, edits },
  };
}

async function measure({ policies, compared }: (typeof SIZES)[number]): Promise<Measured> {
  const world = createWorld({ seed: SEED, entitlements: 50_000, policies, identities: 2_000, questions: QUESTIONS });
  const index = compileSodIndex(world.policies, world.catalogue);
  const own = createOwnEngine(world, index);
  const join = createSqliteJoin(world);
  const equality = compareAnswers(own, join, chooseQuestions(own, compared));
  const engines = [own, join];
  const micros = await measureInterleaved(
    engines.map(
      ({ answer }) =>
        (turn: number) =>
          answer(turn % QUESTIONS),
    ),
    ROUND_MS,
  );
  for (const engine of engines) engine.close();
  return {
    policies,
    compared: equality,
    micros: Object.fromEntries(engines.map(({ name }, at) => [name, micros[at] ?? []])),
  };
}

/** The longest piece of each of the worst requests, in milliseconds of CPU, by round. */
function measureWorst(): readonly WorstRequest[] {
  const longestOf = longestPieces(LARGEST_POLICIES);
  return REQUESTS.map((request) => ({ request, ms: Array.from({ length: ROUNDS }, () => longestOf(request)) }));
}

const worstFigures = (worst: readonly WorstRequest[]): readonly Figure[] =>
  worst.map(({ request, ms }) => ({
    name: `worst request, longest piece, ms of CPU, ${request}`,
    spread: spreadOf(ms),
    goal: GOAL_WORST_MS,
    less: true,
  }));

function chooseQuestions(own: PredictEngine, count: number): readonly number[] {
  const all = Array.from({ length: QUESTIONS }, (_, question) => question);
  const violating = all.filter((question) => own.rows(question).length > 0).slice(0, count / 2);
  const others = all.filter((question) => own.rows(question).length === 0);
  return [...violating, ...others.slice(0, count - violating.length)];
}

/** Throws unless both give the same answers. */
function compareAnswers(own: PredictEngine, join: PredictEngine, questions: readonly number[]): Compared {
  let rows = 0;
  let violating = 0;
  for (const question of questions) {
    const expected = own.rows(question);
    rows += expected.length;
    if (expected.length > 0) violating++;
    deepStrictEqual(join.rows(question), expected, `question ${question}`);
  }
  return { questions: questions.length, violating, rows };
}

function engineTable(sizes: readonly Measured[]): Table {
  const names = Object.keys(sizes[0]?.micros ?? {});
  return {
    header: [
      'µs per prediction, median of 5 (range), times ours',
      ...sizes.map(({ policies }) => `${policies.toLocaleString('en-US')} policies`),
    ],
    rows: names.map((name) => [name, ...sizes.map(({ micros }) => cellOf(micros[name], Object.values(micros)[0]))]),
  };
}

const cellOf = (micros: readonly number[] | undefined, own: readonly number[] = []): string =>
  micros === undefined
    ? 'left out: too slow'
    : `${spreadText(spreadOf(micros))}, ${figure(ratioOf(micros, own).median)}×`;

const equalityTable = (sizes: readonly Measured[]): Table => ({
  header: ['same answer by both', 'questions', 'with violations', 'conflicting items'],
  rows: sizes.map(({ policies, compared: { questions, violating, rows } }) => [
    `${policies.toLocaleString('en-US')} policies`,
    ...[questions, violating, rows].map((count) => count.toLocaleString('en-US')),
  ]),
});

function figuresOf({ policies, micros }: Measured): readonly Figure[] {
  const [own = []] = Object.values(micros);
  const size = `${policies.toLocaleString('en-US')} policies`;
  const spread = ratioOf(micros[JOIN] ?? [], own);
  return [
    { name: `times the prepared join, ${size}`, spread, ...(policies === 10_000 ? { goal: GOAL_TIMES_JOIN } : {}) },
  ];
}
