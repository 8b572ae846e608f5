import { type Figure, figure, type SuiteResult, spreadText, type Table } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';
import { type IdleWaits, measureAcceptedToResult } from '../queues/accepted-to-result.ts';
import { measureFlushMs } from '../queues/flush-time.ts';
import { openGraphileWorker } from '../queues/open-graphile-worker.ts';
import { openOwnQueue, openSqliteQueue } from '../queues/open-own-queue.ts';
import { openPgBoss } from '../queues/open-pg-boss.ts';
import { openPostgres } from '../queues/open-postgres.ts';
import { CALLERS, JOBS, playRound } from '../queues/play-round.ts';

const GOAL_TIMES_SEND = 25;
const GOAL_TIMES_GROUPED = 6;
const GOAL_POSTGRES_TIMES_SEND = 10;
const GOAL_POSTGRES_TIMES_GRAPHILE = 2;
const GOAL_IDLE_P95_MS = 25;

interface Measured {
  readonly name: string;
  readonly enqueueMs: readonly number[];
  readonly drainMs: readonly number[];
  /** Jobs per second from the first enqueue to the end of the last job. */
  readonly perSecond: readonly number[];
}

interface Results {
  readonly queues: readonly Measured[];
  readonly flushMs: readonly number[];
  readonly idle: readonly IdleWaits[];
}

/** Rate of durable checks, enqueued by 64 callers and processed in batches, and the time to a result on an idle service. */
export async function run(): Promise<SuiteResult> {
  const results = { ...(await measureQueues()), idle: await measureAcceptedToResult() };
  return {
    name: 'queue',
    tables: [queueTable(results), idleTable(results)],
    figures: figuresOf(results),
    raw: { callers: CALLERS, jobs: JOBS, ...results },
  };
}

async function measureQueues(): Promise<Pick<Results, 'queues' | 'flushMs'>> {
  await using own = await openSqliteQueue();
  await using postgres = await openPostgres();
  await using ownPostgres = await openOwnQueue('access-admin, PostgreSQL', await postgres.createDatabase());
  await using pgBoss = await openPgBoss(postgres.connectionString);
  await using graphileWorker = await openGraphileWorker(postgres.pool);
  const queues = [own, ownPostgres, ...pgBoss.queues, ...graphileWorker.queues];
  const flushMs: number[] = [];
  const rounds = await takeTurns(queues, async (queue) => {
    flushMs.push(measureFlushMs(own.folder));
    return playRound(queue);
  });
  const measured = queues.map(({ name }, at) => {
    const ofQueue = rounds[at] ?? [];
    return {
      name,
      enqueueMs: ofQueue.map(({ enqueueMs }) => enqueueMs),
      drainMs: ofQueue.map(({ drainMs }) => drainMs),
      perSecond: ofQueue.map(({ enqueueMs, drainMs }) => (JOBS * 1000) / (enqueueMs + drainMs)),
    };
  });
  return { queues: measured, flushMs };
}

function queueTable({ queues, flushMs }: Results): Table {
  const send = queues.find(({ name }) => name.includes('`send`'))?.perSecond ?? [];
  return {
    header: [
      `${JOBS} durable jobs, ${CALLERS} callers; 4 KiB flushed in ${spreadText(spreadOf(flushMs))} ms`,
      'jobs/s, median of 5 (range)',
      'enqueue, ms',
      'drain, ms',
      'times pg-boss `send`',
    ],
    rows: queues.map(({ name, perSecond, enqueueMs, drainMs }) => [
      name,
      ...[perSecond, enqueueMs, drainMs].map((values) => spreadText(spreadOf(values))),
      figure(ratioOf(perSecond, send).median),
    ]),
  };
}

const idleTable = ({ idle }: Results): Table => ({
  header: ['accepted to result when idle, ms', 'median of 5 rounds (range)'],
  rows: [
    ['median', spreadText(spreadOf(idle.map(({ medianMs }) => medianMs)))],
    ['p95', spreadText(spreadOf(idle.map(({ p95Ms }) => p95Ms)))],
  ],
});

function figuresOf({ queues, flushMs, idle }: Results): readonly Figure[] {
  const rateOf = (part: string) => queues.find(({ name }) => name.includes(part))?.perSecond ?? [];
  const own = rateOf('access-admin, SQLite');
  const ownPostgres = rateOf('access-admin, PostgreSQL');
  const grouped = queues
    .filter(({ name }) => name.includes('grouped'))
    .toSorted((a, b) => spreadOf(b.perSecond).median - spreadOf(a.perSecond).median)[0];
  return [
    { name: 'durable checks, times pg-boss `send`', spread: ratioOf(own, rateOf('`send`')), goal: GOAL_TIMES_SEND },
    {
      name: `durable checks, times the best grouped peer (${grouped?.name})`,
      spread: ratioOf(own, grouped?.perSecond ?? []),
      goal: GOAL_TIMES_GROUPED,
    },
    {
      name: 'durable checks on PostgreSQL, times pg-boss `send`',
      spread: ratioOf(ownPostgres, rateOf('`send`')),
      goal: GOAL_POSTGRES_TIMES_SEND,
    },
    {
      name: 'durable checks on PostgreSQL, times graphile-worker grouped',
      spread: ratioOf(ownPostgres, rateOf('grouped `addJobs`')),
      goal: GOAL_POSTGRES_TIMES_GRAPHILE,
    },
    { name: 'flush of 4 KiB, ms', spread: spreadOf(flushMs) },
    { name: 'accepted to result when idle, median ms', spread: spreadOf(idle.map(({ medianMs }) => medianMs)) },
    {
      name: 'accepted to result when idle, p95 ms',
      spread: spreadOf(idle.map(({ p95Ms }) => p95Ms)),
      goal: GOAL_IDLE_P95_MS,
      less: true,
    },
  ];
}
