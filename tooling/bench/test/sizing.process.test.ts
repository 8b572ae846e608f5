import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openService, ROOT, startPostgres } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { measureSizes } from '../src/size/measure-sizes.ts';

/** Few: a page of a table has some tens of rows. */
const PEOPLE = 400;
const TIMES_MAX = 2;
const REST_BYTES_MAX = 1_000_000;

test('one of each takes on the disk what the page about sizes says', async (context) => {
  const server = await startPostgres();
  if ('unavailable' in server) return context.skip(server.unavailable);
  await using _server = server;
  const { url } = await server.createDatabase();
  await using service = openService({ databaseUrl: url });
  const api = await service.startApi();
  const worker = service.startWorker();
  const pids = { api: api.pid, worker: worker.pid, database: server.pid() ?? 0 };
  const { bytes, costs, rest } = await measureSizes({ client: api.client, databaseUrl: url, pids }, PEOPLE);
  const page = readFileSync(join(ROOT, 'docs/operations/sizing.md'), 'utf8');
  const told = [...page.matchAll(/^\| [^|]+ \| `(\w+)` \| ([\d,]+) \|$/gm)].map(
    ([, name = '', value = '']) => [name, Number(value.replaceAll(',', ''))] as const,
  );
  expect(told.map(([name]) => name).toSorted()).toEqual(Object.keys(bytes).toSorted());
  for (const [name, value] of told) {
    const share = value / bytes[name as keyof typeof bytes];
    expect(share, name).toBeLessThan(TIMES_MAX);
    expect(share, name).toBeGreaterThan(1 / TIMES_MAX);
  }
  expect(rest).toBeLessThan(REST_BYTES_MAX);
  for (const { api: ofApi, database } of Object.values(costs)) expect(Math.min(ofApi, database)).toBeGreaterThan(0);
});
