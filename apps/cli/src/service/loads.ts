import { setTimeout as delay } from 'node:timers/promises';
import { type AccessAdminClient, ApiError, NotFoundError } from '@access-admin/client';
import type { LoadSummary as LoadedCounts } from '@access-admin/domain';
import { line } from '../output/escape.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { type KeptProgress, keptNumber } from './kept-progress.ts';
import type { LoadParts } from './load-parts.ts';
import { whileAway } from './while-away.ts';

/** A system that data comes from. */
export interface Source {
  readonly id: string;
  readonly name: string;
}

/** What a load does, or would do; a dry run may tell the violations that it would open and end. */
export interface LoadSummary extends LoadedCounts {
  readonly violations?: { readonly opened: number; readonly ended: number };
}

/** A load of a source. */
export interface Load {
  readonly loadId: string;
  readonly state: 'OPEN' | 'RUNNING' | 'SUCCESS' | 'REFUSED' | 'ERROR';
  /** Why it is refused, such as `DELETES_ABOVE_THRESHOLD`. */
  readonly reason?: string | null;
  /** How many accounts it would delete, or take all access from. */
  readonly deletes?: number | null;
  readonly message?: string | null;
  readonly summary?: LoadSummary | null;
}

/** How a load is made. */
export interface LoadOptions {
  readonly mode: 'FULL' | 'DELTA';
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
  const { value: sources } = await client.call<readonly Source[]>({
    method: 'GET',
    path: '/sources/v1',
    query: { limit: 100 },
    signal,
  });
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
export async function runLoad(parts: LoadParts, source: Source, options: LoadOptions, loading: Loading): Promise<Load> {
  const { client, output, signal, progress } = loading;
  const path = `/sources/v1/${encodeURIComponent(source.id)}/loads`;
  const away = <T>(action: () => Promise<T>) => whileAway(action, { output, signal });
  const read = async (loadId: string) =>
    (await client.call<Load>({ method: 'GET', path: `${path}/${loadId}`, signal })).value;
  const get = (loadId: string) => away(() => read(loadId));
  const bar = output.progress('Loading', 'bytes');
  let loadId: string | null = null;
  let sent = 0;
  try {
    const kept = progress.read();
    const known = typeof kept['loadId'] === 'string' && !options.restart ? await found(get(kept['loadId'])) : null;
    let load = known !== null && isGoingOn(known) ? known : await create();
    loadId = load.loadId;
    if (load === known) {
      sent = Math.min(parts.count, keptNumber(kept['parts']));
      output.note(line`going on with load ${loadId} of an earlier run, which has ${sent} of ${parts.count} parts`);
    }
    progress.save({ loadId, parts: sent });
    if (load.state === 'OPEN') {
      for (let part = sent + 1; part <= parts.count; part++) {
        await put(loadId, part);
        sent = part;
        progress.save({ loadId, parts: sent });
        bar.update(part, parts.count);
      }
    }
    if (load.state === 'OPEN' || load.state === 'REFUSED') load = await commit(loadId, load.state);
    for (
      let pauseMs = 100;
      load.state === 'OPEN' || load.state === 'RUNNING';
      pauseMs = Math.min(pauseMs * 2, POLL_MS_MAX)
    ) {
      await delay(pauseMs, undefined, { signal });
      load = await get(loadId);
    }
    // A load that was refused for its deletions can be confirmed.
    if (load.state !== 'REFUSED') progress.remove();
    return load;
  } catch (error) {
    const done =
      loadId === null
        ? 'no load was opened'
        : `load ${loadId} has ${sent} of ${parts.count} parts: the same command goes on from there`;
    if (signal.aborted) throw new CommandFailure(`stopped: ${done}`);
    output.note(done);
    throw error;
  } finally {
    bar.end();
  }

  async function create(): Promise<Load> {
    const { mode, dryRun } = options;
    const body = json({ mode, dryRun });
    const post = async () => (await client.call<Load>({ method: 'POST', path, body, signal })).value;
    try {
      return await away(post);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      const { value: loads } = await client.call<readonly Load[]>({ method: 'GET', path, signal });
      const other = loads.find(isGoingOn);
      if (options.restart && other?.state === 'OPEN') {
        await client.call({ method: 'DELETE', path: `${path}/${other.loadId}`, signal });
        return away(post);
      }
      if (other === undefined) throw error;
      const advice = other.state === 'OPEN' ? '; --restart cancels it, and begins anew' : '';
      throw new CommandFailure(`${source.name} has a load already: ${other.loadId} is ${other.state}${advice}`);
    }
  }

  async function put(id: string, part: number): Promise<void> {
    const body = { type: 'application/x-ndjson', text: parts.read(part) };
    const request = {
      method: 'PUT',
      path: `${path}/${id}/parts/${part}`,
      body,
      signal,
      timeoutMs: REQUEST_MS,
    } as const;
    try {
      await away(() => client.call(request));
    } catch (error) {
      if (!(error instanceof ApiError) || error.causes.length === 0) throw error;
      const texts = error.causes.map(({ text }) => {
        const [whole = '', number = '0'] = /^line (\d+)/.exec(text) ?? [];
        return `${parts.placeOf(part, Number(number)) ?? `part ${part}`}${text.slice(whole.length)}`;
      });
      throw new CommandFailure(`part ${part} was refused (${error.detailCode ?? error.status})\n${texts.join('\n')}`);
    }
  }

  /** Commits a load. Whether a commit whose outcome is unknown was taken shows in its state. */
  async function commit(id: string, before: Load['state']): Promise<Load> {
    const { confirmDeletes } = options;
    if (before === 'REFUSED' && confirmDeletes === null) return get(id);
    const body = json(confirmDeletes === null ? {} : { confirmDeletes });
    await away(async () => {
      try {
        await client.call({ method: 'POST', path: `${path}/${id}/commit`, body, signal });
      } catch (error) {
        if (error instanceof ApiError && error.status < 500 && error.status !== 409 && error.status !== 429)
          throw error;
        const { state } = await read(id);
        if (state === before) throw error;
      }
    });
    const load = await get(id);
    // A commit is answered before its load begins.
    return load.state === before && before === 'REFUSED' ? { ...load, state: 'RUNNING' } : load;
  }
}

const json = (value: object) => ({ type: 'application/json', text: JSON.stringify(value) });

const isGoingOn = ({ state }: Load): boolean => state === 'OPEN' || state === 'RUNNING' || state === 'REFUSED';

/** A load, or null where the service has it no more. */
async function found(load: Promise<Load>): Promise<Load | null> {
  try {
    return await load;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
