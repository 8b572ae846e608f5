import { loadPeer } from '../../peers/load-peer.ts';
import { BATCH, type DurableQueue, type Job } from './durable-queue.ts';
import { groupByTurn } from './group-by-turn.ts';
import type { Pool } from './open-postgres.ts';

interface WorkerUtils {
  migrate(): Promise<void>;
  release(): Promise<void>;
  addJob(task: string, job: Job): Promise<unknown>;
  addJobs(jobs: readonly { readonly identifier: string; readonly payload: Job }[]): Promise<unknown>;
}

interface GraphileWorker {
  Logger: new (open: () => () => void) => object;
  makeWorkerUtils(options: object): Promise<WorkerUtils>;
  runOnce(options: object, tasks: Readonly<Record<string, (job: Job) => void>>): Promise<void>;
}

/** The settings of its own performance test: a local queue, jobs fetched and completed in batches. */
const WORKER = { concurrentJobs: 24, localQueue: { size: BATCH }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/** graphile-worker with one call per job, and with one call for all jobs of a turn; both use its worker pool. */
export async function openGraphileWorker(pgPool: Pool): Promise<AsyncDisposable & { queues: DurableQueue[] }> {
  const { Logger, makeWorkerUtils, runOnce } = await loadPeer<GraphileWorker>('graphile-worker');
  const options = { pgPool, logger: new Logger(() => () => {}), noHandleSignals: true, preset: { worker: WORKER } };
  const utils = await makeWorkerUtils(options);
  await utils.migrate();

  const drain = async (done: (number: number) => void) => {
    await runOnce(options, { check: ({ number }) => done(number) });
    const { rows } = await pgPool.query('select count(*)::int as left from graphile_worker.jobs');
    if (rows[0]?.['left'] !== 0) throw new Error(`graphile-worker left ${rows[0]?.['left']} jobs.`);
  };
  const addJobs = groupByTurn<Job>((jobs) => utils.addJobs(jobs.map((payload) => ({ identifier: 'check', payload }))));
  return {
    queues: [
      { name: 'graphile-worker, `addJob`', enqueue: (job) => utils.addJob('check', job), drain },
      { name: 'graphile-worker, grouped `addJobs`', enqueue: addJobs, drain },
    ],
    [Symbol.asyncDispose]: () => utils.release(),
  };
}
