import { createDatabase, createEmptyOnCitus, distributeByCommand } from '@access-admin/harness';
import { type Deployment, openDeployment } from '../distributed/deployment.ts';
import {
  type Measure,
  type Measured,
  measureChecks,
  measureLoneChecks,
  measurePatches,
  measurePeople,
  measureRegister,
} from '../distributed/measures.ts';
import { measurePolls } from '../distributed/poll-costs.ts';
import { type Figure, type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';

interface Row {
  /** The key of a measured value. */
  readonly of: string;
  readonly name: string;
  /** A bound of the ratio to the plain database, or of the value itself. */
  readonly ratio?: { readonly atLeast: number } | { readonly atMost: number };
  readonly atMost?: number;
}

const ROWS: readonly Row[] = [
  { of: 'rememberedPredicts', name: 'remembered predicts/s, 16 at once', ratio: { atLeast: 0.9 } },
  { of: 'firstPredicts', name: 'other predicts/s, 16 at once', ratio: { atLeast: 0.35 } },
  { of: 'imported', name: 'identities/s of an import of 1,000', ratio: { atLeast: 0.6 } },
  { of: 'patchMs', name: 'PATCH of a policy, p50, ms', ratio: { atMost: 2 } },
  { of: 'acceptedChecks', name: 'checks/s accepted, 16 at once' },
  { of: 'wholeChecks', name: 'checks/s of 1,000 until the last is done', ratio: { atLeast: 0.5 } },
  { of: 'loneCheckMs', name: 'one check alone, from request to result, p50, ms', atMost: 20 },
  { of: 'eventMs', name: 'one changed identity, from request to event, p50, ms' },
  { of: 'eventP95Ms', name: 'the same, p95, ms', atMost: 500 },
  { of: 'pollMs', name: 'a poll with 10,000 tenants, CPU of process and database, ms', atMost: 5 },
];

/** The service on a Citus cluster beside that on one database of the same server. */
export async function run(): Promise<SuiteResult> {
  const coordinator = process.env['TEST_CITUS_URL'];
  if (!coordinator) {
    process.stderr.write('Nothing is measured: TEST_CITUS_URL names no coordinator of a Citus cluster.\n');
    return { name: 'distributed', tables: [], figures: [], raw: {} };
  }
  await using stack = new AsyncDisposableStack();
  // Of the same server, so that version, settings and disk are the same.
  const plain = await createDatabase(coordinator);
  stack.defer(plain.remove);
  const citus = await createEmptyOnCitus(coordinator);
  stack.defer(citus.remove);
  await distributeByCommand(citus.url);
  const measured = await measureServices([plain.url, citus.url]);
  const polls = [await measurePolls(plain.url, 'own'), await measurePolls(citus.url, 'all')];
  const rounds = measured.map((ofService, at): readonly Measured[] => [...ofService, ...(polls[at] ?? [])]);
  const values = (deployment: number, of: string) =>
    (rounds[deployment] ?? []).flatMap(({ [of]: value }) => (value === undefined ? [] : [value]));
  const figures = ROWS.map(({ of, name, ratio, atMost }): Figure => {
    if (atMost !== undefined)
      return { name: `Citus: ${name}`, spread: spreadOf(values(1, of)), goal: atMost, less: true };
    const spread = ratioOf(values(1, of), values(0, of));
    if (ratio === undefined) return { name: `Citus, share of one server: ${name}`, spread };
    return 'atLeast' in ratio
      ? { name: `Citus, share of one server: ${name}`, spread, goal: ratio.atLeast }
      : { name: `Citus, times one server: ${name}`, spread, goal: ratio.atMost, less: true };
  });
  return {
    name: 'distributed',
    tables: [
      {
        header: ['median of 5 rounds, of polls 25 s (range)', 'one server', 'Citus', 'ratio'],
        rows: ROWS.map(({ of, name }) => [
          name,
          spreadText(spreadOf(values(0, of))),
          spreadText(spreadOf(values(1, of))),
          spreadText(ratioOf(values(1, of), values(0, of))),
        ]),
      },
    ],
    figures,
    raw: { plain: rounds[0], citus: rounds[1] },
  };
}

const MEASURES: readonly Measure[] = [measurePeople, measurePatches, measureChecks, measureLoneChecks, measureRegister];

/** The values of the service on each database by round. */
async function measureServices(urls: readonly string[]): Promise<readonly (readonly Measured[])[]> {
  await using stack = new AsyncDisposableStack();
  const deployments: Deployment[] = [];
  for (const databaseUrl of urls) deployments.push(stack.use(await openDeployment({ databaseUrl })));
  let rounds: readonly (readonly Measured[])[] = [];
  for (const measure of MEASURES) {
    const found = await takeTurns(deployments, measure);
    rounds = found.map((ofDeployment, at) =>
      ofDeployment.map((values, round) => ({ ...rounds[at]?.[round], ...values })),
    );
  }
  return rounds;
}
