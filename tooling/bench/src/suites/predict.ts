import { deepStrictEqual } from 'node:assert/strict';
import { type Figure, figure, type SuiteResult, spreadText, type Table } from '../measure/report.ts';
import { measureInterleaved, ratioOf, spreadOf } from '../measure/rounds.ts';
import { createCasbin } from '../predict-engines/casbin.ts';
import { createCedar } from '../predict-engines/cedar.ts';
import type { PredictEngine, RulesEngine } from '../predict-engines/engine.ts';
import { createJsonRules } from '../predict-engines/json-rules.ts';
import { editFigures, editTable, measureEdits } from '../predict-engines/measure-edits.ts';
import { createNaiveScan } from '../predict-engines/naive-scan.ts';
import { createOwnEngine } from '../predict-engines/own-engine.ts';
import { createSqliteJoin } from '../predict-engines/sqlite-join.ts';
import { createSqliteSemiJoin } from '../predict-engines/sqlite-semi-join.ts';
import { createWorld, type World } from '../world/create-world.ts';

const SEED = 20_261_121;
const QUESTIONS = 4096;
const ROUND_MS = 200;
const JOIN = 'SQLite, prepared join';
const GOAL_TIMES_JOIN = 100;

interface Size {
  readonly policies: number;
  readonly rulesEngines: readonly ((world: World) => Promise<RulesEngine>)[];
  /** Number of questions on which all engines must agree before they are measured; at most half of them have violations. */
  readonly compared: number;
}

// A rules engine checks every policy, so that its time and its set-up grow with their number.
const SIZES: readonly Size[] = [
  { policies: 100, rulesEngines: [createCedar, createJsonRules, createCasbin], compared: 1000 },
  { policies: 1_000, rulesEngines: [createCedar, createJsonRules, createCasbin], compared: 200 },
  { policies: 10_000, rulesEngines: [createCedar], compared: 100 },
  { policies: 100_000, rulesEngines: [], compared: 50 },
];

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
  return {
    name: 'predict',
    tables: [engineTable(sizes), equalityTable(sizes), editTable(edits)],
    figures: [...sizes.flatMap(figuresOf), ...editFigures(edits)],
    raw: { seed: SEED, sizes, edits },
  };
}

async function measure({ policies, rulesEngines, compared }: Size): Promise<Measured> {
  const world = createWorld({ seed: SEED, entitlements: 50_000, policies, identities: 2_000, questions: QUESTIONS });
  const own = createOwnEngine(world);
  const others = [createSqliteJoin, createSqliteSemiJoin, createNaiveScan].map((create) => create(world));
  const rules: RulesEngine[] = [];
  for (const create of rulesEngines) rules.push(await create(world));
  const questions = chooseQuestions(own, compared);
  const equality = await compareAnswers({ own, others, rules }, questions);
  const engines = [own, ...others, ...rules];
  const micros = await measureInterleaved(
    engines.map(
      ({ answer }) =>
        (turn: number) =>
          answer(turn % QUESTIONS),
    ),
    ROUND_MS,
  );
  for (const engine of [own, ...others]) engine.close();
  return {
    policies,
    compared: equality,
    micros: Object.fromEntries(engines.map(({ name }, at) => [name, micros[at] ?? []])),
  };
}

function chooseQuestions(own: PredictEngine, count: number): readonly number[] {
  const all = Array.from({ length: QUESTIONS }, (_, question) => question);
  const violating = all.filter((question) => own.rows(question).length > 0).slice(0, count / 2);
  const others = all.filter((question) => own.rows(question).length === 0);
  return [...violating, ...others.slice(0, count - violating.length)];
}

interface Engines {
  readonly own: PredictEngine;
  readonly others: readonly PredictEngine[];
  readonly rules: readonly RulesEngine[];
}

/** Throws unless all engines give the same answers. */
async function compareAnswers({ own, others, rules }: Engines, questions: readonly number[]): Promise<Compared> {
  let rows = 0;
  let violating = 0;
  for (const question of questions) {
    const expected = own.rows(question);
    rows += expected.length;
    if (expected.length > 0) violating++;
    for (const other of others) deepStrictEqual(other.rows(question), expected, `${other.name}, question ${question}`);
    const violated = [...new Set(expected.map(([policy]) => policy))];
    for (const { name, answer } of rules)
      deepStrictEqual([...(await answer(question))].sort(), violated, `${name}, question ${question}`);
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
  header: ['same answer by all engines', 'questions', 'with violations', 'conflicting items'],
  rows: sizes.map(({ policies, compared: { questions, violating, rows } }) => [
    `${policies.toLocaleString('en-US')} policies`,
    ...[questions, violating, rows].map((count) => count.toLocaleString('en-US')),
  ]),
});

function figuresOf({ policies, micros }: Measured): readonly Figure[] {
  const [own = []] = Object.values(micros);
  const name = `times the prepared join, ${policies.toLocaleString('en-US')} policies`;
  const spread = ratioOf(micros[JOIN] ?? [], own);
  return policies < 1000 ? [{ name, spread }] : [{ name, spread, goal: GOAL_TIMES_JOIN }];
}
