import {
  type AccessRefTable,
  compileGivers,
  createAccessRefTable,
  createFinderMemory,
  type FinderMemory,
  type HeldAccessLists,
  refTableBytes,
  type SodCatalogue,
} from '@access-admin/domain';
import type { ReportSource } from '@access-admin/store';
import { createShardWriter, keepOnly, loosen, type Shard, shardBytes, shardSize } from './shard.ts';

/** The identities of a tenant in memory, shard by shard, for one report after the other. */
export interface Population {
  readonly refs: AccessRefTable;
  /** For whoever judges it. */
  readonly finderMemory: FinderMemory;
  /** How many shards there are as far as is known: opening the last one may show that there are more. */
  readonly shardCount: number;
  /** How many identities there are; null unless all are in memory. */
  size(): number | null;
  /** Takes in what has changed since the last report. All shards are then as of the moment of the source. */
  refresh(source: ReportSource): AsyncGenerator<void, void>;
  /** A shard, read from the source unless it is in memory. They are in order of the ids. */
  open(number: number, source: ReportSource): AsyncGenerator<void, Shard>;
  /** The refs that give each entitlement, of all refs that the table has by now. */
  givers(catalogue: SodCatalogue): Generator<void, HeldAccessLists['givers']>;
}

/** The populations of all tenants. */
export interface Populations {
  of(tenant: string): Population;
}

/** How much is kept in memory. */
export interface PopulationLimits {
  /** What does not fit is read again for each report; tenants that had none for the longest time go first. */
  readonly bytesMax: number;
  /** Identities of one shard. */
  readonly shardSize: number;
}

/** Holders of a shard have numbers of 16 bits. */
export const SHARD_SIZE = 0x10000;
/** Whoever has missed more changes reads everybody again. */
const CHANGES_MAX = 20_000;
// A shard that has changed more is read again.
const LOOSE_SHARE = 1 / 32;

/** A range of ids up to that of the next part; null where its shard is not in memory. */
interface Part {
  readonly from: string;
  shard: Shard | null;
  bytes: number;
}

interface Kept {
  parts: Part[];
  refs: AccessRefTable;
  /** What the shards are as of; null before the first report. */
  revision: number | null;
}

type CompileGivers = (refs: AccessRefTable, catalogue: SodCatalogue) => Generator<void, HeldAccessLists['givers']>;

/** Remembers the last one only: they are as large as the catalogue, which they keep in memory besides. */
function createGiversMemory(): CompileGivers {
  let last:
    | (Pick<HeldAccessLists, 'givers'> & { refs: AccessRefTable; refCount: number; catalogue: SodCatalogue })
    | null = null;
  return function* (refs, catalogue) {
    if (last?.refs === refs && last.refCount === refs.count && last.catalogue === catalogue) return last.givers;
    last = null;
    const refCount = refs.count;
    const givers = yield* compileGivers(refs, catalogue);
    last = { refs, refCount, catalogue, givers };
    return givers;
  };
}

const emptyPart = (from: string): Part => ({ from, shard: null, bytes: 0 });

const nothingKept = (): Kept => ({
  parts: [emptyPart('')],
  refs: createAccessRefTable(),
  revision: null,
});

const bytesOf = ({ parts, refs }: Kept): number => parts.reduce((sum, { bytes }) => sum + bytes, refTableBytes(refs));

/** Keeps populations in memory within the limits. */
export function createPopulations(limits: PopulationLimits): Populations {
  const common = { ...limits, finderMemory: createFinderMemory(), givers: createGiversMemory() };
  /** Those used last come last. */
  const byTenant = new Map<string, Kept>();
  const makeRoom = (bytes: number, inUse: Kept): boolean => {
    // Others give way to what fits then, and only to that.
    if (bytesOf(inUse) + bytes > limits.bytesMax) return false;
    let total = [...byTenant.values()].reduce((sum, kept) => sum + bytesOf(kept), bytes);
    for (const [tenant, kept] of byTenant) {
      if (total <= limits.bytesMax) return true;
      if (kept === inUse) continue;
      total -= bytesOf(kept);
      byTenant.delete(tenant);
    }
    return total <= limits.bytesMax;
  };
  return {
    of: (tenant) => {
      const kept = byTenant.get(tenant) ?? nothingKept();
      byTenant.delete(tenant);
      byTenant.set(tenant, kept);
      return populationOf(kept, { ...common, makeRoom: (bytes) => makeRoom(bytes, kept) });
    },
  };
}

interface Keeping extends Pick<Population, 'finderMemory'>, Pick<PopulationLimits, 'shardSize'> {
  readonly givers: CompileGivers;
  /** Whether there is room for so many bytes more. */
  makeRoom(bytes: number): boolean;
}

function populationOf(kept: Kept, { shardSize: sizeMax, finderMemory, givers, makeRoom }: Keeping): Population {
  return {
    finderMemory,
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
    refresh: (source) => refresh(kept, source, makeRoom),
    open: async function* (number, source) {
      const part = kept.parts[number];
      if (part === undefined) throw new Error(`There is no shard ${number}.`);
      if (part.shard !== null) return part.shard;
      const shard = yield* build(kept, number, { source, sizeMax });
      const bytes = shardBytes(shard);
      if (makeRoom(bytes)) Object.assign(part, { shard, bytes });
      return shard;
    },
    givers: (catalogue) => givers(kept.refs, catalogue),
  };
}

async function* refresh(kept: Kept, source: ReportSource, makeRoom: Keeping['makeRoom']): AsyncGenerator<void, void> {
  if (kept.revision === source.identityRevision) return;
  const changed =
    kept.revision === null || kept.revision > source.identityRevision
      ? null
      : await source.identitiesSince(kept.revision, CHANGES_MAX);
  yield;
  if (changed === null) Object.assign(kept, nothingKept());
  let bytes = 0;
  for await (const page of changed ?? []) {
    for (const identity of page) {
      const { shard } = partOf(kept.parts, identity.id);
      if (shard !== null) loosen(shard, identity);
      bytes += identity.access.length;
    }
    trim(kept, () => makeRoom(bytes));
    yield;
  }
  for (const [number, part] of kept.parts.entries()) {
    if (part.shard === null) continue;
    yield* dropDeleted(part.shard, { source, range: rangeOf(kept.parts, number) });
    yield;
    Object.assign(part, isWorn(part.shard) ? emptyPart(part.from) : { bytes: shardBytes(part.shard) });
  }
  trim(kept, () => makeRoom(0));
  kept.revision = source.identityRevision;
}

function isWorn({ holdings, stale, loose, looseFirst }: Shard): boolean {
  const changes = stale.size + Math.max(0, loose.size - looseFirst);
  return changes > holdings.holderCount * LOOSE_SHARE + LOOSE_MIN;
}

/** Forgets shards until there is room; with the last of them the refs, which only grow. */
function trim(kept: Kept, isRoom: () => boolean): void {
  for (const part of kept.parts.toReversed()) {
    if (isRoom()) return;
    Object.assign(part, emptyPart(part.from));
  }
  if (!isRoom()) Object.assign(kept, { ...nothingKept(), revision: kept.revision });
}

const LOOSE_MIN = 16;

type Range = Parameters<ReportSource['identities']>[0];

/** Nobody logs who was deleted. The shard has all that there are: it has lost somebody if there are fewer. */
async function* dropDeleted(
  shard: Shard,
  { source, range }: { readonly source: ReportSource; readonly range: Range },
): AsyncGenerator<void, void> {
  if ((await source.countIdentities(range)) === shardSize(shard)) return;
  const ids = new Set<string>();
  for await (const page of source.identityIds(range)) {
    for (const id of page) ids.add(id);
    yield;
  }
  yield* keepOnly(shard, ids);
}

function partOf(parts: readonly Part[], id: string): Part {
  let [low, high] = [0, parts.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((parts[middle]?.from ?? '') <= id) low = middle;
    else high = middle;
  }
  const part = parts[low];
  if (part === undefined) throw new Error('A population has one part at least.');
  return part;
}

const rangeOf = (parts: readonly Part[], number: number): Range => ({
  from: parts[number]?.from ?? '',
  before: parts[number + 1]?.from ?? null,
});

// A shard of the usual size has room for that many assignments of each.
const LOAD_EACH = 128;

/** Reads a shard. Where its range has too many, the rest becomes a range of its own. */
async function* build(
  { parts, refs }: Kept,
  number: number,
  { source, sizeMax }: { readonly source: ReportSource; readonly sizeMax: number },
): AsyncGenerator<void, Shard> {
  const writer = createShardWriter(refs);
  for await (const page of source.identities(rangeOf(parts, number))) {
    for (const identity of page) {
      if (writer.size >= sizeMax || writer.load >= sizeMax * LOAD_EACH) {
        parts.splice(number + 1, 0, emptyPart(identity.id));
        return yield* writer.finish();
      }
      writer.add(identity);
    }
    yield;
  }
  return yield* writer.finish();
}
