import { createClient } from '@access-admin/client';
import type { RunningApi } from './open.ts';
import { openTestService } from './open-for-test.ts';

/** A service with a worker, and a client of its bootstrap credentials. Disposing of it ends what was started for it. */
export type JourneyService = Pick<RunningApi, 'baseAddress' | 'client'> & AsyncDisposable;

/**
 * The service that TEST_SERVICE_URL names, such as a container, with the bootstrap client of TEST_SERVICE_CLIENT_ID and
 * TEST_SERVICE_CLIENT_SECRET; its store must be empty. Without that variable, API and worker of this checkout on a fresh
 * database of the engine that the suite runs on.
 */
export async function openJourneyService(): Promise<JourneyService> {
  const { TEST_SERVICE_URL: url, TEST_SERVICE_CLIENT_ID: id, TEST_SERVICE_CLIENT_SECRET: secret } = process.env;
  if (url) {
    const client = createClient({ baseAddress: url, clientId: id ?? '', clientSecret: secret ?? '' });
    return { baseAddress: url, client, async [Symbol.asyncDispose]() {} };
  }
  const service = await openTestService();
  const { baseAddress, client } = await service.startApi();
  service.startWorker();
  return { baseAddress, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}
