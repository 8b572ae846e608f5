import { setTimeout as delay } from 'node:timers/promises';
import type { AccessAdminClient } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { RESULT_MS_MAX } from '../load/audit.ts';
import { type CheckLedger, createCheckLedger } from '../load/check-ledger.ts';
import { BALLAST, COMPANY } from '../load/company.ts';
import { readCheck, sendBurst } from '../load/customers.ts';
import { awaitClaims, awaitPending, type Claim, readClaims } from '../service/claimed-checks.ts';
import { openSql, type Sql } from '../service/open-database.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { type ProcessSlot, signalAll } from '../service/process-slot.ts';

const LEASE_MS = 300;
/** Checks sent together before a worker is stopped. */
const BURST = 80;
/** The worker is stopped at most this long after it has claimed something. */
const STOP_AFTER_MS = 15;
/** If its checks are not taken over by then, the worker was stopped inside a write and blocks the others. */
const TAKE_OVER_MS = LEASE_MS + 1_500;
const WAKE_MS = 15_000;
/** Limit of consecutive stops without claimed checks; more have another cause. */
const MISSES_MAX = 200;

/** F4: a worker that was paused past its lease changes nothing afterwards. */
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
  readonly tamper: (sql: Sql, held: readonly Claim[]) => Promise<void>;
}

type Pause = { readonly kind: 'idle' | 'insideWrite' } | { readonly kind: 'takenOver'; readonly checks: number };

async function pauseWorkers(run: CampaignRun, tamper: Scene['tamper']): Promise<Outcome> {
  const { engine, seed, count, log, signal } = run;
  const env = () => ({ CHECK_LEASE_MS: String(LEASE_MS), LOG_LEVEL: 'debug' });
  await using fleet = await openFleet(engine, { apis: 1, workers: 2, env });
  await using sql = await openSql(fleet.database);
  const client = fleet.root;
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
      ...fleet.crashes(),
      ...(seen.takenOver < count ? [`only ${seen.takenOver} pauses caught a worker with checks in hand`] : []),
    ],
  };
}

/** One worker gets a burst alone and is stopped soon after it has claimed it; then the other one may work. */
async function pauseOnce(scene: Scene): Promise<Pause> {
  const { fleet, client, sql, ledger, random, tamper } = scene;
  const sleeper = drawOne(random, fleet.workers);
  const mark = sleeper.process.output().length;
  signalAll(fleet.workers, 'SIGSTOP');
  try {
    // A check that is refused while a stopped worker holds the write lock was never accepted.
    await sendBurst([client], ledger, BURST);
    process.kill(sleeper.process.pid, 'SIGCONT');
    await awaitClaims(sql);
    await delay(random(STOP_AFTER_MS));
    process.kill(sleeper.process.pid, 'SIGSTOP');
    const held = await readClaims(sql);
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
    await awaitPending(sql, RESULT_MS_MAX);
    // Results that were read before the worker woke up are read again.
    const burst = [...ledger.acknowledged.keys()].slice(-BURST);
    await Promise.all(burst.map(async (requestId) => ledger.observe(requestId, await readCheck(client, requestId))));
  }
}

/** The claims that another worker has taken over. */
async function movedSince(sql: Sql, held: readonly Claim[]): Promise<readonly Claim[]> {
  if (held.length === 0) return [];
  const ids = held.map(({ requestId }) => `'${requestId}'`).join();
  const rows = await sql.run(`select request_id, fence from sod_check where request_id in (${ids})`);
  const fences = new Map(rows.map((row) => [String(row['request_id']), Number(row['fence'])]));
  return held.filter(({ requestId, fence }) => fences.get(requestId) !== fence);
}

/** Whether all of them have a result in time. */
async function finishes(
  { client, ledger }: Scene,
  checks: readonly Pick<Claim, 'requestId'>[],
  withinMs: number,
): Promise<boolean> {
  const endMs = performance.now() + withinMs;
  for (const { requestId } of checks)
    for (let isDone = false; !isDone; ) {
      // The 202 of a claimed check may still be on its way.
      const check = await readCheck(client, requestId);
      isDone = ledger.acknowledged.has(requestId) ? ledger.observe(requestId, check) : check?.state !== 'PENDING';
      if (!isDone && performance.now() > endMs) return false;
      if (!isDone) await delay(10);
    }
  return true;
}

/** Resolves once a worker has tried to store the results of its claims after its lease. */
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

/** Disables fencing: the claim of the paused worker counts as the latest again. */
async function forgetTakeOver(sql: Sql, held: readonly Claim[]): Promise<void> {
  // Late enough that no other worker claims it, but not so late that the queue attributes it to a clock that was ahead.
  const claimableAtMs = Date.now() + LEASE_MS + 8_000;
  for (const { requestId, fence } of held)
    await sql.run(
      `update sod_check set state = 'PENDING', fence = ${fence}, claimable_at_ms = ${claimableAtMs} where request_id = '${requestId}'`,
    );
}
