import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, ROOT, startProcess } from '@access-admin/harness';
import type { CampaignRun, Outcome } from '../campaign/campaign.ts';

/** The used part of vitest's JSON report. */
interface VitestReport {
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title: string;
      readonly failureMessages?: readonly string[];
      readonly meta?: { readonly counts?: Readonly<Record<string, number>> };
    }[];
  }[];
}

/** Runs test files of a package with as many cases as asked for; the counts are those that the tests report. */
export async function runTests(run: CampaignRun, files: readonly string[]): Promise<Outcome> {
  const tests = await runVitest(run, [...files, '--testNamePattern', '^(?!control)']);
  const faults = tests.filter(({ status }) => status === 'failed');
  const counts = Object.assign({ tests: tests.length }, ...tests.map(({ meta }) => meta?.counts), {
    differences: faults.length,
  });
  return { counts, broken: faults.map(({ title, failureMessages = [] }) => `${title}: ${failureMessages.join('; ')}`) };
}

/** Runs the controls in these files: each uses a wrong implementation and fails unless the tests detect it. */
export async function runControls(run: CampaignRun, files: readonly string[]): Promise<Outcome> {
  const controls = await runVitest(run, [...files, '--testNamePattern', '^control']);
  const seen = controls.filter(({ status }) => status === 'passed').map(({ title }) => title);
  const isComplete = controls.length > 0 && seen.length === controls.length;
  return { counts: { mutants: controls.length, seen: seen.length }, broken: isComplete ? seen : [] };
}

async function runVitest({ engine, seed, count, signal }: CampaignRun, args: readonly string[]) {
  using folder = openFolder('proof');
  const output = join(folder.path, 'report.json');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const project = engine === 'sqlite' ? 'units' : 'units on postgres';
  const options = ['--root', ROOT, '--project', project, '--reporter=json', `--outputFile=${output}`];
  await using running = startProcess([process.execPath, vitest, 'run', ...options, ...args], {
    env: { DEPTH: 'full', CASES: String(count), SEED: String(seed) },
    cwd: ROOT,
  });
  signal.addEventListener('abort', () => void running.stop('SIGKILL'), { once: true });
  await running.ended;
  signal.throwIfAborted();
  if (!existsSync(output)) throw new Error(`vitest wrote no report: ${running.output()}`);
  const { testResults }: VitestReport = JSON.parse(readFileSync(output, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const ran = tests.filter(({ status }) => status === 'passed' || status === 'failed');
  if (ran.length === 0) throw new Error(`no test ran: ${running.output()}`);
  return ran;
}
