import { setTimeout as delay } from 'node:timers/promises';
import type { AccessAdminClient } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { RESULT_MS_MAX } from '../load/audit.ts';
import { type CheckLedger, createCheckLedger } from '../load/check-ledger.ts';
import { BALLAST, COMPANY } from '../load/company.ts';
import { readCheck, sendBurst } from '../load/customers.ts';
import { awaitIdleWorkers, openRegisterLoad } from '../register/register-under-load.ts';
import { awaitClaims, awaitPending, type Claim, readClaims, readTakenOver } from '../service/claimed-checks.ts';
import { openSql, type Sql } from '../service/open-database.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { type ProcessSlot, signalAll } from '../service/process-slot.ts';
import { stopOutsideWrites } from '../service/stop-outside-writes.ts';

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
const IDLE_MS_MAX = 5_000;
/** In some pauses only: a worker with much to write is often stopped inside a write. */
const PAUSES_PER_CHANGE = 3;
const LAST_CHANGES = 20;

/** F4: a worker that was paused past its lease changes nothing afterwards: no check, no violation, no event. */
export const workerPausedPastLease: Campaign = {
  id: 'F4',
  title: 'worker paused for longer than its lease',
  unit: 'pauses',
  full: 100,
  short: 5,
  measuresTime: true,
  engines: ['sqlite', 'postgres'],
  run: (run) => pauseWorkers(run),
  control: (run) => pauseWorkers(run, forgetTakeOver),
};

interface Scene {
  readonly fleet: Fleet;
  readonly client: AccessAdminClient;
  readonly register: Awaited<ReturnType<Awaited<ReturnType<typeof openRegisterLoad>>['start']>>;
  readonly sql: Sql;
  readonly ledger: CheckLedger;
  readonly random: Random;
  readonly tamper?: ((sql: Sql, held: readonly Claim[]) => Promise<void>) | undefined;
}

/** How many checks were taken over from a stopped worker, or why none was. */
type Pause = number | 'stops without a check in hand' | 'stops inside a write';

async function pauseWorkers(run: CampaignRun, tamper?: Scene['tamper']): Promise<Outcome> {
  const { engine, seed, count, log, signal } = run;
  await using registerLoad = await openRegisterLoad();
  const env = () => ({ CHECK_LEASE_MS: String(LEASE_MS), LOG_LEVEL: 'debug', ...registerLoad.env });
  await using fleet = await openFleet(engine, { apis: 1, workers: 2, env });
  await using sql = await openSql(fleet.database);
  const client = fleet.root;
  const ledger = createCheckLedger();
  await client.accessModel.import([...COMPANY, ...BALLAST]);
  await using register = await registerLoad.start(fleet, run, { pauseMs: null });
  const scene: Scene = { fleet, client, register, sql, ledger, random: createRandom(seed), tamper };
  const seen = { pauses: 0, 'checks taken over': 0, 'stops without a check in hand': 0, 'stops inside a write': 0 };
  for (let misses = 0; seen.pauses < count && misses < MISSES_MAX; misses++) {
    signal.throwIfAborted();
    const pause = await pauseOnce(scene);
    if (typeof pause === 'string') seen[pause] += 1;
    else {
      misses = -1;
      seen.pauses += 1;
      seen['checks taken over'] += pause;
      if (seen.pauses % 25 === 0) log(`${seen.pauses} pauses`);
    }
  }
  for (let made = 0; made < LAST_CHANGES; made++) await register.makeChange();
  await register.stop();
  const kept = await register.audit(ledger.acknowledged.keys());
  const [{ total, done } = {}] = await sql.run('select count(*) as total, count(result) as done from sod_check');
  const acknowledged = { 'acknowledged checks': ledger.acknowledged.size, 'without result': ledger.open().length };
  return {
    counts: { ...seen, 'rounds left to another worker': countLeft(fleet), ...acknowledged, ...kept.counts },
    broken: [
      ...kept.broken,
      ...summed('wrong answers', ledger.faults),
      ...summed('checks without a result in 60 s', ledger.open()),
      ...(Number(total) === Number(done) ? [] : [`${total} checks in the database, but ${done} results`]),
      ...fleet.crashes(),
      ...(seen.pauses < count ? [`only ${seen.pauses} pauses caught a worker with checks in hand`] : []),
    ],
  };
}

/** How often a worker has found that its register was taken over. */
const countLeft = ({ workers }: Fleet): number =>
  workers.reduce((sum, { process }) => sum + process.output().split('"outcome":"lost","msg":"round"').length - 1, 0);

/** One worker gets a burst alone and is stopped soon after it has claimed it; then the other one may work. */
async function pauseOnce(scene: Scene): Promise<Pause> {
  const { fleet, client, register, sql, ledger, random, tamper } = scene;
  const sleeper = drawOne(random, fleet.workers);
  const others = fleet.workers.filter((worker) => worker !== sleeper);
  const mark = sleeper.process.output().length;
  const observeBurst = async () => {
    const burst = [...ledger.acknowledged.keys()].slice(-BURST);
    await Promise.all(burst.map(async (requestId) => ledger.observe(requestId, await readCheck(client, requestId))));
  };
  await awaitIdleWorkers(sql, IDLE_MS_MAX);
  await stopOutsideWrites(fleet, sql);
  try {
    if (random(PAUSES_PER_CHANGE) === 0) await register.makeChange();
    // A check that is refused while a stopped worker holds the write lock was never accepted.
    await sendBurst([client], ledger, BURST);
    signalAll([sleeper], 'SIGCONT');
    await awaitClaims(sql);
    await delay(random(STOP_AFTER_MS));
    signalAll([sleeper], 'SIGSTOP');
    const held = await readClaims(sql);
    signalAll(others, 'SIGCONT');
    const areDone = async () => {
      const left = new Set((await readClaims(sql)).map(({ requestId }) => requestId));
      return held.every(({ requestId }) => !left.has(requestId));
    };
    if (!(await waitUntil(areDone, { msMax: TAKE_OVER_MS }))) return 'stops inside a write';
    await observeBurst();
    const takenOver = await readTakenOver(sql, held);
    if (takenOver.length === 0) return 'stops without a check in hand';
    await tamper?.(sql, takenOver);
    signalAll([sleeper], 'SIGCONT');
    if (!(await waitUntil(() => hasStoredLate(sleeper, mark), { msMax: WAKE_MS })))
      throw new Error(`${sleeper.name} did not come back:\n${sleeper.process.output().slice(mark)}`);
    return takenOver.length;
  } finally {
    signalAll(fleet.workers, 'SIGCONT');
    await awaitPending(sql, RESULT_MS_MAX);
    // Results that were read before the worker woke up are read again.
    await observeBurst();
  }
}

/** Whether a worker has tried, after its lease, to store the results of its claims or to renew them. */
const hasStoredLate = ({ process }: ProcessSlot, mark: number): boolean =>
  process
    .output()
    .slice(mark)
    .split('\n')
    .some((line) => {
      const ms = /"ms":(\d+),"msg":"batch stored"/.exec(line)?.[1];
      const isLost = line.includes('checks left to other workers');
      return isLost || Number(ms) >= LEASE_MS || line.includes('the storage failed');
    });

/** Disables fencing: the claim of the paused worker counts as the latest again. */
async function forgetTakeOver(sql: Sql, held: readonly Claim[]): Promise<void> {
  // Late enough that no other worker claims it, but not so late that the queue attributes it to a clock that was ahead.
  const claimableAtMs = Date.now() + LEASE_MS + 8_000;
  for (const { requestId, fence } of held)
    await sql.run(
      `update sod_check set state = 'PENDING', fence = ${fence}, claimable_at_ms = ${claimableAtMs} where request_id = '${requestId}'`,
    );
}
