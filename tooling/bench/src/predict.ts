import { deepStrictEqual } from 'node:assert/strict';
import { measureInterleaved, type Spread } from './measure.ts';
import { createNaiveScan } from './predict-engines/naive-scan.ts';
import { createOwnEngine } from './predict-engines/own-engine.ts';
import type { PredictEngine } from './predict-engines/predict-engine.ts';
import { createSqliteJoin } from './predict-engines/sqlite-join.ts';
import { createSqliteSemiJoin } from './predict-engines/sqlite-semi-join.ts';
import { figure, printTable, spreadText, writeResults } from './report.ts';
import { createWorld } from './world.ts';

const SEED = 20_261_121;
const QUESTIONS = 4096;
const POLICY_COUNTS = [100, 1_000, 10_000];

interface Measured {
  readonly policies: number;
  readonly engines: readonly { readonly name: string; readonly micros: Spread; readonly timesOwn: number }[];
}

/** Microseconds per prediction, one thread; the arguments are numbers of policies. */
export function run(args: readonly string[]): void {
  const policyCounts = args.length > 0 ? args.map(Number) : POLICY_COUNTS;
  const results = policyCounts.map(measure);
  const names = results[0]?.engines.map(({ name }) => name) ?? [];
  printTable(
    [
      'µs per prediction, median of 5 (range)',
      ...policyCounts.map((count) => `${count.toLocaleString('en-US')} policies`),
    ],
    names.map((name, at) => [name, ...results.map(({ engines }) => cellOf(engines[at]))]),
  );
  writeResults('predict', { seed: SEED, results });
}

function measure(policies: number): Measured {
  const world = createWorld({ seed: SEED, entitlements: 50_000, policies, identities: 2_000, questions: QUESTIONS });
  const engines = [createOwnEngine, createSqliteJoin, createSqliteSemiJoin, createNaiveScan].map((create) =>
    create(world),
  );
  // The scan takes over 50 ms a question with 100,000 policies.
  assertEqualAnswers(engines, Math.min(1_000, 10_000_000 / policies));
  const spreads = measureInterleaved(
    engines.map(({ name, answer }) => ({ name, work: (turn) => answer(turn % QUESTIONS) })),
    { rounds: 5, roundMs: 200 },
  );
  for (const engine of engines) engine.close();
  const own = spreads[0]?.median ?? 0;
  return {
    policies,
    engines: engines.map(({ name }, at) => {
      const micros = spreads[at] ?? { median: 0, min: 0, max: 0 };
      return { name, micros, timesOwn: micros.median / own };
    }),
  };
}

function assertEqualAnswers([own, ...others]: readonly PredictEngine[], questions: number): void {
  let rows = 0;
  for (let question = 0; question < questions; question++) {
    const expected = own?.rows(question);
    rows += expected?.length ?? 0;
    for (const other of others) deepStrictEqual(other.rows(question), expected, `${other.name}, question ${question}`);
  }
  process.stderr.write(`${questions} questions answered alike, ${rows} conflicting items in all\n`);
}

const cellOf = (engine: Measured['engines'][number] | undefined): string =>
  engine === undefined ? '' : `${spreadText(engine.micros)}, ${figure(engine.timesOwn)}×`;
