import {
  type AccessRefTable,
  compileGrantingRefs,
  countBefore,
  createAccessRefTable,
  createFinderMemory,
  type FinderMemory,
  type HeldAccessLists,
  refTableBytes,
  type SodCatalogue,
} from '@access-admin/domain';
import type { ReportSource } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import { createShardWriter, markForReevaluation, removeDeleted, type Shard, shardBytes, shardSize } from './shard.ts';

/** The identities of a tenant in shards, kept in memory between reports. */
export interface Population {
  readonly refs: AccessRefTable;
  /** For all finders of one report: its evaluations do not overlap. */
  readonly finderMemory: FinderMemory;
  /** The number of shards known so far: opening the last shard can add more. */
  readonly shardCount: number;
  /** The number of identities; null unless all shards are in memory. */
  size(): number | null;
  /** Takes in the changes since the last report. All shards in memory then have the state of the source. */
  refresh(source: ReportSource, pause: Pause): Promise<void>;
  /** A shard, read from the source unless it is in memory. Shards are in order of their ids. Throws for an unknown number. */
  open(number: number, source: ReportSource, pause: Pause): Promise<Shard>;
  /** The range of ids of a shard that was opened. */
  rangeOf(number: number): Parameters<ReportSource['identities']>[0];
  /** The refs that give each entitlement, of all refs in the table at this time. */
  grantingRefs(catalogue: SodCatalogue): HeldAccessLists['grantingRefs'];
}

/** The populations of all tenants. */
export interface Populations {
  /** Opens the population of a tenant for one report or for its register, unless it is open; it stays in memory until it is disposed of. */
  open(tenant: string): Population & Disposable;
  /** Whether the population of a tenant is in use. */
  isOpen(tenant: string): boolean;
}

/** Limits of the memory. */
export interface PopulationLimits {
  /** Shards that do not fit are read for each report; those of the tenants whose last report is oldest are dropped first. */
  readonly bytesMax: number;
  /** The most identities of one shard, and of the shards that reports under way read at the same time together. */
  readonly shardSize: number;
}

/** Holder numbers of a shard fit in 16 bits. */
export const SHARD_SIZE = 0x10000;
/** After more changes than this, all identities are read again. */
const CHANGES_MAX = 20_000;
// A shard with a larger share of changed identities is read again.
const CHANGED_SHARE = 1 / 32;

/** A range of ids up to that of the next part; its shard is null unless it is in memory. */
interface Part {
  readonly from: string;
  shard: Shard | null;
  bytes: number;
}

interface Kept {
  parts: Part[];
  refs: AccessRefTable;
  /** The identity revision that the shards have; null before the first report. */
  revision: number | null;
  /** Tells the tenant of the shards from another one of its name. */
  tenantCreated: string | null;
}

const emptyPart = (from: string): Part => ({ from, shard: null, bytes: 0 });

const nothingKept = (): Kept => ({
  parts: [emptyPart('')],
  refs: createAccessRefTable(),
  revision: null,
  tenantCreated: null,
});

const bytesOf = ({ parts, refs }: Kept): number => parts.reduce((sum, { bytes }) => sum + bytes, refTableBytes(refs));

/** Keeps populations in memory within the limits. */
export function createPopulations(limits: PopulationLimits): Populations {
  /** In order of last use. */
  const byTenant = new Map<string, Kept>();
  const inUse = new Set<Kept>();
  const freeMemory = (bytes: number, own: Kept): boolean => {
    // Other tenants are dropped only when that frees enough memory.
    if (bytesOf(own) + bytes > limits.bytesMax) return false;
    let total = [...byTenant.values()].reduce((sum, kept) => sum + bytesOf(kept), bytes);
    for (const [tenant, kept] of byTenant) {
      if (total <= limits.bytesMax) return true;
      if (inUse.has(kept)) continue;
      total -= bytesOf(kept);
      byTenant.delete(tenant);
    }
    return total <= limits.bytesMax;
  };
  return {
    isOpen: (tenant) => {
      const kept = byTenant.get(tenant);
      return kept !== undefined && inUse.has(kept);
    },
    open: (tenant) => {
      const kept = byTenant.get(tenant) ?? nothingKept();
      byTenant.delete(tenant);
      byTenant.set(tenant, kept);
      inUse.add(kept);
      return populationOf(kept, {
        sizeMax: () => Math.max(1, Math.floor(limits.shardSize / inUse.size)),
        freeMemory: (bytes) => freeMemory(bytes, kept),
        [Symbol.dispose]: () => void inUse.delete(kept),
      });
    },
  };
}

interface Keeping {
  /** The most identities of a shard that is read now. */
  sizeMax(): number;
  /** Tries to free memory for this many bytes more. */
  freeMemory(bytes: number): boolean;
}

function populationOf(kept: Kept, keeping: Keeping & Disposable): Population & Disposable {
  const { sizeMax, freeMemory } = keeping;
  let granting: Granting | null = null;
  return {
    finderMemory: createFinderMemory(),
    get refs() {
      return kept.refs;
    },
    get shardCount() {
      return kept.parts.length;
    },
    size: () => {
      const shards = kept.parts.flatMap(({ shard }) => shard ?? []);
      return shards.length < kept.parts.length ? null : shards.reduce((sum, shard) => sum + shardSize(shard), 0);
    },
    refresh: (source, pause) => refresh(kept, { source, freeMemory, pause }),
    open: async (number, source, pause) => {
      const part = kept.parts[number];
      if (part === undefined) throw new Error(`There is no shard ${number}.`);
      if (part.shard !== null) return part.shard;
      const shard = await build(kept, number, { source, sizeMax, pause });
      const bytes = shardBytes(shard);
      if (freeMemory(bytes)) Object.assign(part, { shard, bytes });
      return shard;
    },
    rangeOf: (number) => rangeOf(kept.parts, number),
    grantingRefs: (catalogue) => {
      const { refs } = kept;
      if (granting?.refs !== refs || granting.refCount !== refs.count || granting.catalogue !== catalogue)
        granting = { refs, refCount: refs.count, catalogue, grantingRefs: compileGrantingRefs(refs, catalogue) };
      return granting.grantingRefs;
    },
    [Symbol.dispose]: keeping[Symbol.dispose],
  };
}

/** What was compiled last, and of what. */
interface Granting extends Pick<HeldAccessLists, 'grantingRefs'> {
  readonly refs: AccessRefTable;
  readonly refCount: number;
  readonly catalogue: SodCatalogue;
}

interface Refreshing extends Pick<Keeping, 'freeMemory'> {
  readonly source: ReportSource;
  readonly pause: Pause;
}

async function refresh(kept: Kept, { source, freeMemory, pause }: Refreshing): Promise<void> {
  const { identityRevision, tenantCreated } = source;
  const isSameTenant = kept.tenantCreated === tenantCreated;
  if (isSameTenant && kept.revision === identityRevision) return;
  const changed =
    kept.revision === null || kept.revision > identityRevision || !isSameTenant
      ? null
      : await source.identitiesSince(kept.revision, CHANGES_MAX);
  await pause();
  if (changed === null) Object.assign(kept, nothingKept());
  let bytes = 0;
  for await (const page of changed ?? []) {
    for (const identity of page) {
      const { shard } = partOf(kept.parts, identity.id);
      if (shard !== null) markForReevaluation(shard, identity);
      bytes += identity.access.length;
    }
    trim(kept, () => freeMemory(bytes));
    await pause();
  }
  for (const [number, part] of kept.parts.entries()) {
    if (part.shard === null) continue;
    await dropDeleted(part.shard, { source, range: rangeOf(kept.parts, number), pause });
    await pause();
    Object.assign(part, needsRebuild(part.shard) ? emptyPart(part.from) : { bytes: shardBytes(part.shard) });
  }
  trim(kept, () => freeMemory(0));
  Object.assign(kept, { revision: identityRevision, tenantCreated });
}

function needsRebuild({ holdings, stale, reevaluated, reevaluatedInitially }: Shard): boolean {
  const changes = stale.size + Math.max(0, reevaluated.size - reevaluatedInitially);
  return changes > holdings.holderCount * CHANGED_SHARE + CHANGES_MIN;
}

/** Drops shards until there is enough memory, and then the table of refs, which only grows. */
function trim(kept: Kept, isEnough: () => boolean): void {
  for (const part of kept.parts.toReversed()) {
    if (isEnough()) return;
    Object.assign(part, emptyPart(part.from));
  }
  if (!isEnough())
    Object.assign(kept, { ...nothingKept(), revision: kept.revision, tenantCreated: kept.tenantCreated });
}

const CHANGES_MIN = 16;

type Range = Parameters<ReportSource['identities']>[0];

/** Deletions are not recorded: a shard with more identities than the source contains deleted ones. */
async function dropDeleted(
  shard: Shard,
  { source, range, pause }: { readonly source: ReportSource; readonly range: Range; readonly pause: Pause },
): Promise<void> {
  if ((await source.countIdentities(range)) === shardSize(shard)) return;
  const ids = new Set<string>();
  for await (const page of source.identityIds(range)) {
    for (const { id } of page) ids.add(id);
    await pause();
  }
  removeDeleted(shard, ids);
}

function partOf(parts: readonly Part[], id: string): Part {
  const part = parts[countBefore(parts.length, (at) => (parts[at]?.from ?? '') <= id) - 1];
  if (part === undefined) throw new Error('A population has one part at least.');
  return part;
}

const rangeOf = (parts: readonly Part[], number: number): Range => ({
  from: parts[number]?.from ?? '',
  before: parts[number + 1]?.from ?? null,
});

// Assignments per identity that a shard of full size holds.
const LOAD_EACH = 128;

/** Reads a shard. If its range has too many identities, the rest becomes a range of its own. */
async function build({ parts, refs }: Kept, number: number, { source, sizeMax, pause }: Building): Promise<Shard> {
  const writer = createShardWriter(refs);
  for await (const page of source.identities(rangeOf(parts, number))) {
    for (const identity of page) {
      const identitiesMax = sizeMax();
      if (writer.size >= identitiesMax || writer.load >= identitiesMax * LOAD_EACH) {
        parts.splice(number + 1, 0, emptyPart(identity.id));
        return writer.finish();
      }
      writer.add(identity);
    }
    await pause();
  }
  return writer.finish();
}

interface Building extends Pick<Keeping, 'sizeMax'> {
  readonly source: ReportSource;
  readonly pause: Pause;
}
