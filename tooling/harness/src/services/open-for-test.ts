import { createEngineDatabase } from '../databases/create-on-engine.ts';
import { openService, type Service } from './open.ts';

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
