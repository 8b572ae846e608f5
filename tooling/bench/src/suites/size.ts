import { startPostgres } from '@access-admin/harness';
import { figure, type SuiteResult } from '../measure/report.ts';
import { spreadOf } from '../measure/rounds.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { measureSizes } from '../size/measure-sizes.ts';

/** People in each step; the environment variable changes it. */
const people = Number(process.env['BENCH_IDENTITIES'] ?? 5_000);

/** Bytes on the disk of PostgreSQL, and CPU, of one of each: what a deployment is sized by. */
export async function run(): Promise<SuiteResult> {
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(server.unavailable);
  await using _server = server;
  const { url } = await server.createDatabase();
  await using service = openMeasuredService({ databaseUrl: url });
  const api = await service.startApi();
  const worker = service.startWorker();
  const pids = { api: api.pid, worker: worker.pid, database: server.pid() ?? 0 };
  const { bytes, costs, rest } = await measureSizes({ client: api.client, databaseUrl: url, pids }, people);
  return {
    name: 'size',
    tables: [
      {
        header: ['on the disk of PostgreSQL', 'bytes'],
        rows: Object.entries({ ...bytes, rest }).map(([name, value]) => [name, figure(value)]),
      },
      {
        header: ['µs of CPU', 'API', 'worker', 'database'],
        rows: Object.entries(costs).map(([name, cost]) => [
          name,
          figure(cost.api),
          figure(cost.worker),
          figure(cost.database),
        ]),
      },
    ],
    figures: Object.entries(bytes).map(([name, value]) => ({ name: `bytes: ${name}`, spread: spreadOf([value]) })),
    raw: { people, bytes, costs, rest },
  };
}
