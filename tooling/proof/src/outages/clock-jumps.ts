import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessAdminClient } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { audit, RESULT_MS_MAX } from '../load/audit.ts';
import { BALLAST, COMPANY, LONG_GRANT } from '../load/company.ts';
import { type Customers, customerRecords, startCustomers } from '../load/customers.ts';
import { claims, readHeld } from '../service/claimed-checks.ts';
import { type Fleet, openFleet, signalAll } from '../service/open-fleet.ts';
import { openSql, type Sql } from '../service/open-sql.ts';

const CUSTOMERS = 6;
const LEASE_MS = 1_000;
/** Checks flow for so long between two jumps. */
const CALM_MS = 1_500;
const BURST = 60;
const TRIES_MAX = 50;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The right time undoes what went before: a clock that was ahead goes back by all of it. */
const JUMPS = [
  { name: '−1 h', byMs: -HOUR_MS },
  { name: '+1 h', byMs: HOUR_MS },
  { name: '+400 d', byMs: 400 * DAY_MS },
  { name: 'the right time', byMs: null },
  // Less than the queue can tell from a lease: what a dead worker held has to wait for it.
  { name: '−8 s', byMs: -8_000 },
] as const;

/** F8: whatever the clocks do, each check ends, once, and no caller notices. */
export const clockJumps: Campaign = {
  id: 'F8',
  title: 'clocks jump by −1 h, +1 h and +400 d while a worker dies',
  unit: 'jumps',
  full: 12,
  short: 3,
  engines: ['sqlite', 'postgres'],
  run: (run) => jumpUnderLoad(run, async () => {}),
  control: (run) => jumpUnderLoad(run, queueAgain),
};

interface Scene {
  readonly fleet: Fleet;
  readonly clocks: Clocks;
  readonly customers: Customers;
  readonly clients: readonly AccessAdminClient[];
  readonly sql: Sql;
}

async function jumpUnderLoad(
  run: CampaignRun,
  tamper: (customers: Customers, sql: Sql) => Promise<void>,
): Promise<Outcome> {
  const { engine, seed, signal } = run;
  await using clocks = openClocks();
  const env = (name: string) => ({ CHECK_LEASE_MS: String(LEASE_MS), ...clocks.envOf(name) });
  await using fleet = await openFleet(engine, { apis: 2, workers: 2, env });
  await using sql = await openSql(fleet.database);
  const clients = fleet.apis.map((api) => fleet.connect(api));
  await clients[0]?.accessModel.import([...COMPANY, ...BALLAST, ...customerRecords(CUSTOMERS)]);
  const own = Array.from({ length: CUSTOMERS }, (_, at) => fleet.connect(drawOne(() => at % 2, fleet.apis)));
  const customers = startCustomers(own, { seed, pauseMs: 20, writes: 10 });
  let waits: readonly string[];
  try {
    waits = await jumpInTurn({ fleet, clocks, customers, clients, sql }, run);
  } finally {
    await customers.stop();
  }
  await tamper(customers, sql);
  const seen = await audit(customers, { clients, sql, signal, clocksJump: true });
  const { ledger, answered, failures } = customers;
  return {
    counts: {
      jumps: waits.length,
      'as what became of the checks of a dead worker': waits.join('; '),
      calls: answered + failures.length,
      'failed calls': failures.length,
      'acknowledged checks': ledger.acknowledged.size,
      'taken over': seen.takenOver,
      lost: seen.lost,
      'without result': seen.withoutResult,
    },
    broken: [
      ...seen.broken,
      ...summed('calls failed', failures.map(String)),
      ...summed('processes fallen', fleet.crashed),
    ],
  };
}

interface Jumped {
  /** How many checks the worker had claimed that died. */
  readonly leftBehind: number;
  /** How long it took until they, and all else that was pending, had a result. */
  readonly waitedMs: number;
}

/** Returns, for each jump, how many checks were left behind, and for how long. */
async function jumpInTurn(scene: Scene, { seed, count, log, signal }: CampaignRun): Promise<readonly string[]> {
  const random = createRandom(seed);
  const waits: string[] = [];
  for (let jumps = 0; jumps < count; jumps++) {
    const { name, byMs } = drawOne(() => jumps % JUMPS.length, JUMPS);
    await delay(CALM_MS, undefined, { signal });
    const { leftBehind, waitedMs } = await jumpOnce(scene, byMs, random);
    waits.push(`${name} ${leftBehind} in ${Math.round(waitedMs)} ms`);
    log(waits.at(-1) ?? '');
  }
  return waits;
}

/** Some clocks jump at the moment at which a worker dies with checks in hand; the others have to see to them. */
async function jumpOnce(scene: Scene, byMs: number | null, random: Random): Promise<Jumped> {
  const { fleet, clocks, sql } = scene;
  const victim = drawOne(random, fleet.workers);
  const others = fleet.workers.filter((worker) => worker !== victim);
  const jumping = [...fleet.apis, ...fleet.workers].filter(() => random(3) > 0);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    signalAll(others, 'SIGSTOP');
    const sent = sendBurst(scene);
    await claims(sql);
    for (const { name } of tries === 0 ? jumping : []) clocks.jump(name, byMs);
    await victim.replace('SIGKILL');
    const { length: leftBehind } = await readHeld(sql);
    const startMs = performance.now();
    signalAll(others, 'SIGCONT');
    await sent;
    await awaitPending(sql);
    if (leftBehind > 0) return { leftBehind, waitedMs: performance.now() - startMs };
  }
  throw new Error('no worker could be caught with checks in hand');
}

async function sendBurst({ customers, clients }: Scene): Promise<void> {
  const { ledger } = customers;
  const send = async (_: unknown, at: number) => {
    const mark = `${performance.now()}+${at}`;
    const client = drawOne(() => at % 2, clients);
    const { requestId } = await client.sodViolations.check({ ...LONG_GRANT, clientMetadata: { mark } });
    ledger.acknowledge(requestId, mark);
  };
  await Promise.all(Array.from({ length: BURST }, send));
}

/** Resolves once all that is pending now is done. */
async function awaitPending(sql: Sql): Promise<void> {
  const endMs = performance.now() + RESULT_MS_MAX;
  const pending = `select request_id from sod_check where state = 'PENDING'`;
  const idsOf = async () => (await sql.run(pending)).map((row) => String(row['request_id']));
  let waiting = new Set(await idsOf());
  while (waiting.size > 0 && performance.now() < endMs) {
    await delay(10);
    waiting = waiting.intersection(new Set(await idsOf()));
  }
  if (waiting.size > 0) throw new Error(`${waiting.size} checks are stuck`);
}

/** The clock of each process. */
interface Clocks extends AsyncDisposable {
  envOf(name: string): Readonly<Record<string, string>>;
  /** By so much from where it is; null sets it right. */
  jump(name: string, byMs: number | null): void;
}

function openClocks(): Clocks {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-proof-'));
  const preload = new URL('../service/shift-clock.ts', import.meta.url).href;
  const offsets = new Map<string, number>();
  const fileOf = (name: string) => join(folder, name.replace(' ', '-'));
  const set = (name: string, offsetMs: number) => {
    offsets.set(name, offsetMs);
    writeFileSync(`${fileOf(name)}.new`, String(offsetMs));
    renameSync(`${fileOf(name)}.new`, fileOf(name));
  };
  return {
    envOf(name) {
      set(name, 0);
      return { CLOCK_FILE: fileOf(name), NODE_OPTIONS: `--import=${preload}` };
    },
    jump: (name, byMs) => set(name, byMs === null ? 0 : (offsets.get(name) ?? 0) + byMs),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A check that is done is worked on a second time. */
async function queueAgain({ ledger }: Customers, sql: Sql): Promise<void> {
  const open = new Set(ledger.open());
  const requestId = [...ledger.acknowledged.keys()].find((each) => !open.has(each));
  await sql.run(
    `update sod_check set state = 'PENDING', completed = null, result = null, claimable_at_ms = 0 where request_id = '${requestId}'`,
  );
}
