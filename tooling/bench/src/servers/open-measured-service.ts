import { openService, type Service, type ServiceOptions, startPostgres } from '@access-admin/harness';

/** On and counting, as by default; raised because a load generator is one client that exceeds 1,000 requests in 10 s. */
export const RATE_LIMIT = '999999999/10s';

/** A service at its default configuration, except for the value of RATE_LIMIT. Its log lines go to files. */
export function openMeasuredService(options: Omit<ServiceOptions, 'logsToFiles'> = {}): Service {
  const service = openService({ ...options, logsToFiles: true });
  return { ...service, startApi: (env = {}) => service.startApi({ RATE_LIMIT, ...env }) };
}

/** The engine that `BENCH_ENGINE` names, `sqlite` or `postgres`; SQLite if it is not set. */
export const ENGINE = process.env['BENCH_ENGINE'] ?? 'sqlite';

/** A service as of `openMeasuredService` on a new database of `ENGINE`, and its server; both end with `stack`. */
export async function openServiceOfEngine(stack: AsyncDisposableStack) {
  const server = ENGINE === 'postgres' ? await startPostgres() : null;
  if (server !== null && 'unavailable' in server) throw new Error(server.unavailable);
  stack.use(server);
  const options = server === null ? {} : { databaseUrl: (await server.createDatabase()).url };
  return { server, service: stack.use(openMeasuredService(options)) };
}
