import type { Campaign, CampaignRun } from './campaign.ts';
import type { Arguments } from './parse-arguments.ts';
import { describeReport, type Report } from './report.ts';

/** Where a run says what happens. */
export interface Progress {
  /** What was found out. */
  print(text: string): void;
  /** What is under way. */
  say(text: string): void;
}

/** Runs what was asked for, one after the other; ends early, with what there is, when the signal is aborted. */
export async function runCampaigns(
  asked: Omit<Arguments, 'seed' | 'json'> & { readonly seed: number },
  signal: AbortSignal,
  { print, say }: Progress,
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const campaign of asked.campaigns) {
    const count = asked.counts[campaign.unit] ?? (asked.short ? campaign.short : campaign.full);
    for (const engine of campaign.engines.filter((each) => asked.engine === null || each === asked.engine)) {
      for (const control of asked.control ? [false, true] : [false]) {
        if (signal.aborted) return reports;
        const name = `${campaign.id}${control ? ' control' : ''} ${engine}`;
        say(`${name}: ${count} ${campaign.unit}, seed ${asked.seed}`);
        const run = { engine, seed: asked.seed, count, say: (text: string) => say(`${name}: ${text}`), signal };
        const report = await runOne(campaign, control, run);
        print(`${describeReport(report)}\n`);
        reports.push(report);
      }
    }
  }
  return reports;
}

async function runOne(campaign: Campaign, control: boolean, run: CampaignRun): Promise<Report> {
  const { id, title } = campaign;
  const startMs = performance.now();
  const outcome = await (control ? campaign.control(run) : campaign.run(run)).then(
    (seen) => ({ ...seen, error: null }),
    (error: unknown) => ({ counts: {}, broken: [], error: run.signal.aborted ? 'ended early' : messageOf(error) }),
  );
  const seconds = Math.round((performance.now() - startMs) / 1000);
  return { id, title, engine: run.engine, seed: run.seed, control, seconds, ...outcome };
}

const messageOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
