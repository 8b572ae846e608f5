import {
  type AccessRefTable,
  type AssignmentIndex,
  assignmentIndexBytes,
  countBefore,
  createAssignmentIndexWriter,
  internRef,
  type TextPart,
} from '@access-admin/domain';
import { eachAssignment, type ReportIdentity } from '@access-admin/store';

/** Identities of a range of ids, in memory: an index of their access in order of their ids, and those evaluated without it. */
export interface Shard {
  readonly holdings: AssignmentIndex;
  /**
   * The id of each holder, and after a line break its display name unless that is null: in one text, which takes less memory than
   * many. Those of holder `h` are from `starts[h]` up to, and without, `starts[h + 1]`. Ids have no line breaks.
   */
  readonly names: { readonly text: string; readonly starts: Uint32Array };
  /** Holders of the index whose identity has changed or was deleted since. */
  readonly stale: Set<number>;
  /** Identities by id that are not in the index: their access depends on time, or they have changed since it was built. */
  readonly reevaluated: Map<string, ReportIdentity>;
  /** How many identities were in `reevaluated` when the shard was read. */
  readonly reevaluatedInitially: number;
}

/** The number of identities of a shard. */
export const shardSize = ({ holdings, stale, reevaluated }: Shard): number =>
  holdings.holderCount - stale.size + reevaluated.size;

/** The memory that a shard takes, in bytes, about. */
export function shardBytes({ holdings, names, reevaluated }: Shard): number {
  let bytes = assignmentIndexBytes(holdings) + names.text.length + names.starts.byteLength;
  for (const { access } of reevaluated.values()) bytes += access.length + IDENTITY_BYTES;
  return bytes;
}

const IDENTITY_BYTES = 200;

export function identityAt({ names: { text, starts } }: Shard, holder: number) {
  const names = text.slice(starts[holder], starts[holder + 1]);
  const end = names.indexOf('\n');
  return end < 0 ? { id: names, displayName: null } : { id: names.slice(0, end), displayName: names.slice(end + 1) };
}

const idAt = (shard: Shard, holder: number): string => identityAt(shard, holder).id;

/** The number of holders whose ids sort before an id. */
const holdersBefore = (shard: Shard, id: string): number =>
  countBefore(shard.holdings.holderCount, (holder) => idAt(shard, holder) < id);

/** The holder with an id, which the index must have. */
export const holderOf = (shard: Shard, id: string): number => holdersBefore(shard, id);

/** Whether an identity is in a shard. */
export function hasIdentity(shard: Shard, id: string): boolean {
  if (shard.reevaluated.has(id)) return true;
  const holder = holdersBefore(shard, id);
  return holder < shard.holdings.holderCount && idAt(shard, holder) === id && !shard.stale.has(holder);
}

/** The ids of the identities of a shard, in no order. */
export function* idsOf(shard: Shard): Generator<string> {
  yield* shard.reevaluated.keys();
  for (let holder = 0; holder < shard.holdings.holderCount; holder++)
    if (!shard.stale.has(holder)) yield idAt(shard, holder);
}

/** Takes in an identity that was changed or created: from now on it is evaluated without the index. */
export function markForReevaluation(shard: Shard, identity: ReportIdentity): void {
  remove(shard, identity.id);
  shard.reevaluated.set(identity.id, identity);
}

/** Removes the identities of a shard that are not among the existing ids. */
export function removeDeleted(shard: Shard, ids: ReadonlySet<string>): void {
  for (const id of shard.reevaluated.keys()) if (!ids.has(id)) shard.reevaluated.delete(id);
  for (let holder = 0; holder < shard.holdings.holderCount; holder++)
    if (!shard.stale.has(holder) && !ids.has(idAt(shard, holder))) shard.stale.add(holder);
}

function remove(shard: Shard, id: string): void {
  shard.reevaluated.delete(id);
  const holder = holdersBefore(shard, id);
  if (holder < shard.holdings.holderCount && idAt(shard, holder) === id) shard.stale.add(holder);
}

/** Builds a shard of identities, which must be added in order of their ids. */
export interface ShardWriter {
  readonly size: number;
  /** The work of evaluating it: assignments, with those of reevaluated identities counted many times. */
  readonly load: number;
  add(identity: ReportIdentity): void;
  /** Returns the shard. The writer must not be used afterwards. */
  finish(): Shard;
}

/** Creates a writer that numbers access refs by a table, which grows with the shard. */
export function createShardWriter(refs: AccessRefTable): ShardWriter {
  const writer = createAssignmentIndexWriter();
  const names: string[] = [];
  const reevaluated = new Map<string, ReportIdentity>();
  let reevaluatedLoad = 0;
  return {
    get size() {
      return writer.holderCount + reevaluated.size;
    },
    get load() {
      return writer.length + reevaluatedLoad;
    },
    add: (identity) => {
      const timed = eachAssignment(identity.access, (type, id: TextPart) => writer.add(internRef(refs, type, id)));
      if (timed === null) {
        writer.endHolder();
        names.push(identity.displayName === null ? identity.id : `${identity.id}\n${identity.displayName}`);
      } else {
        writer.dropHolder();
        reevaluated.set(identity.id, identity);
        reevaluatedLoad += identity.access.length;
      }
    },
    finish: () => {
      const holdings = writer.finish(refs.count);
      const starts = new Uint32Array(names.length + 1);
      for (const [holder, name] of names.entries()) starts[holder + 1] = (starts[holder] ?? 0) + name.length;
      return {
        holdings,
        names: { text: names.join(''), starts },
        stale: new Set<number>(),
        reevaluated,
        reevaluatedInitially: reevaluated.size,
      };
    },
  };
}
