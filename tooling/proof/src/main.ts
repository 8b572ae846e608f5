import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { campaigns } from './runner/campaigns.ts';
import { parseArguments, usageOf } from './runner/parse-arguments.ts';
import { isAsExpected, summaryOf, tableOf, verdictOf } from './runner/report.ts';
import { createReporter } from './runner/reporter.ts';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** A campaign that is still running this long after the signal is abandoned; its processes end with this one. */
const GRACE_MS = 10_000;
const HOURS_MS = 3_600_000;
/** Packages are imported from their sources. */
const conditions = ['@access-admin/source', 'module', 'node', 'development|production'];

const parsed = parseArguments(process.argv.slice(2), campaigns);
if (!parsed.ok) {
  process.stderr.write(`${parsed.failure}\n\n${usageOf(campaigns)}`);
  process.exit(2);
}
const { json, ...asked } = parsed.value;
const { reports, reporter } = createReporter();
// All campaigns in one process.
const vitest = await createVitest(
  'test',
  {
    name: 'campaigns',
    config: false,
    root: fileURLToPath(new URL('../', import.meta.url)),
    watch: false,
    include: ['src/runner/run.campaign.ts'],
    reporters: [reporter],
    pool: 'forks',
    maxConcurrency: 2,
    execArgv: ['--conditions=@access-admin/source'],
    testTimeout: 6 * HOURS_MS,
    teardownTimeout: 60_000,
  },
  { resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: ['@access-admin/source'] } } },
);
vitest.provide('asked', { ...asked, seed: asked.seed ?? randomInt(2 ** 32) });
let exitCode: number | null = null;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    exitCode = EXIT_CODES[name];
    setTimeout(() => process.exit(EXIT_CODES[name]), GRACE_MS).unref();
    void vitest.cancelCurrentRun('keyboard-input');
  });
}
await vitest.start();
await vitest.close();
const results = reports.map((report) => ({ ...report, verdict: verdictOf(report) }));
if (json !== null) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
process.stdout.write(tableOf(reports) + summaryOf(reports));
process.exit(exitCode ?? (reports.length > 0 && reports.every(isAsExpected) ? 0 : 1));
