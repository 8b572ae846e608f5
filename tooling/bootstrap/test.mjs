import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { startProcess } from './run-process.mjs';

/** Runs all tests of the depth, or those that vitest's arguments select. The last line counts the passed and failed ones; the lines before it name the failed and skipped ones, with reasons. */
export async function test(stop, args) {
  const node = await prepare(stop);
  if (node === null) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-test-'));
  const reportFile = join(folder, 'report.json');
  const reporters = [
    'default',
    './tooling/test-depth/src/vitest/failure-reporter.ts',
    './tooling/bootstrap/count-reporter.mjs',
  ];
  const argv = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--root',
    '.',
    ...reporters.map((name) => `--reporter=${name}`),
    ...args,
  ];
  const env = { ...process.env, TEST_REPORT_FILE: reportFile };
  try {
    const { code } = await startProcess(node, argv, { stop, env }).ended;
    return stop.aborted ? code || 1 : conclude(code, readReport(reportFile));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function conclude(code, report) {
  if (report === null) {
    console.error('access-admin: the test run ended without a report');
    return code || 1;
  }
  for (const { name, reason } of report.skipped) console.log(`skipped: ${name}: ${reason}`);
  for (const { name, reason } of report.failed) console.log(`failed: ${name}: ${reason}`);
  const skipped = report.skipped.length > 0 ? `, ${report.skipped.length} skipped` : '';
  const failed = report.failed.length;
  const nothingRan = report.passed + failed === 0;
  if (nothingRan) console.error('access-admin: no test ran');
  console.log(`${report.passed} passed, ${failed} failed${skipped}`);
  return code || (failed > 0 || nothingRan ? 1 : 0);
}
