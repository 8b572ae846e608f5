import { setTimeout as delay } from 'node:timers/promises';
import { type AccessAdminClient, ConflictError, type SourceLoad } from '@access-admin/client';
import { drawOne, type Random } from '../campaign/random.ts';
import { isRefusal } from '../load/customers.ts';
import type { PlannedLoad } from './planned-load.ts';

/** What a loader does besides its loads; a control plants losses with it. */
export interface LoaderHooks {
  /** All parts of the load are acknowledged. */
  beforeCommit?(loadId: string): Promise<void>;
  /** The load was seen to end. */
  afterEnd?(loadId: string): Promise<void>;
}

export interface Loader {
  readonly source: string;
  /** Of several APIs. */
  readonly clients: readonly AccessAdminClient[];
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly hooks: LoaderHooks;
  /** What a part has first, in place of which its lines are sent. */
  readonly draft: string;
  /** Reports a call that failed because no API answered it. */
  onFailure(error: unknown): void;
}

const PAUSE_MS = 20;

/** Makes a load, whichever processes end meanwhile, and resolves with it as it ended. Rejects where a call is refused. */
export async function makeLoad(loader: Loader, plan: PlannedLoad): Promise<SourceLoad> {
  const { source, hooks, random } = loader;
  const loadId = await open(loader, plan);
  for (const [at, lines] of plan.parts.entries()) {
    const versions = random(4) === 0 ? [loader.draft, lines] : [lines];
    for (const version of versions)
      await untilAnswered(loader, (client) => client.sourceLoads.putPart(source, loadId, at + 1, version));
  }
  await hooks.beforeCommit?.(loadId);
  await untilAnswered(loader, (client) => commit(client, source, loadId));
  const read = () => untilAnswered(loader, (client) => client.sourceLoads.get(source, loadId));
  while (!hasEnded(await read())) await delay(PAUSE_MS, undefined, { signal: loader.signal });
  await hooks.afterEnd?.(loadId);
  return read();
}

const hasEnded = ({ state }: SourceLoad): boolean => state !== 'OPEN' && state !== 'RUNNING';

/** Opens a load, or finds the one that an earlier attempt without an answer has opened. */
const open = (loader: Loader, { mode, dryRun }: PlannedLoad): Promise<string> =>
  untilAnswered(loader, async ({ sourceLoads }) => {
    const { source } = loader;
    try {
      return (await sourceLoads.create(source, { mode, dryRun })).loadId;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const { items } = await sourceLoads.page(source, { limit: 1 });
      const [latest] = items;
      if (latest?.state !== 'OPEN') throw error;
      return latest.loadId;
    }
  });

/** Commits a load, unless an earlier attempt without an answer has. */
async function commit({ sourceLoads }: AccessAdminClient, source: string, loadId: string): Promise<void> {
  try {
    await sourceLoads.commit(source, loadId);
  } catch (error) {
    if (!(error instanceof ConflictError) || (await sourceLoads.get(source, loadId)).state === 'OPEN') throw error;
  }
}

/** Repeats a call, at one API after the other, until it is answered. */
async function untilAnswered<T>(
  { clients, random, signal, onFailure }: Loader,
  call: (client: AccessAdminClient) => Promise<T>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call(drawOne(random, clients));
    } catch (error) {
      if (isRefusal(error)) throw error;
      onFailure(error);
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}
