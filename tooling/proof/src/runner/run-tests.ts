import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, ROOT, startProcess } from '@access-admin/harness';
import type { CampaignRun, Outcome } from '../campaign/campaign.ts';

/** The used part of a test in vitest's JSON report. */
interface TestReport {
  readonly status: string;
  readonly title: string;
  readonly failureMessages?: readonly string[];
  readonly meta?: { readonly counts?: Readonly<Record<string, number>> };
}

/** Runs test files of a package with as many cases as the run counts; the counts are those that the tests report. */
export async function runTests(run: CampaignRun, files: readonly string[]): Promise<Outcome> {
  const tests = await runVitest(run, [...files, '--testNamePattern', '^(?!control)']);
  const failed = tests.filter(({ status }) => status === 'failed');
  return {
    counts: Object.assign({ tests: tests.length }, ...tests.map(({ meta }) => meta?.counts), {
      differences: failed.length,
    }),
    broken: failed.map(({ title, failureMessages = [] }) => `${title}: ${failureMessages.join('; ')}`),
  };
}

/** Runs the controls in these files: each uses a wrong implementation and fails unless the tests detect it. */
export async function runControls(run: CampaignRun, files: readonly string[]): Promise<Outcome> {
  const controls = await runVitest(run, [...files, '--testNamePattern', '^control']);
  const seen = controls.filter(({ status }) => status === 'passed').map(({ title }) => title);
  const isComplete = seen.length === controls.length;
  return { counts: { mutants: controls.length, seen: seen.length }, broken: isComplete ? seen : [] };
}

/** Runs vitest in a process of its own; resolves with the tests that were not skipped. */
async function runVitest(run: CampaignRun, args: readonly string[]): Promise<readonly TestReport[]> {
  const { engine, seed, count, signal } = run;
  using folder = openFolder('proof');
  const output = join(folder.path, 'report.json');
  const project = engine === 'sqlite' ? 'units' : 'units on postgres';
  const options = ['--root', ROOT, '--project', project, '--reporter=json', `--outputFile=${output}`, ...args];
  await using running = startProcess(
    [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...options],
    {
      env: { DEPTH: 'full', CASES: String(count), SEED: String(seed) },
      cwd: ROOT,
    },
  );
  signal.addEventListener('abort', () => void running.stop('SIGKILL'), { once: true });
  await running.ended;
  signal.throwIfAborted();
  if (!existsSync(output)) throw new Error(`vitest wrote no report: ${running.output()}`);
  const report: { readonly testResults: readonly { readonly assertionResults: readonly TestReport[] }[] } = JSON.parse(
    readFileSync(output, 'utf8'),
  );
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const ran = tests.filter(({ status }) => status === 'passed' || status === 'failed');
  if (ran.length === 0) throw new Error(`no test ran: ${running.output()}`);
  return ran;
}
