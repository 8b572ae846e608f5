import { freePort } from '@access-admin/harness';
import { startThread } from '../campaign/start-thread.ts';

/** A kind of receiver that fails. */
export interface BadReceiver {
  readonly kind: string;
  readonly origin: string;
  /** Deliveries that have arrived; null where nothing listens. */
  readonly arrivals: number | null;
  /** What has happened that must not. */
  readonly findings: readonly string[];
}

/** Starts a receiver of each kind in a thread, and finds an address at which there is none. Disposing of it ends the thread. */
export async function openBadReceivers() {
  const thread = startThread<readonly BadReceiver[]>(new URL('./bad-receivers-thread.ts', import.meta.url), {});
  const away = { kind: 'away', origin: `http://127.0.0.1:${await freePort()}`, arrivals: null, findings: [] };
  const read = async (): Promise<readonly BadReceiver[]> => [away, ...(await thread.ask())];
  return { read, all: await read(), [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose]() };
}
