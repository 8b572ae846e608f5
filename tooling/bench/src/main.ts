import { printSuite, printVerdicts, type SuiteResult, writeResults } from './measure/report.ts';

// In the order of a whole run.
const suites: Readonly<Record<string, () => Promise<{ run(): Promise<SuiteResult> }>>> = {
  predict: () => import('./suites/predict.ts'),
  http: () => import('./suites/http.ts'),
  'large-rulebook': () => import('./suites/large-rulebook.ts'),
  queue: () => import('./suites/queue.ts'),
  replicas: () => import('./suites/replicas.ts'),
  population: () => import('./suites/population.ts'),
  reports: () => import('./suites/reports.ts'),
  register: () => import('./suites/register.ts'),
  webhooks: () => import('./suites/webhooks.ts'),
  violations: () => import('./suites/violations.ts'),
  start: () => import('./suites/start.ts'),
  'sign-in': () => import('./suites/sign-in.ts'),
  'look-ups': () => import('./suites/look-ups.ts'),
  sdk: () => import('./suites/sdk.ts'),
  console: () => import('./suites/console.ts'),
};

if (process.argv[2] === 'compare') {
  const { runComparison } = await import('./compare/command.ts');
  await runComparison(process.argv.slice(3));
  process.exit(0);
}

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
