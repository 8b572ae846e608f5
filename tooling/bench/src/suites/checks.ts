import { join } from 'node:path';
import { openFolder, startPostgres } from '@access-admin/harness';
import { measureAcceptedToResult } from '../checks/accepted-to-result.ts';
import { CALLERS, CHECKS, type DurableChecks, openDurableChecks } from '../checks/durable-checks.ts';
import { type SuiteResult, spreadText } from '../measure/report.ts';
import { spreadOf, takeTurns } from '../measure/rounds.ts';

const GOAL_IDLE_P95_MS = 25;

/** Rate of durable checks on both engines, and the time to a result on an idle service. */
export async function run(): Promise<SuiteResult> {
  const queues = await measureQueues();
  const idle = await measureAcceptedToResult();
  const median = spreadOf(idle.map(({ medianMs }) => medianMs));
  const p95 = spreadOf(idle.map(({ p95Ms }) => p95Ms));
  return {
    name: 'checks',
    tables: [
      {
        header: [
          `${CHECKS} durable checks, ${CALLERS} callers`,
          'checks/s, median of 5 (range)',
          'enqueue, ms',
          'drain, ms',
        ],
        rows: queues.map(({ name, perSecond, enqueueMs, drainMs }) => [
          name,
          ...[perSecond, enqueueMs, drainMs].map((values) => spreadText(spreadOf(values))),
        ]),
      },
      {
        header: ['accepted to result when idle, ms', 'median of 5 rounds (range)'],
        rows: [
          ['median', spreadText(median)],
          ['p95', spreadText(p95)],
        ],
      },
    ],
    figures: [
      ...queues.map(({ name, perSecond }) => ({ name: `durable checks/s, ${name}`, spread: spreadOf(perSecond) })),
      { name: 'accepted to result when idle, p95 ms', spread: p95, goal: GOAL_IDLE_P95_MS, less: true },
    ],
    raw: { callers: CALLERS, checks: CHECKS, queues, idle },
  };
}

async function measureQueues() {
  using folder = openFolder('bench');
  await using sqlite = await openDurableChecks('SQLite', `sqlite:${join(folder.path, 'checks.db')}`);
  const server = await startPostgres();
  if ('unavailable' in server) {
    process.stderr.write(`Only SQLite is measured: ${server.unavailable}.\n`);
    return await playRounds([sqlite]);
  }
  await using _server = server;
  await using postgres = await openDurableChecks('PostgreSQL', (await server.createDatabase()).url);
  return await playRounds([sqlite, postgres]);
}

async function playRounds(queues: readonly DurableChecks[]) {
  const rounds = await takeTurns(queues, (queue) => queue.playRound());
  return queues.map(({ name }, at) => {
    const ofQueue = rounds[at] ?? [];
    return {
      name,
      enqueueMs: ofQueue.map(({ enqueueMs }) => enqueueMs),
      drainMs: ofQueue.map(({ drainMs }) => drainMs),
      perSecond: ofQueue.map(({ enqueueMs, drainMs }) => (CHECKS * 1000) / (enqueueMs + drainMs)),
    };
  });
}
