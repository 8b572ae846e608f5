import type { SodIndex } from '@access-admin/domain';
import type { SodReader } from '@access-admin/rulebook-cache';
import { type ReportSource, StorageUnavailable } from '@access-admin/store';

const TRIES_MAX = 300;
const PAUSE_MS = 10;

export interface OpenCurrentDeps {
  readonly reader: SodReader;
  /** Milliseconds since 1970. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

interface Current<Source> {
  readonly source: Source;
  readonly index: SodIndex;
  readonly policySetVersion: number;
  readonly asOf: string;
}

/** A snapshot of the data and the rulebook of the same version. */
export async function openCurrent<Source extends ReportSource>(
  deps: OpenCurrentDeps,
  tenant: string,
  open: () => Promise<Source>,
): Promise<Current<Source>> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    // No identity has an empty id: only the rulebook is needed.
    const { index, policySetVersion, changeId } = await deps.reader.read(tenant, '');
    const source = await open();
    const asOf = new Date(deps.now()).toISOString();
    const { version } = source;
    if (version.policySetVersion === policySetVersion && version.changeId === changeId)
      return { source, index, policySetVersion, asOf };
    await source[Symbol.asyncDispose]();
    // The cached rulebook can be slightly older than the snapshot.
    await deps.wait(PAUSE_MS, NEVER);
  }
  throw new StorageUnavailable('The rulebook changed on every attempt to open it with the data.');
}

const NEVER = new AbortController().signal;

/** A pause in which other work may end what this work waits for. */
export async function* pause({ wait }: Pick<OpenCurrentDeps, 'wait'>): AsyncGenerator<void, void> {
  await wait(PAUSE_MS, NEVER);
  yield;
}
