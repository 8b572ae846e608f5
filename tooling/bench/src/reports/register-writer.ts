import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AccessModelRecord } from '@access-admin/domain';

interface RegisterWriter extends AsyncDisposable {
  /** Imports a record and resolves when the register has it. One call at a time; rejects when the thread has ended. */
  write(record: AccessModelRecord): Promise<void>;
}

/** Opens a writer in a thread of its own: calls of SQLite would hold up the load that the caller sends and measures. */
export async function openRegisterWriter(databaseUrl: string): Promise<RegisterWriter> {
  const thread = new Worker(new URL('register-writer-thread.ts', import.meta.url), { workerData: databaseUrl });
  const ended = once(thread, 'exit').then(() => {
    throw new Error('The thread that writes to the register has ended.');
  });
  // The next write reports it.
  ended.catch(() => {});
  const nextMessage = () => Promise.race([once(thread, 'message'), ended]);
  await nextMessage();
  return {
    write: async (record) => {
      thread.postMessage(record);
      await nextMessage();
    },
    [Symbol.asyncDispose]: async () => void (await thread.terminate()),
  };
}
