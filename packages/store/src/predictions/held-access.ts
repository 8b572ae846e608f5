import {
  type HeldAccess,
  type NumberedRef,
  type SodCatalogue,
  type TimedEntitlements,
  withEntitlements,
} from '@access-admin/domain';
import { LRUCache } from 'lru-cache';

/** Whose access it is, and of which state. */
export interface HolderVersion {
  /** Tells the catalogue whose numbers the access consists of. */
  readonly catalogueId: number;
  readonly identityId: string;
  readonly revision: number;
}

/** The access that identities hold, expanded to numbers of their catalogues. */
export interface HeldAccessCache {
  /** Null unless the access of this revision is in memory. Its arrays never change. */
  get(holder: HolderVersion, catalogue: SodCatalogue): HeldAccess | null;
  set(holder: HolderVersion, access: HeldAccess): void;
  delete(holder: Omit<HolderVersion, 'revision'>): void;
}

/** Without the entitlements of timed access: those of a role may be thousands, and are views of a catalogue that may have been replaced. */
interface KeptAccess {
  readonly revision: number;
  readonly held: Uint32Array;
  readonly timed: readonly (NumberedRef & Pick<TimedEntitlements, 'windows'>)[] | null;
}

/** Memory of an entry besides its key and its numbers: places in the map and its lists, objects, an array with its buffer. */
const ENTRY_BYTES = 500;
const REF_BYTES = 100;
const WINDOW_BYTES = 50;

// A Map holds 2 ** 24 keys at most.
const ENTRIES_MAX = 16_000_000;

/** Keeps what was used last, within `bytesMax`. Access by numbers of a catalogue that is gone is never found, and is dropped in its turn. */
export function createHeldAccessCache(bytesMax: number): HeldAccessCache {
  const known = new LRUCache<string, KeptAccess>({
    maxSize: Math.max(1, Math.min(Math.floor(bytesMax), ENTRIES_MAX * ENTRY_BYTES)),
    sizeCalculation: bytesOf,
  });
  return {
    get: (holder, catalogue) => {
      const kept = known.get(keyOf(holder));
      if (kept?.revision !== holder.revision) return null;
      const { held, timed } = kept;
      return { held, timed: timed === null ? null : timed.map((ref) => withEntitlements(catalogue, ref)) };
    },
    set: (holder, { held, timed }) => {
      known.set(keyOf(holder), {
        revision: holder.revision,
        held,
        timed: timed === null ? null : timed.map(({ type, number, windows }) => ({ type, number, windows })),
      });
    },
    delete: (holder) => {
      known.delete(keyOf(holder));
    },
  };
}

const keyOf = ({ catalogueId, identityId }: Omit<HolderVersion, 'revision'>): string => `${catalogueId} ${identityId}`;

const bytesOf = ({ held, timed }: KeptAccess, key: string): number =>
  ENTRY_BYTES +
  key.length +
  held.byteLength +
  (timed ?? []).reduce((sum, { windows }) => sum + REF_BYTES + windows.length * WINDOW_BYTES, 0);
