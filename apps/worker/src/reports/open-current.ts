import type { SodIndex } from '@access-admin/domain';
import type { SodReader } from '@access-admin/store';
import { type DataVersion, type ReportSource, StorageUnavailable } from '@access-admin/store';

const TRIES_MAX = 300;
const PAUSE_MS = 10;
// Where data change that often, an instant before the data must do.
const EXACT_TRIES_MAX = 10;

export interface OpenCurrentDeps {
  readonly reader: SodReader;
  /** Milliseconds since 1970. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** How the data of a tenant are opened. */
export interface Opening<Source> {
  /** Reads the version of the present data. */
  look(): Promise<DataVersion>;
  /** Opens the present data. */
  open(): Promise<Source>;
}

/** Data with their instant. */
interface OfInstant<Source> {
  readonly source: Source;
  readonly asOf: string;
}

interface Current<Source> extends OfInstant<Source> {
  readonly index: SodIndex;
  readonly policySetVersion: number;
}

/**
 * Opens data together with the instant they represent. The clock is read first: what is committed after the instant may be
 * missing. The data have not changed since a look before that, so they contain nothing that began after the instant.
 */
export async function openAtInstant<Source extends DataVersion & AsyncDisposable>(
  { now }: Pick<OpenCurrentDeps, 'now'>,
  { look, open }: Opening<Source>,
): Promise<OfInstant<Source>> {
  let seen = await look();
  for (let tries = 1; ; tries++) {
    const asOf = new Date(now()).toISOString();
    const source = await open();
    if (isSameData(source, seen) || tries === EXACT_TRIES_MAX) return { source, asOf };
    const { version, identityRevision, tenantCreated } = source;
    seen = { version, identityRevision, tenantCreated };
    await source[Symbol.asyncDispose]();
  }
}

/** Whether rulebooks have the same version. */
export const isSameRulebook = (one: DataVersion['version'], other: DataVersion['version']): boolean =>
  one.policySetVersion === other.policySetVersion && one.changeId === other.changeId;

/** Whether data have the same version. */
export const isSameData = (one: DataVersion, other: DataVersion): boolean =>
  one.tenantCreated === other.tenantCreated &&
  one.identityRevision === other.identityRevision &&
  isSameRulebook(one.version, other.version);

/** A snapshot of the data and the rulebook of the same version, with their instant. */
export async function openCurrent<Source extends ReportSource>(
  deps: OpenCurrentDeps,
  tenant: string,
  opening: Opening<Source>,
): Promise<Current<Source>> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    // No identity has an empty id: only the rulebook is needed.
    const { index, policySetVersion, changeId } = await deps.reader.read(tenant, '');
    const { source, asOf } = await openAtInstant(deps, opening);
    if (isSameRulebook(source.version, { policySetVersion, changeId }))
      return { source, index, policySetVersion, asOf };
    await source[Symbol.asyncDispose]();
    // The cached rulebook can be slightly older than the snapshot.
    await deps.wait(PAUSE_MS, NEVER);
  }
  throw new StorageUnavailable('The rulebook changed on every attempt to open it with the data.');
}

const NEVER = new AbortController().signal;

/** Waits a little for other work of the tenant that uses its population. */
export const waitForPopulation = ({ wait }: Pick<OpenCurrentDeps, 'wait'>): Promise<void> => wait(PAUSE_MS, NEVER);
