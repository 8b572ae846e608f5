import { startPostgres } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../campaign/random.ts';
import { openPostgres } from '../service/open-database.ts';
import { FAULTS, type Target } from './postgres-faults.ts';

const TIMEOUT_MS = 30_000;
const started = await startPostgres({ settings: { max_connections: '20' } });
const server = 'unavailable' in started ? null : started;
let target: Target;
let downs = 0;

beforeAll(async () => {
  if (server === null) return;
  const { url } = await server.createDatabase();
  const whileDown = async () => {
    downs++;
    expect(server.pid()).toBe(null);
  };
  target = { server, url, random: createRandom(1), whileDown };
});

afterAll(() => server?.[Symbol.asyncDispose]());

const NO_SERVER = 'there is no PostgreSQL for this platform';

/** Two connections as a process of the service has them. */
async function connectTwice() {
  const lost: string[] = [];
  const open = async (name: string, statement: string) => {
    const client = new pg.Client({ connectionString: target.url });
    let isLost = false;
    client.on('error', () => {
      if (!isLost) lost.push(name);
      isLost = true;
    });
    await client.connect();
    await client.query(statement);
    return client;
  };
  const listener = await open('listener', 'listen changes');
  const worker = await open('worker', 'select 1');
  return { lost, worker, end: () => Promise.allSettled([listener.end(), worker.end()]) };
}

test.for([
  { name: 'restarted fast', lost: ['listener', 'worker'], down: 1 },
  { name: 'restarted at once', lost: ['listener', 'worker'], down: 1 },
  { name: 'killed', lost: ['listener', 'worker'], down: 1 },
  { name: 'all connections terminated', lost: ['listener', 'worker'], down: 0 },
  { name: 'one listener terminated', lost: ['listener'], down: 0 },
  { name: 'out of connections', lost: ['listener', 'worker'], down: 0 },
])(
  '$name: loses $lost, and accepts connections afterwards',
  { timeout: TIMEOUT_MS },
  async ({ name, lost, down }, { skip }) => {
    if (server === null) return skip(NO_SERVER);
    const before = downs;
    const service = await connectTwice();
    await FAULTS[name]?.(target);
    await expect.poll(() => service.lost.toSorted(), { timeout: TIMEOUT_MS }).toEqual(lost);
    await service.end();
    expect(downs - before).toBe(down);
    const after = await connectTwice();
    expect((await after.worker.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await after.end();
  },
);

test('one listener terminated: of a process, the connection that learns of changes', { timeout: TIMEOUT_MS }, async ({
  skip,
}) => {
  if (server === null) return skip(NO_SERVER);
  await using store = await openStore(target.url);
  await using sql = await openPostgres(target.url);
  const connections = async () =>
    new Map(
      (
        await sql.run(`select pid, query from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
      ).map(({ pid, query }) => [Number(pid), String(query)]),
    );
  await store.ping();
  await expect.poll(async () => (await connections()).size, { timeout: TIMEOUT_MS }).toBeGreaterThan(1);
  const before = await connections();
  await FAULTS['one listener terminated']?.(target);
  const after = await connections();
  const ended = [...before].filter(([pid]) => !after.has(pid));
  expect(ended).toEqual([[expect.any(Number), expect.stringMatching(/^\s*listen |tenant_change|shared_change/)]]);
});

test('hanging: answers late and keeps its connections', { timeout: TIMEOUT_MS }, async ({ skip }) => {
  if (server === null) return skip(NO_SERVER);
  const service = await connectTwice();
  let answer: Promise<unknown> | null = null;
  const whileDown = async () => {
    answer = service.worker.query('select 1');
    const late = new pg.Client({ connectionString: target.url, connectionTimeoutMillis: 300 });
    await expect(late.connect()).rejects.toThrow('timeout');
  };
  await FAULTS['hanging']?.({ ...target, whileDown });
  expect(answer).not.toBe(null);
  await answer;
  expect(service.lost).toEqual([]);
  await service.end();
});
