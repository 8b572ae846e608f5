import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { AccessModelRecord } from '@access-admin/domain';
import { openStore, type Store } from '@access-admin/store';
import { importRecords, TENANT } from '../world/seed-population.ts';

// Looking takes time of the processors that the round needs: 50 ms are at most a hundredth of what it takes.
const SETTLED_EVERY_MS = 50;

/** Resolves when the register has the present data. */
export async function settled({ register }: Store): Promise<void> {
  for (;;) {
    const now = new Date().toISOString();
    const { asOf } = await register.readView(TENANT, now);
    if (asOf === now) return;
    await sleep(SETTLED_EVERY_MS);
  }
}

interface RegisterWriter extends AsyncDisposable {
  /** Imports a record and resolves when the register has it. */
  write(record: AccessModelRecord): Promise<void>;
}

/** Opens a writer in a thread of its own: calls of SQLite would hold up the load that the caller sends and measures. */
export async function openRegisterWriter(databaseUrl: string): Promise<RegisterWriter> {
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: databaseUrl });
  await once(thread, 'message');
  return {
    write: async (record) => {
      thread.postMessage(record);
      await once(thread, 'message');
    },
    [Symbol.asyncDispose]: async () => void (await thread.terminate()),
  };
}

async function serve(port: NonNullable<typeof parentPort>, databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl);
  port.on('message', async (record: AccessModelRecord) => {
    await importRecords(store, [record]);
    await settled(store);
    port.postMessage('settled');
  });
  port.postMessage('open');
}

if (!isMainThread && parentPort !== null) await serve(parentPort, workerData);
