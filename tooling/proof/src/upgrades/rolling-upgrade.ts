import { ROOT } from '@access-admin/harness';
import { openPostgresStore } from '@access-admin/store';
import { type Campaign, type CampaignRun, type Outcome, skipped, summed } from '../campaign/campaign.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { attackUnderLoad } from '../load/attack-under-load.ts';
import { openFleet } from '../service/open-fleet.ts';
import { openBalancer } from './balancer.ts';
import { type BareCallers, bareIdentities, startBareCallers } from './bare-callers.ts';
import { buildEarlierVersion, type EarlierVersion } from './earlier-version.ts';

const BARE_CALLERS = 4;
/** Replaced processes: all of them, and all of them back. */
const STEPS = 8;
const STEP_MS_MAX = 300_000;

/** What a later version may do: a column that is filled, with an index, and a table. */
const EXPANSION: readonly string[] = [
  'alter table sod_check add column priority integer not null default 0',
  'update sod_check set priority = length(request_id)',
  'create index sod_check_priority on sod_check (tenant, priority)',
  'create table identity_label (tenant text not null, id text not null, label text, primary key (tenant, id))',
  'insert into identity_label select tenant, id, display_name from identity',
];
/** What it may not do: inserts of the version before do not have the column. */
const WITHOUT_DEFAULT = 'alter table sod_check alter column priority drop default';

/** G2: callers notice neither an upgrade nor the way back, while versions run beside each other. */
export const rollingUpgrade: Campaign = {
  id: 'G2',
  title: 'upgrade and way back, process by process, under load',
  unit: 'requests',
  full: 10_000,
  short: 1_000,
  engines: ['postgres'],
  run: (run) => upgradeUnderLoad(run, EXPANSION),
  control: (run) => upgradeUnderLoad(run, [...EXPANSION, WITHOUT_DEFAULT]),
};

/** Replaces each process by one of this version, half of them before the schema is expanded, and then each by one of the earlier version. */
async function upgradeUnderLoad(run: CampaignRun, expansion: readonly string[]): Promise<Outcome> {
  const earlier = await buildEarlierVersion(run.from);
  if ('unavailable' in earlier) return skipped(earlier.unavailable);
  const present: EarlierVersion = { name: 'this version', checkout: ROOT };
  const back: EarlierVersion = { ...earlier, name: 'the earlier version after the way back' };
  run.log(`from ${earlier.name}`);
  const next = new Map<string, EarlierVersion>();
  const started = new Map<string, string>();
  await using fleet = await openFleet(run.engine, {
    apis: 2,
    workers: 2,
    // As behind a balancer: tokens of one API are valid at the other.
    env: () => ({ BASE_ADDRESS: 'http://127.0.0.1:8080' }),
    checkout: (name) => {
      const { name: version, checkout } = next.get(name) ?? earlier;
      started.set(name, version);
      return checkout;
    },
  });
  await using balancer = await openBalancer(fleet.apis, ({ name }) => started.get(name) ?? '');
  const client = await fleet.register();
  const badEndings: string[] = [];
  const bare: BareCallers[] = [];
  let migrationMs = 0;
  let step = 0;
  const loadGoesOn = async () => {
    const requests = (run.count * ++step) / (STEPS + 1);
    await waitUntil(() => balancer.requests >= requests, { msMax: STEP_MS_MAX, signal: run.signal });
  };
  const replace = async (number: number, version: EarlierVersion) => {
    for (const slot of [fleet.apis[number], fleet.workers[number]]) {
      if (slot === undefined) continue;
      await loadGoesOn();
      next.set(slot.name, version);
      const { code, signal } = await slot.replace('SIGTERM');
      if (code !== 0) badEndings.push(`${slot.name} ended with ${code ?? signal}`);
      await fleet.becomesReady();
      run.log(`${slot.name} is of ${version.name} after ${balancer.requests} requests`);
    }
  };
  const { customers, counts, broken } = await attackUnderLoad(run, fleet, {
    customers: 8,
    pauseMs: 40,
    writes: 30,
    burst: 3,
    records: bareIdentities(BARE_CALLERS),
    client: { fetch: balancer.fetch },
    attack: async (customers) => {
      const callers = startBareCallers(customers, { callers: BARE_CALLERS, balancer, client });
      bare.push(callers);
      try {
        await replace(0, present);
        const startMs = performance.now();
        // As the first process of a later version does, while both versions serve.
        const further = { url: fleet.database.url, furtherMigrations: { '9998-synthetic': expansion } };
        await (await openPostgresStore(further)).close();
        migrationMs = Math.round(performance.now() - startMs);
        await replace(1, present);
        await replace(0, back);
        await replace(1, back);
        await loadGoesOn();
      } finally {
        await callers.stop();
      }
    },
  });
  const [{ answered, failures } = { answered: 0, failures: [] }] = bare;
  const unseen = [earlier, present, back].filter(({ name }) => !balancer.versions.has(name));
  return {
    counts: {
      from: earlier.name,
      requests: balancer.requests,
      ...Object.fromEntries(balancer.kinds),
      ...Object.fromEntries([...balancer.versions].map(([name, requests]) => [`by ${name}`, requests])),
      'ms of the migration': migrationMs,
      'replaced processes': STEPS,
      'bare calls': answered + failures.length,
      'failed bare calls': failures.length,
      'requests repeated by the SDK': balancer.failed - failures.length,
      ...counts,
    },
    broken: [
      ...summed('calls of the SDK failed', customers.failures.map(String)),
      ...summed('bare calls failed', failures),
      ...broken,
      ...summed('processes stopped badly', badEndings),
      ...unseen.map(({ name }) => `${name} answered nothing: nothing is proven`),
      ...(balancer.requests < run.count ? [`only ${balancer.requests} requests were answered`] : []),
    ],
  };
}
