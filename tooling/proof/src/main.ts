import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { campaigns } from './campaigns.ts';
import { parseArguments, usageOf } from './parse-arguments.ts';
import { isAsItMustBe, summaryOf, tableOf, verdictOf } from './report.ts';
import { runCampaigns } from './run-campaigns.ts';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** A campaign that is still not done so long after it was told to end is left; its processes end with this one. */
const GRACE_MS = 10_000;

const parsed = parseArguments(process.argv.slice(2), campaigns);
if (!parsed.ok) {
  process.stderr.write(`${parsed.failure}\n\n${usageOf(campaigns)}`);
  process.exit(2);
}
const stopping = new AbortController();
let exitCode: number | null = null;
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    exitCode = EXIT_CODES[name];
    stopping.abort(new Error(`ended by ${name}`));
    setTimeout(() => process.exit(EXIT_CODES[name]), GRACE_MS).unref();
  });

const asked = { ...parsed.value, seed: parsed.value.seed ?? randomInt(2 ** 32) };
const reports = await runCampaigns(asked, stopping.signal, {
  print: (text) => process.stdout.write(text),
  say: (text) => process.stderr.write(`${text}\n`),
});
process.stdout.write(tableOf(reports));
process.stdout.write(summaryOf(reports));
if (asked.json !== null) {
  const results = reports.map((report) => ({ ...report, verdict: verdictOf(report) }));
  writeFileSync(asked.json, `${JSON.stringify(results, null, 2)}\n`);
}
process.exit(exitCode ?? (reports.every(isAsItMustBe) ? 0 : 1));
