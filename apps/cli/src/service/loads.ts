import { setTimeout as delay } from 'node:timers/promises';
import { type AccessAdminClient, ApiError, NotFoundError, type Source, type SourceLoad } from '@access-admin/client';
import { counted } from '../output/counted.ts';
import { line } from '../output/escape.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { type KeptProgress, keptNumber } from './kept-progress.ts';
import type { LoadParts } from './load-parts.ts';
import { whileAway } from './while-away.ts';

/** How a load is made. */
export interface LoadOptions {
  readonly mode: SourceLoad['mode'];
  readonly dryRun: boolean;
  readonly confirmDeletes: number | null;
  /** Cancels a load of the source that is open. */
  readonly restart: boolean;
}

/** What a load needs. */
export interface Loading {
  readonly client: AccessAdminClient;
  readonly output: Output;
  readonly signal: AbortSignal;
  readonly progress: KeptProgress;
}

/** The longest that a part may take. */
const REQUEST_MS = 180_000;
const POLL_MS_MAX = 2000;

/** The source of an id or a name. Throws a `CommandFailure` that names those that there are. */
export async function findSource(client: AccessAdminClient, given: string, signal: AbortSignal): Promise<Source> {
  // A tenant has at most 100.
  const { items: sources } = await client.sources.page({ limit: 100, signal });
  const byId = sources.find(({ id }) => id === given);
  const byName = sources.filter(({ name }) => name === given);
  const found = byId ?? (byName.length === 1 ? byName[0] : undefined);
  if (found !== undefined) return found;
  const known = sources.map(({ id, name }) => `${name} (${id})`).join(', ') || 'none';
  throw new CommandFailure(
    byName.length > 1
      ? `several sources are called ${given}: give the id: ${known}`
      : `there is no source ${given}; there are: ${known}`,
  );
}

/**
 * Sends the parts of a load, commits it, and waits for its end. Each request may be repeated; after a failure the same call goes on
 * where it stopped. Throws what failed, after a note of what was done.
 */
export async function runLoad(
  parts: LoadParts,
  { id: source, name }: Source,
  options: LoadOptions,
  { client: { sourceLoads }, output, signal, progress }: Loading,
): Promise<SourceLoad> {
  const { mode, dryRun, restart } = options;
  const confirmDeletes = options.confirmDeletes ?? undefined;
  const away = <T>(action: () => Promise<T>) => whileAway(action, { output, signal });
  const get = (id: string) => sourceLoads.get(source, id, { signal });
  const bar = output.progress('Sending', 'bytes');
  let loadId: string | null = null;
  let sent = 0;
  try {
    const known = restart ? null : await earlier();
    let load = known ?? (await create());
    loadId = load.loadId;
    if (known !== null) {
      sent = Math.min(parts.count, keptNumber(progress.read()['parts']));
      output.note(
        line`going on with load ${loadId} of an earlier run, which has ${sent} of ${counted(parts.count, 'part')}`,
      );
    }
    progress.save({ loadId, parts: sent });
    if (load.state === 'OPEN') await sendParts(loadId);
    if (load.state !== 'RUNNING') load = await commit(load);
    load = await waitForEnd(load, {
      read: (of) => away(() => get(of)),
      pause: (ms) => delay(ms, undefined, { signal }),
      note: output.note,
    });
    if (!canBeConfirmed(load)) progress.remove();
    return load;
  } catch (error) {
    const done =
      loadId === null
        ? 'no load was opened'
        : `load ${loadId} has ${sent} of ${counted(parts.count, 'part')}: the same command goes on from there`;
    if (signal.aborted) throw new CommandFailure(`stopped: ${done}`);
    output.note(done);
    throw error;
  } finally {
    bar.end();
  }

  /** The load that an earlier run of the same command has left behind, where it can go on; else null. */
  async function earlier(): Promise<SourceLoad | null> {
    const { loadId: kept } = progress.read();
    if (typeof kept !== 'string') return null;
    try {
      const load = await away(() => get(kept));
      const goesOn = isUnderWay(load) || (canBeConfirmed(load) && confirmDeletes !== undefined);
      return goesOn ? load : null;
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  async function create(): Promise<SourceLoad> {
    const list = async () => (await away(() => sourceLoads.page(source, { signal }))).items;
    const before = new Set((await list()).map(({ loadId: id }) => id));
    let attempts = 0;
    const open = () =>
      away(() => {
        attempts++;
        return sourceLoads.create(source, { mode, dryRun }, { signal });
      });
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      const other = (await list()).find(isUnderWay);
      if (other === undefined) throw error;
      // The answer to an attempt was lost, and this is what it has opened.
      const isOwn = attempts > 1 && !before.has(other.loadId) && other.mode === mode && other.dryRun === dryRun;
      if (isOwn && other.state === 'OPEN') return other;
      if (restart && other.state === 'OPEN') {
        await cancel(other.loadId);
        return open();
      }
      const advice = other.state === 'OPEN' ? '; --restart cancels it, and begins anew' : ': wait for its end';
      throw new CommandFailure(`${name} has a load already: ${other.loadId} is ${other.state}${advice}`);
    }
  }

  /** Whether a cancellation whose outcome is unknown was taken shows in that the load is gone. */
  function cancel(id: string): Promise<void> {
    return away(async () => {
      try {
        await sourceLoads.cancel(source, id, { signal });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    });
  }

  async function sendParts(id: string): Promise<void> {
    for (let part = sent + 1; part <= parts.count; part++) {
      const text = parts.read(part);
      await away(() => sourceLoads.putPart(source, id, part, text, { signal, timeoutMs: REQUEST_MS }));
      sent = part;
      progress.save({ loadId: id, parts: sent });
      bar.update(parts.bytesTo(part), parts.bytes);
    }
  }

  /** Commits a load. Whether a commit whose outcome is unknown was taken shows in its state. */
  function commit({ loadId: id, state }: SourceLoad): Promise<SourceLoad> {
    return away(async () => {
      try {
        return await sourceLoads.commit(source, id, { confirmDeletes, signal });
      } catch (error) {
        const load = await get(id);
        if (load.state === state) throw error;
        return load;
      }
    });
  }
}

/** What waiting for the end of a load needs. */
export interface Waiting {
  readonly read: (loadId: string) => Promise<SourceLoad>;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly note: (text: string) => void;
}

/** After this time a line says what is waited for. */
const SILENT_MS = 30_000;

/** Waits until a load has ended, and returns it. */
export async function waitForEnd(load: SourceLoad, { read, pause, note }: Waiting): Promise<SourceLoad> {
  let last = load;
  let isTold = false;
  for (let waitedMs = 0, pauseMs = 100; last.state === 'RUNNING'; pauseMs = Math.min(pauseMs * 2, POLL_MS_MAX)) {
    await pause(pauseMs);
    waitedMs += pauseMs;
    last = await read(last.loadId);
    if (isTold || waitedMs < SILENT_MS || last.state !== 'RUNNING') continue;
    isTold = true;
    note(line`load ${last.loadId} ${textOfProgress(last)}`);
  }
  return last;
}

function textOfProgress({ summary }: SourceLoad): string {
  const { created = 0, updated = 0, deleted = 0, unchanged = 0 } = summary?.accounts ?? {};
  const accounts = created + updated + deleted + unchanged;
  return accounts > 0
    ? `is being applied: ${counted(accounts, 'account')} so far`
    : 'has changed nothing yet: a worker of the service examines it, or none is running';
}

const isUnderWay = ({ state }: SourceLoad): boolean => state === 'OPEN' || state === 'RUNNING';

const canBeConfirmed = ({ state, reason }: SourceLoad): boolean =>
  state === 'REFUSED' && reason === 'DELETES_ABOVE_THRESHOLD';
