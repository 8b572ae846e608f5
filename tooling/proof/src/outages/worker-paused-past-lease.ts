import { setTimeout as delay } from 'node:timers/promises';
import type { AccessAdminClient } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { RESULT_MS_MAX } from '../load/audit.ts';
import { type CheckLedger, createCheckLedger } from '../load/check-ledger.ts';
import { BALLAST, COMPANY, LONG_GRANT } from '../load/company.ts';
import { readCheck } from '../load/customers.ts';
import { claims, type Held, readHeld } from '../service/claimed-checks.ts';
import { type Fleet, openFleet, type ProcessSlot, signalAll } from '../service/open-fleet.ts';
import { openSql, type Sql } from '../service/open-sql.ts';

const LEASE_MS = 300;
/** Checks sent together before a worker is stopped. */
const BURST = 80;
/** The worker is stopped so long after it was seen to have claimed something, at most. */
const STOP_AFTER_MS = 15;
/** A worker that still has not been replaced by then was stopped inside a write, and locks the others out. */
const TAKE_OVER_MS = LEASE_MS + 1_500;
const WAKE_MS = 15_000;
/** So many stops in a row that catch no worker with checks in hand show that something else is wrong. */
const MISSES_MAX = 200;

/** F4: a worker that slept through its lease changes nothing any more. */
export const workerPausedPastLease: Campaign = {
  id: 'F4',
  title: 'worker paused for longer than its lease',
  unit: 'pauses',
  full: 100,
  short: 10,
  engines: ['sqlite', 'postgres'],
  run: (run) => pauseWorkers(run, async () => {}),
  control: (run) => pauseWorkers(run, forgetTakeOver),
};

interface Scene {
  readonly fleet: Fleet;
  readonly client: AccessAdminClient;
  readonly sql: Sql;
  readonly ledger: CheckLedger;
  readonly random: Random;
  readonly tamper: (sql: Sql, held: readonly Held[]) => Promise<void>;
}

type Pause = { readonly kind: 'idle' | 'insideWrite' } | { readonly kind: 'takenOver'; readonly checks: number };

async function pauseWorkers(run: CampaignRun, tamper: Scene['tamper']): Promise<Outcome> {
  const { engine, seed, count, log, signal } = run;
  const env = () => ({ CHECK_LEASE_MS: String(LEASE_MS), LOG_LEVEL: 'debug' });
  await using fleet = await openFleet(engine, { apis: 1, workers: 2, env });
  await using sql = await openSql(fleet.database);
  const client = drawOne(
    () => 0,
    fleet.apis.map((api) => fleet.connect(api)),
  );
  await client.accessModel.import([...COMPANY, ...BALLAST]);
  const scene: Scene = { fleet, client, sql, ledger: createCheckLedger(), random: createRandom(seed), tamper };
  const seen = { takenOver: 0, idle: 0, insideWrite: 0 };
  let checks = 0;
  for (let misses = 0; seen.takenOver < count && misses < MISSES_MAX; ) {
    signal.throwIfAborted();
    const pause = await pauseOnce(scene);
    seen[pause.kind] += 1;
    misses = pause.kind === 'takenOver' ? 0 : misses + 1;
    if (pause.kind === 'takenOver') checks += pause.checks;
    if (pause.kind === 'takenOver' && seen.takenOver % 25 === 0) log(`${seen.takenOver} pauses`);
  }
  const { ledger } = scene;
  const [{ total, done } = {}] = await sql.run('select count(*) as total, count(result) as done from sod_check');
  return {
    counts: {
      pauses: seen.takenOver,
      'checks taken over': checks,
      'stops without a check in hand': seen.idle,
      'stops inside a write': seen.insideWrite,
      'acknowledged checks': ledger.acknowledged.size,
      'without result': ledger.open().length,
    },
    broken: [
      ...summed('wrong answers', ledger.faults),
      ...summed('checks without a result in 60 s', ledger.open()),
      ...(Number(total) === Number(done) ? [] : [`${total} checks in the database, but ${done} results`]),
      ...summed('processes fallen', fleet.crashed),
      ...(seen.takenOver < count ? [`only ${seen.takenOver} pauses caught a worker with checks in hand`] : []),
    ],
  };
}

/** One worker gets a burst to itself and is stopped soon after it has claimed it; then the other one may work. */
async function pauseOnce(scene: Scene): Promise<Pause> {
  const { fleet, client, sql, ledger, random, tamper } = scene;
  const sleeper = drawOne(random, fleet.workers);
  const mark = sleeper.process.output().length;
  signalAll(fleet.workers, 'SIGSTOP');
  try {
    await sendBurst(client, ledger);
    process.kill(sleeper.process.pid, 'SIGCONT');
    await claims(sql);
    await delay(random(STOP_AFTER_MS));
    process.kill(sleeper.process.pid, 'SIGSTOP');
    const held = await readHeld(sql);
    signalAll(
      fleet.workers.filter((worker) => worker !== sleeper),
      'SIGCONT',
    );
    if (!(await finishes(scene, held, TAKE_OVER_MS))) return { kind: 'insideWrite' };
    const takenOver = await movedSince(sql, held);
    if (takenOver.length === 0) return { kind: 'idle' };
    await tamper(sql, takenOver);
    process.kill(sleeper.process.pid, 'SIGCONT');
    await settlesLate(sleeper, mark);
    return { kind: 'takenOver', checks: takenOver.length };
  } finally {
    signalAll(fleet.workers, 'SIGCONT');
    await emptiesWithin(sql, RESULT_MS_MAX);
    // Also those that were seen before the worker woke up.
    const burst = [...ledger.acknowledged.keys()].slice(-BURST);
    await Promise.all(burst.map(async (requestId) => ledger.observe(requestId, await readCheck(client, requestId))));
  }
}

async function sendBurst(client: AccessAdminClient, ledger: CheckLedger): Promise<void> {
  const before = ledger.acknowledged.size;
  const send = async (_: unknown, at: number) => {
    const mark = `${before}+${at}`;
    const { requestId } = await client.sodViolations.check({ ...LONG_GRANT, clientMetadata: { mark } });
    ledger.acknowledge(requestId, mark);
  };
  // One that is refused, as while a stopped worker holds the write lock, was never accepted.
  await Promise.allSettled(Array.from({ length: BURST }, send));
}

/** Resolves once nothing is pending, or the time is over. */
async function emptiesWithin(sql: Sql, ms: number): Promise<void> {
  const endMs = performance.now() + ms;
  const isEmpty = async () =>
    (await sql.run(`select request_id from sod_check where state = 'PENDING' limit 1`)).length === 0;
  while (!(await isEmpty()) && performance.now() < endMs) await delay(10);
}

/** Those that another worker has claimed since. */
async function movedSince(sql: Sql, held: readonly Held[]): Promise<readonly Held[]> {
  if (held.length === 0) return [];
  const ids = held.map(({ requestId }) => `'${requestId}'`).join();
  const rows = await sql.run(`select request_id, fence from sod_check where request_id in (${ids})`);
  const fences = new Map(rows.map((row) => [String(row['request_id']), Number(row['fence'])]));
  return held.filter(({ requestId, fence }) => fences.get(requestId) !== fence);
}

/** Whether all of them have a result in time; what is read is noted. */
async function finishes(
  { client, ledger }: Scene,
  checks: readonly Pick<Held, 'requestId'>[],
  withinMs: number,
): Promise<boolean> {
  const endMs = performance.now() + withinMs;
  for (const { requestId } of checks)
    for (let isDone = false; !isDone; ) {
      // Held checks may be unknown to us: their 202 is still on its way.
      const check = await readCheck(client, requestId);
      isDone = ledger.acknowledged.has(requestId) ? ledger.observe(requestId, check) : check?.state !== 'PENDING';
      if (!isDone && performance.now() > endMs) return false;
      if (!isDone) await delay(10);
    }
  return true;
}

/** Resolves once a worker has brought in, too late, what it had in hand. */
async function settlesLate({ process, name }: ProcessSlot, mark: number): Promise<void> {
  const endMs = performance.now() + WAKE_MS;
  const isLate = (line: string) => {
    const ms = /"ms":(\d+),"msg":"batch stored"/.exec(line)?.[1];
    return Number(ms) >= LEASE_MS || line.includes('the storage failed');
  };
  while (!process.output().slice(mark).split('\n').some(isLate)) {
    if (performance.now() > endMs) throw new Error(`${name} did not come back:\n${process.output().slice(mark)}`);
    await delay(10);
  }
}

/** Without fencing: the claim of the sleeping worker counts as the latest again. */
async function forgetTakeOver(sql: Sql, held: readonly Held[]): Promise<void> {
  // Late enough that nobody else claims it, not so late that it looks like the work of a clock that was ahead.
  const claimableAtMs = Date.now() + LEASE_MS + 8_000;
  for (const { requestId, fence } of held)
    await sql.run(
      `update sod_check set state = 'PENDING', fence = ${fence}, claimable_at_ms = ${claimableAtMs} where request_id = '${requestId}'`,
    );
}
