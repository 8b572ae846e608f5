import { printSuite, printVerdicts, type SuiteResult, writeResults } from './measure/report.ts';

// In the order of a whole run.
const suites: Readonly<Record<string, () => Promise<{ run(): Promise<SuiteResult> }>>> = {
  predict: () => import('./suites/predict.ts'),
  http: () => import('./suites/http.ts'),
  authzen: () => import('./suites/authzen.ts'),
  checks: () => import('./suites/checks.ts'),
  scan: () => import('./suites/scan.ts'),
  register: () => import('./suites/register.ts'),
  import: () => import('./suites/import.ts'),
  start: () => import('./suites/start.ts'),
  size: () => import('./suites/size.ts'),
  distributed: () => import('./suites/distributed.ts'),
  console: () => import('./suites/console.ts'),
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites);
const unknown = names.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  process.stderr.write(`No suite ${unknown.join(', ')}. Suites: ${Object.keys(suites).join(', ')}\n`);
  process.exit(2);
}

const results: SuiteResult[] = [];
let isBroken = false;
for (const name of names) {
  process.stderr.write(`\n${name} …\n`);
  const start = performance.now();
  try {
    const suite = await suites[name]?.();
    const result = await suite?.run();
    if (result === undefined) continue;
    const seconds = Math.round((performance.now() - start) / 1000);
    printSuite(result, seconds);
    writeResults(name, { seconds, figures: result.figures, ...result.raw });
    results.push(result);
  } catch (error) {
    // A failed suite does not stop the others.
    isBroken = true;
    process.stderr.write(`The suite ${name} failed: ${error instanceof Error ? error.stack : error}\n`);
  }
}
printVerdicts(results);
// An explicit exit code: an exit hook that stops PostgreSQL would otherwise end this process with 0.
process.exit(isBroken ? 1 : 0);
