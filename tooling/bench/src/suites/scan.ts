import { strictEqual } from 'node:assert/strict';
import type { RunningApi } from '@access-admin/harness';
import { figure, type SuiteResult } from '../measure/report.ts';
import { ratioOf, spreadOf } from '../measure/rounds.ts';
import { openConflictJoin } from '../predict-engines/conflict-join.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { createPopulation, seedStore } from '../world/seed-population.ts';

const SEED = 20_261_121;
const ASSIGNMENTS = 50;
const POLICIES = 10_000;
const ROUNDS = 3;
const JOINED = 500;
const GOAL_TIMES_JOIN = 60;
/** The largest share of a scan that a dry-run of one policy may take. */
const GOAL_DRY_RUN = 1 / 500;
/** Size of the population; the environment variable changes it. */
const identities = Number(process.env['BENCH_IDENTITIES'] ?? 200_000);

type Client = RunningApi['client'];

/** Scans and dry-runs over a whole population, compared with a SQL join in memory. */
export async function run(): Promise<SuiteResult> {
  const size = { seed: SEED, assignments: ASSIGNMENTS, policies: POLICIES };
  await using service = openMeasuredService();
  await seedStore(service.databaseUrl, createPopulation({ ...size, identities }).records);
  await using api = await service.startApi();
  await using _worker = service.startWorker();
  const join = openConflictJoin({ ...size, identities: JOINED });
  const microsOf = (seconds: number) => (seconds * 1e6) / identities;
  // The worker has no data in memory yet.
  const first = microsOf(await scanSeconds(api.client));
  const joinMicros: number[] = [];
  const scanMicros: number[] = [];
  const dryRunMicros: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    joinMicros.push(join.microsPerIdentity());
    scanMicros.push(microsOf(await scanSeconds(api.client)));
    dryRunMicros.push(microsOf(await dryRunSeconds(api.client, round)));
  }
  join.close();
  const row = (name: string, values: readonly number[]) => [name, figure(spreadOf(values).median)];
  return {
    name: 'scan',
    tables: [
      {
        header: [
          `${identities.toLocaleString('en-US')} identities × ${ASSIGNMENTS}, 10,000 policies`,
          'µs per identity',
        ],
        rows: [
          row('SQL join in memory, prepared, for each of 500 identities', joinMicros),
          row('first scan of a worker: everything read, evaluated and stored, waiting included', [first]),
          row('later scans: what has changed read, evaluated and stored, waiting included', scanMicros),
          row('dry-run of one changed policy, the same', dryRunMicros),
        ],
      },
    ],
    figures: [
      { name: 'scan, times as fast as the SQL join', spread: ratioOf(joinMicros, scanMicros), goal: GOAL_TIMES_JOIN },
      { name: 'first scan of a worker, times as fast', spread: spreadOf(joinMicros.map((micros) => micros / first)) },
      {
        name: 'dry-run of one policy, share of a scan',
        spread: ratioOf(dryRunMicros, scanMicros),
        goal: GOAL_DRY_RUN,
        less: true,
      },
    ],
    raw: { ...size, identities, first, joinMicros, scanMicros, dryRunMicros },
  };
}

/** Waits for a report; its time runs from its acceptance to its completion. */
async function secondsOf(client: Client, { reportId }: { readonly reportId: string }): Promise<number> {
  const { state, created, completed } = await client.sodReports.waitFor(reportId, { timeoutMs: 3_600_000 });
  strictEqual(state, 'SUCCESS');
  return (Date.parse(completed) - Date.parse(created)) / 1000;
}

const scanSeconds = async (client: Client) => secondsOf(client, await client.sodReports.scan());

/** Dry-runs a change of the level of one policy, another one in each round. */
async function dryRunSeconds(client: Client, round: number): Promise<number> {
  const { items } = await client.sodPolicies.page({ limit: 1, offset: round });
  const change = items.map(({ created: _, modified: __, ...policy }) => ({ ...policy, level: 'LOW' as const }));
  return secondsOf(client, await client.sodReports.dryRun({ change: change as never }));
}
