import { namedCatalogue } from '../evaluation/named-catalogue.ts';
import { markdownTable } from '../gates/markdown.ts';
import type { GateFinding, GateReport } from '../gates/report.ts';
import { readModel } from '../model/read.ts';
import { createCatalogue, type ModelIdentity } from '../model/records.ts';
import { line } from '../output/escape.ts';
import { calledWrongly, EXIT } from '../output/failure.ts';
import { formatPosition, type Position } from '../output/problem.ts';
import { type Mutant, mutatePolicies } from '../rehearsal/mutate.ts';
import { type RunTest, runTests, type TestBed } from '../rehearsal/run.ts';
import { loadRulebook, type Rulebook } from '../rulebook/load.ts';
import { accessRefOf, entitlementOf, isPattern } from '../rulebook/refs.ts';
import { type ResolvedPolicy, resolveRulebook } from '../rulebook/resolve.ts';
import type { CommandContext, CommandParent } from './context.ts';
import { endGate } from './gate.ts';

interface TestOptions {
  readonly model?: string;
  readonly coverage?: boolean;
  readonly mutate?: boolean;
  readonly failOn?: string;
}

interface TestResults {
  readonly runs: readonly RunTest[];
  readonly policies: readonly ResolvedPolicy[];
  /** Files whose policies no test names. */
  readonly untested: readonly Position[];
  /** Enforced policies that no test violates; null if coverage was not asked for. */
  readonly uncovered: readonly ResolvedPolicy[] | null;
  readonly mutants: readonly Mutant[] | null;
}

/** `test`: the tests of a rulebook, which policies they cover, and what they would not notice. */
export function addTest(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('test')
    .description('run the tests of a rulebook')
    .argument('<rulebook>', 'a folder, or one file')
    .option('--model <file>', 'the access model (NDJSON) whose identities, roles and access profiles tests name')
    .option('--coverage', 'name the policies that no test violates')
    .option('--mutate', 'remove one item or side at a time, and name the policies whose tests do not notice')
    .option(
      '--fail-on <gate>',
      'exit with 3: `uncovered`, or `survived:SCORE` where fewer removals are noticed, such as survived:0.95',
    )
    .action(
      run(async (path: string, options: TestOptions) => {
        const gate = parseGate(options.failOn);
        const rulebook = await context.blocking(() => loadRulebook(path));
        const bed = await openBed(rulebook, options.model, context);
        const results = await context.blocking((): TestResults => {
          const runs = runTests(rulebook.tests, bed);
          const violated = new Set(runs.flatMap(({ answer }) => [...answer.violates, ...answer.existing]));
          return {
            runs,
            policies: bed.policies,
            untested: untestedFiles(rulebook),
            uncovered:
              options.coverage || gate?.kind === 'uncovered'
                ? bed.policies.filter(({ policy }) => policy.state === 'ENFORCED' && !violated.has(policy.id))
                : null,
            mutants:
              options.mutate || gate?.kind === 'survived' ? mutatePolicies(bed.policies, runs, bed.catalogue) : null,
          };
        });
        const code = await endGate(parent, reportTests(results, context), passes(gate, results));
        const hasFailed = results.untested.length > 0 || results.runs.some(({ failures }) => failures.length > 0);
        return hasFailed ? EXIT.failed : code;
      }),
    );
}

type TestGate = { readonly kind: 'uncovered' } | { readonly kind: 'survived'; readonly score: number } | null;

function parseGate(text: string | undefined): TestGate {
  if (text === undefined) return null;
  if (text === 'uncovered') return { kind: 'uncovered' };
  const [, score = '1'] = /^survived(?::(\d?\.?\d+))?$/.exec(text) ?? [null, ''];
  if (score === '' || Number(score) > 1)
    throw calledWrongly('--fail-on: must be uncovered, survived, or survived:SCORE with a score up to 1');
  return { kind: 'survived', score: Number(score) };
}

function passes(gate: TestGate, { uncovered, mutants }: TestResults): boolean {
  if (gate === null) return true;
  return gate.kind === 'uncovered' ? uncovered?.length === 0 : scoreOf(mutants ?? []) >= gate.score;
}

const scoreOf = (mutants: readonly Mutant[]): number =>
  mutants.length === 0 ? 1 : mutants.filter(({ isNoticed }) => isNoticed).length / mutants.length;

async function openBed(rulebook: Rulebook, model: string | undefined, context: CommandContext): Promise<TestBed> {
  const nowMs = context.now().getTime();
  if (model === undefined) {
    const ids = namedEntitlements(rulebook);
    const policies = await context.blocking(() => resolveRulebook(rulebook, { ids, unmatched: 'item' }));
    const catalogue = namedCatalogue([...ids, ...policies.flatMap(({ items }) => [...items.keys()])]);
    return { policies, catalogue, identities: null, nowMs };
  }
  const wanted = new Set(
    rulebook.tests.flatMap(({ test: { given } }) =>
      typeof given === 'string' ? [given] : given !== undefined && 'identity' in given ? [given.identity] : [],
    ),
  );
  const identities = new Map<string, ModelIdentity>();
  const builder = createCatalogue();
  await readModel(model, context, (record) => {
    if (record.kind !== 'identity') builder.add(record);
    else if (wanted.has(record.id)) identities.set(record.id, record);
  });
  const catalogue = builder.catalogue();
  const ids = catalogue.entitlements.map(({ id }) => id);
  const policies = await context.blocking(() => resolveRulebook(rulebook, { ids, unmatched: 'item' }));
  return { policies, catalogue, identities, nowMs };
}

/** Without a model, what policies and tests name is what exists. */
function namedEntitlements({ policies, tests }: Rulebook): readonly string[] {
  const ofPolicies = policies.flatMap(({ policy }) => {
    if ('critical' in policy) return policy.critical;
    return 'sides' in policy ? policy.sides.flatMap(({ items }) => items) : [...policy.left, ...policy.right];
  });
  const ofTests = tests.flatMap(({ test: { given, request = [] } }) => [
    ...(typeof given === 'object' && 'holds' in given ? given.holds : []),
    ...request,
  ]);
  return [
    ...ofPolicies.filter((ref) => !isPattern(ref)).map(entitlementOf),
    ...ofTests.map(accessRefOf).flatMap(({ type, id }) => (type === 'ENTITLEMENT' ? [id] : [])),
  ];
}

/** Files with policies, but without a test: neither in them, nor in another file for one of their policies. */
function untestedFiles({ files, tests }: Rulebook): Position[] {
  const named = new Set(
    tests.flatMap(({ test: { expect } }) => [...(expect.violates ?? []), ...(expect.existing ?? [])]),
  );
  return files
    .filter((file) => file.policies.length > 0 && file.tests.length === 0)
    .filter((file) => !file.policies.some(({ policy }) => named.has(policy.id)))
    .map(({ path }) => ({ file: path, line: 1, column: 1 }));
}

function reportTests(
  { runs, policies, untested, uncovered, mutants }: TestResults,
  { output }: CommandContext,
): GateReport {
  const placeOf = new Map(policies.map(({ policy, at }) => [policy.id, at]));
  const failed = runs.filter(({ failures }) => failures.length > 0);
  const findings: GateFinding[] = [
    ...failed.map(
      ({ placed, failures }): GateFinding => ({
        rule: 'TEST_FAILED',
        severity: 'error',
        text: `${placed.test.name}: ${failures.join('; ')}`,
        at: placed.at,
      }),
    ),
    ...untested.map((at): GateFinding => ({ rule: 'NO_TEST', severity: 'error', text: `${at.file} has no test`, at })),
    ...(uncovered ?? []).map(
      ({ policy, at }): GateFinding => ({
        rule: 'NEVER_VIOLATED',
        severity: 'warning',
        text: `no test violates policy ${policy.id}`,
        at,
      }),
    ),
    ...(mutants ?? [])
      .filter(({ isNoticed }) => !isNoticed)
      .map(
        ({ policyId, removed }): GateFinding => ({
          rule: 'NOT_NOTICED',
          severity: 'warning',
          text: `policy ${policyId}: no test notices when ${removed} is removed`,
          at: placeOf.get(policyId) ?? null,
        }),
      ),
  ];
  const enforced = policies.filter(({ policy }) => policy.state === 'ENFORCED').length;
  const noticed = (mutants ?? []).filter(({ isNoticed }) => isNoticed).length;
  const coverage =
    uncovered === null ? '' : `; ${enforced - uncovered.length} of ${enforced} enforced policies violated by a test`;
  const mutation =
    mutants === null ? '' : `; ${noticed} of ${mutants.length} removals noticed (score ${scoreOf(mutants).toFixed(2)})`;
  const summary = `${runs.length - failed.length} passed, ${failed.length} failed${coverage}${mutation}`;
  const describe = ({ rule, severity, text, at }: GateFinding) => {
    const place = at === null ? '' : `${formatPosition(at)}: `;
    return line`${place}${output.style(severity === 'error' ? 'red' : 'yellow', rule)} ${text}\n`;
  };
  return {
    command: 'test',
    summary,
    findings,
    cases: [
      ...runs.map(({ placed, failures }) => ({
        name: placed.test.name,
        group: placed.at.file,
        at: placed.at,
        failure: failures.length === 0 ? null : failures.join('\n'),
      })),
      ...untested.map((at) => ({ name: 'has a test', group: at.file, at, failure: `${at.file} has no test` })),
    ],
    human: () => findings.map(describe).join(''),
    markdown: () =>
      findings.length === 0
        ? ''
        : markdownTable([
            ['finding', 'place', 'what'],
            ...findings.map(({ rule, text, at }) => [rule, at === null ? '' : `${at.file}:${at.line}`, text]),
          ]),
    json: () => [
      `${JSON.stringify({
        passed: runs.length - failed.length,
        failed: failed.length,
        tests: runs.map(({ placed, failures, answer }) => ({
          name: placed.test.name,
          file: placed.at.file,
          line: placed.at.line,
          passed: failures.length === 0,
          failures,
          violates: [...answer.violates].sort(),
          existing: [...answer.existing].sort(),
        })),
        filesWithoutTest: untested.map(({ file }) => file),
        ...(uncovered === null
          ? {}
          : {
              coverage: {
                policies: enforced,
                violated: enforced - uncovered.length,
                neverViolated: uncovered.map(({ policy }) => policy.id),
              },
            }),
        ...(mutants === null
          ? {}
          : {
              mutation: {
                mutants: mutants.length,
                noticed,
                score: scoreOf(mutants),
                notNoticed: mutants
                  .filter(({ isNoticed }) => !isNoticed)
                  .map(({ policyId, removed }) => ({ policyId, removed })),
              },
            }),
      })}\n`,
    ],
  };
}
