import { createEngineDatabase } from '@access-admin/postgres';
import { openService, type Service } from './start-processes.ts';

/** A service on a fresh database of the engine that the suite runs on. */
export async function openTestService(): Promise<Service> {
  const { url, remove } = await createEngineDatabase();
  const service = openService({ databaseUrl: url });
  return {
    ...service,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await remove();
    },
  };
}
