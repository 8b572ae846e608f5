import { openService, type Service, type ServiceOptions } from '@access-admin/harness';

/** On and counting, as by default; raised because a load generator is one client that exceeds 1,000 requests in 10 s. */
export const RATE_LIMIT = '999999999/10s';

/** A service at its default configuration, except for the value of RATE_LIMIT. Its log lines go to files. */
export function openMeasuredService(options: Omit<ServiceOptions, 'logsToFiles'> = {}): Service {
  const service = openService({ ...options, logsToFiles: true });
  return { ...service, startApi: (env = {}) => service.startApi({ RATE_LIMIT, ...env }) };
}
