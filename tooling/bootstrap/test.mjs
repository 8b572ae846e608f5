import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { reportName } from './count-reporter.mjs';
import { noteStorePassed, reasonToSkipPostgres } from './postgres-halves.mjs';
import { prepare, prepareTools, toolCommand } from './prepare.mjs';
import { describeTests, withProgress } from './progress.mjs';
import { root, startProcess } from './run-process.mjs';

const TESTS = ['checks', 'e2e', 'test'];
const TESTS_ON_POSTGRES = 'test:postgres';
const TESTS_ON_CITUS = 'citus';
const REPORTS = '.turbo/reports';
const RUNS = join(root, '.turbo/runs');
const PROGRESS = join(root, '.turbo/progress');
/** Its tests take longest, and turbo would begin them late, since it depends on much: in a run of its own they begin first. */
const LONGEST = '@access-admin/api';
/** Tests wait for databases and processes at times: with one task more than there are cores, no core is idle. */
const CONCURRENCY = { ofLongest: 1, ofOthers: 2 };

/**
 * Runs the checks and the tests whose inputs have changed since they passed, or the tests that vitest's arguments select. The
 * last line counts the passed and failed ones; the lines before it name the failed and skipped ones, with reasons.
 */
export function test(stop, args) {
  const selection = args.filter((arg) => arg !== '--all');
  if (selection.length > 0) return testSelection(stop, selection);
  return testWhatChanged(stop, args.includes('--all') || process.env.DEPTH === 'full');
}

async function testSelection(stop, selection) {
  const node = await prepare(stop);
  if (node === null) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-test-'));
  const env = { ...process.env, TEST_REPORT_FOLDER: folder };
  try {
    const command = [node, 'node_modules/vitest/vitest.mjs', 'run', '--root', '.', ...selection];
    // In a terminal vitest shows how far it is.
    const runTests = () => run(command, { stop, env });
    const code = await (process.stdout.isTTY ? runTests() : withTestProgress(runTests));
    if (stop.aborted) return code || 1;
    const [name] = readdirSync(folder);
    return conclude(code, [readReport(join(folder, name ?? 'none'), 'the tests')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function testWhatChanged(stop, isAll) {
  const node = await prepareTools(stop);
  if (node === null) return 1;
  const reasonToSkip = isAll ? null : reasonToSkipPostgres();
  const hasPostgres = reasonToSkip === null;
  const hasCitus = isAll && Boolean(process.env.TEST_CITUS_URL);
  const ofPackages = ['types', 'test', ...(hasPostgres ? [TESTS_ON_POSTGRES] : [])];
  const ofRepository = ['lint', 'unused', 'checks', 'e2e', ...(hasCitus ? [TESTS_ON_CITUS] : [])];
  rmSync(RUNS, { recursive: true, force: true });
  const runTurbo = (...words) => {
    const options = ['--continue=always', '--output-logs=errors-only', '--summarize'];
    const { command, env } = toolCommand('turbo', 'run', ...words, ...options);
    return run(command, { stop, env: testEnv(env, node) });
  };
  const codes = await withTestProgress(() =>
    Promise.all([
      runTurbo(...ofPackages, `--filter=${LONGEST}`, `--concurrency=${CONCURRENCY.ofLongest}`),
      runTurbo(...ofPackages, ...ofRepository, `--filter=!${LONGEST}`, `--concurrency=${CONCURRENCY.ofOthers}`),
    ]),
  );
  const code = Math.max(...codes);
  if (stop.aborted) return code || 1;
  const reports = readTasks().map(reportOfTask);
  if (!hasPostgres) console.log(`test:postgres: left out, since ${reasonToSkip}; npm test -- --all runs it`);
  if (isAll && !hasCitus) console.log('citus: left out, since TEST_CITUS_URL names no coordinator');
  const status = conclude(code, reports);
  if (status === 0 && hasPostgres) noteStorePassed();
  return status;
}

/** Runs a command, with its output here. Returns its exit code. */
async function run([command, ...args], { stop, env }) {
  const options = { stop, env: { ...env, TEST_PROGRESS_FOLDER: PROGRESS } };
  return (await startProcess(command, args, options).ended).code;
}

function withTestProgress(work) {
  rmSync(PROGRESS, { recursive: true, force: true });
  return withProgress(() => describeTests(PROGRESS), work());
}

/** Results are not reused where Node, the platform or a tool that tests need is another one. */
function testEnv(env, node) {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const browsers = [
    'chromium-headless-shell',
    'chrome-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
  ];
  const tools = [...browsers, 'openssl', 'pgbouncer', 'slapd'].filter((tool) =>
    folders.some((folder) => existsSync(join(folder, tool))),
  );
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  return {
    ...env,
    PATH: [dirname(node), env.PATH].join(delimiter),
    TEST_MACHINE: [version, process.platform, process.arch, ...tools].join(' '),
    TEST_REPORT_FOLDER: REPORTS,
  };
}

/** The tasks of the runs, as turbo describes them; those that it did not start are left out. */
function readTasks() {
  const names = existsSync(RUNS) ? readdirSync(RUNS) : [];
  const tasks = names.flatMap((name) => JSON.parse(readFileSync(join(RUNS, name), 'utf8')).tasks);
  return tasks.filter(({ execution }) => execution !== undefined && execution !== null);
}

function reportOfTask({ taskId, task, directory, execution, cache }) {
  const hasPassed = execution.exitCode === 0;
  if (cache.status === 'HIT') console.log(`${taskId}: unchanged since it passed`);
  else
    console.log(
      `${taskId}: ${hasPassed ? 'passed' : 'failed'} in ${Math.round((execution.endTime - execution.startTime) / 1000)} s`,
    );
  const failure = hasPassed ? [] : [{ name: taskId, reason: 'its output is above' }];
  if (![...TESTS, TESTS_ON_POSTGRES, TESTS_ON_CITUS].includes(task)) {
    // A build is no test.
    return { passed: hasPassed && task !== 'build' ? 1 : 0, failed: failure, skipped: [] };
  }
  const report = readReport(join(root, directory, REPORTS, reportName(task)), taskId);
  // A run that ended early may have left the report of an earlier one.
  return report.failed.length > 0 ? report : { ...report, failed: failure };
}

function readReport(path, title) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: [{ name: title, reason: 'ended without a report' }], skipped: [] };
  }
}

function conclude(code, reports) {
  const skipped = reports.flatMap((report) => report.skipped);
  const failed = reports.flatMap((report) => report.failed);
  const passed = reports.reduce((sum, report) => sum + report.passed, 0);
  for (const { name, reason } of skipped) console.log(`skipped: ${name}: ${reason}`);
  for (const { name, reason } of failed) console.log(`failed: ${name}: ${reason}`);
  const nothingRan = passed + failed.length === 0;
  if (nothingRan) console.error('access-admin: no test ran');
  console.log(`${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  return code || (failed.length > 0 || nothingRan ? 1 : 0);
}
