import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { Outcome } from '../campaign/campaign.ts';
import { describeReport, type Report, type RunName } from './report.ts';

declare module 'vitest' {
  interface TaskMeta {
    campaign?: RunName;
    outcome?: Outcome;
  }
}

/** Prints each run of a campaign when it ends, and collects the reports. */
export function createReporter(): { readonly reports: readonly Report[]; readonly reporter: Reporter } {
  const reports: Report[] = [];
  const reported = new Set<string>();
  const add = (report: Report) => {
    reports.push(report);
    process.stdout.write(`${describeReport(report)}\n`);
  };
  const reporter: Reporter = {
    onUserConsoleLog: ({ content }) => void process.stderr.write(content),
    onTestCaseResult: (testCase) => {
      const report = reportOf(testCase);
      // A cancelled test is reported twice.
      if (report === null || reported.has(testCase.id)) return;
      reported.add(testCase.id);
      add(report);
    },
    onTestRunEnd: (modules, errors) => {
      const outside = [...errors, ...modules.flatMap((module: TestModule) => module.errors())];
      for (const { stack, message } of outside)
        add({ ...OUTSIDE, counts: {}, broken: [], seconds: 0, error: stack ?? message });
    },
  };
  return { reports, reporter };
}

const OUTSIDE = { id: '-', title: 'outside of any campaign', engine: 'sqlite', seed: 0, control: false } as const;

/** Null for a test that was cancelled before it began. */
function reportOf(testCase: TestCase): Report | null {
  const { campaign, outcome } = testCase.meta();
  if (campaign === undefined) return null;
  const seconds = Math.round((testCase.diagnostic()?.duration ?? 0) / 1000);
  if (outcome !== undefined) return { ...campaign, ...outcome, seconds, error: null };
  const [error] = testCase.result().errors ?? [];
  return { ...campaign, seconds, counts: {}, broken: [], error: error?.stack ?? error?.message ?? 'ended early' };
}
