import {
  type AccessRefTable,
  type AssignmentIndex,
  assignmentIndexBytes,
  createAssignmentIndexWriter,
  internRef,
  type TextPart,
} from '@access-admin/domain';
import { eachAssignment, packedIdentity, type ReportIdentity } from '@access-admin/store';

/** Identities with ids next to each other, in memory: who holds what, in the order of their ids, but for the loose ones. */
export interface Shard {
  readonly holdings: AssignmentIndex;
  /** What report lines begin with, which is the identity: that of holder `h` from `starts[h]` up to, and without, `starts[h + 1]`. */
  readonly heads: { readonly text: string; readonly starts: Uint32Array };
  /** Holders whose access is not what it was, or who are no more. */
  readonly stale: Set<number>;
  /** Identities that are judged one by one, by id: those whose access depends on time, and those that have changed since. */
  readonly loose: Map<string, ReportIdentity>;
  /** How many of the loose ones were so from the beginning. */
  readonly looseFirst: number;
}

/** How many identities there are. */
export const shardSize = ({ holdings, stale, loose }: Shard): number => holdings.holderCount - stale.size + loose.size;

/** How many bytes it takes, about. */
export function shardBytes({ holdings, heads, loose }: Shard): number {
  let bytes = assignmentIndexBytes(holdings) + heads.text.length + heads.starts.byteLength;
  for (const { access } of loose.values()) bytes += access.length + LOOSE_BYTES;
  return bytes;
}

const LOOSE_BYTES = 200;

/** The beginning of the lines of a holder. */
export const headAt = ({ heads: { text, starts } }: Shard, holder: number): string =>
  text.slice(starts[holder], starts[holder + 1]);

/** The id of a holder. */
export function idAt(shard: Shard, holder: number): string {
  const [id] = JSON.parse(`${headAt(shard, holder)}0]`);
  return id;
}

/** How many holders have ids before this one. */
export function holdersBefore(shard: Shard, id: string): number {
  let [low, high] = [0, shard.holdings.holderCount];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (idAt(shard, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An identity of the shard has changed, or has come: it is loose from now on. */
export function loosen(shard: Shard, identity: ReportIdentity): void {
  remove(shard, identity.id);
  shard.loose.set(identity.id, identity);
}

/** Keeps those of a shard whose ids there still are, in steps. */
export function* keepOnly(shard: Shard, ids: ReadonlySet<string>): Generator<void, void> {
  for (const id of shard.loose.keys()) if (!ids.has(id)) shard.loose.delete(id);
  for (let holder = 0; holder < shard.holdings.holderCount; holder++) {
    if (!shard.stale.has(holder) && !ids.has(idAt(shard, holder))) shard.stale.add(holder);
    if (holder % STEP_IDS === 0) yield;
  }
}

// Ids read in some milliseconds.
const STEP_IDS = 5_000;

function remove(shard: Shard, id: string): void {
  shard.loose.delete(id);
  const holder = holdersBefore(shard, id);
  if (holder < shard.holdings.holderCount && idAt(shard, holder) === id) shard.stale.add(holder);
}

/** A shard in the making, of identities in order of their ids. */
export interface ShardWriter {
  readonly size: number;
  /** How much it takes to judge it: assignments, those of loose identities many times. */
  readonly load: number;
  add(identity: ReportIdentity): void;
  /** Ends the writing, in steps. */
  finish(): Generator<void, Shard>;
}

/** A writer of a shard whose refs are those of a table, which grows with it. */
export function createShardWriter(refs: AccessRefTable): ShardWriter {
  const writer = createAssignmentIndexWriter();
  const heads: string[] = [];
  const loose = new Map<string, ReportIdentity>();
  let looseLoad = 0;
  return {
    get size() {
      return writer.holderCount + loose.size;
    },
    get load() {
      return writer.length + looseLoad;
    },
    add: (identity) => {
      const timed = eachAssignment(identity.access, (type, id: TextPart) => writer.add(internRef(refs, type, id)));
      if (timed === null) {
        writer.endHolder();
        heads.push(packedIdentity(identity.id, identity.displayName));
      } else {
        writer.dropHolder();
        loose.set(identity.id, identity);
        looseLoad += identity.access.length;
      }
    },
    *finish() {
      const holdings = yield* writer.finish(refs.count);
      const starts = new Uint32Array(heads.length + 1);
      for (const [place, head] of heads.entries()) starts[place + 1] = (starts[place] ?? 0) + head.length;
      return {
        holdings,
        heads: { text: heads.join(''), starts },
        stale: new Set<number>(),
        loose,
        looseFirst: loose.size,
      };
    },
  };
}
