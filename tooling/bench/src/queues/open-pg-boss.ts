import { loadPeer } from '../../peers/load-peer.ts';
import { BATCH, type DurableQueue, type Job } from './durable-queue.ts';
import { groupByTurn } from './group-by-turn.ts';

interface PgBoss {
  start(): Promise<unknown>;
  stop(options: { readonly graceful: boolean }): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): void;
  createQueue(name: string): Promise<void>;
  send(name: string, data: object): Promise<string | null>;
  insert(name: string, jobs: readonly { readonly data: object }[]): Promise<unknown>;
  fetch(
    name: string,
    options: { readonly batchSize: number },
  ): Promise<readonly { readonly id: string; readonly data: Job }[]>;
  complete(name: string, ids: readonly string[]): Promise<{ readonly affected: number }>;
}

/** pg-boss with one call per job, and with one insert for all jobs of a turn. Both fetch and complete in batches. */
export async function openPgBoss(connectionString: string): Promise<AsyncDisposable & { queues: DurableQueue[] }> {
  const { PgBoss } = await loadPeer<{ PgBoss: new (options: object) => PgBoss }>('pg-boss');
  const boss = new PgBoss({ connectionString });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  for (const queue of ['single', 'grouped']) await boss.createQueue(queue);

  const drain = async (queue: string, done: (number: number) => void) => {
    for (;;) {
      const jobs = await boss.fetch(queue, { batchSize: BATCH });
      if (jobs.length === 0) return;
      const ids = jobs.map(({ id }) => id);
      const { affected } = await boss.complete(queue, ids);
      if (affected !== jobs.length) throw new Error(`${affected} of ${jobs.length} completions took effect.`);
      for (const { data } of jobs) done(data.number);
    }
  };
  const insert = groupByTurn<Job>((jobs) =>
    boss.insert(
      'grouped',
      jobs.map((data) => ({ data })),
    ),
  );
  return {
    queues: [
      { name: 'pg-boss, `send`', enqueue: (job) => boss.send('single', job), drain: (done) => drain('single', done) },
      { name: 'pg-boss, grouped `insert`', enqueue: insert, drain: (done) => drain('grouped', done) },
    ],
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  };
}
