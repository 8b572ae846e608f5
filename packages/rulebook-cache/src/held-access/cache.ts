import { createSegmentLog, type SegmentLog } from './segment-log.ts';

/** Held sets by identity id, as numbers of one catalogue. */
export interface HeldSets {
  /** Null unless the set of this revision is in memory. The array never changes afterwards. */
  get(identityId: string, revision: number): Uint32Array | null;
  set(identityId: string, revision: number, held: Uint32Array): void;
  delete(identityId: string): void;
  /** Drops all sets. Later calls of `set` have no effect. */
  drop(): void;
}

/** Held sets of many catalogues that share one limit of bytes. */
export interface HeldCache {
  openSets(): HeldSets;
  limit(bytesMax: number): void;
}

const SEGMENT_WORDS_MIN = 2 ** 8;
const SEGMENT_WORDS_MAX = 2 ** 18;
const SEGMENTS_MIN = 16;

// Offsets of the header before each held set. The revision takes two words.
const OWNER = 0;
const USED = 1;
const REVISION = 2;
const LENGTH = 4;
const HEADER_WORDS = 5;
const WORD = 2 ** 32;

// A Map holds 2 ** 24 keys at most.
const IDS_MAX = 16_000_000;

type Places = Map<string, number>;

/** New sets go to the newest segment of a log. When room is needed, the oldest segment is dropped; the sets in it that were read since they were written move to the newest. */
export function createHeldCache(initialBytesMax: number): HeldCache {
  let bytesMax = initialBytesMax;
  const segmentWords = Math.floor(bytesMax / Uint32Array.BYTES_PER_ELEMENT / SEGMENTS_MIN);
  const log = createSegmentLog(Math.min(Math.max(segmentWords, SEGMENT_WORDS_MIN), SEGMENT_WORDS_MAX));
  const placesByOwner = new Map<number, Places>();
  let owners = 0;

  const trim = () => {
    while (log.bytes > bytesMax) dropOldest(log, placesByOwner);
  };

  const set = (owner: number, id: string, { revision, held }: Known) => {
    const places = placesByOwner.get(owner);
    const words = HEADER_WORDS + held.length;
    if (places === undefined || log.segmentBytes(words) > bytesMax) return;
    const entry = new Uint32Array(words);
    entry.set([owner, 0, revision % WORD, Math.floor(revision / WORD), held.length]);
    entry.set(held, HEADER_WORDS);
    append(log, places, { id, entry });
    while (places.size > IDS_MAX) dropOldest(log, placesByOwner);
    trim();
  };

  return {
    openSets: () => {
      owners += 1;
      const owner = owners;
      const places: Places = new Map();
      placesByOwner.set(owner, places);
      return {
        get: (id, revision) => {
          const place = places.get(id);
          return place === undefined ? null : use(log.wordsAt(place), log.offset(place), revision);
        },
        set: (id, revision, held) => set(owner, id, { revision, held }),
        delete: (id) => {
          places.delete(id);
        },
        drop: () => {
          placesByOwner.delete(owner);
          places.clear();
        },
      };
    },
    limit: (bytes) => {
      bytesMax = bytes;
      trim();
    },
  };
}

interface Known {
  readonly revision: number;
  readonly held: Uint32Array;
}

function use(words: Uint32Array, at: number, revision: number): Uint32Array | null {
  if (words[at + REVISION] !== revision % WORD) return null;
  if (words[at + REVISION + 1] !== Math.floor(revision / WORD)) return null;
  words[at + USED] = 1;
  const start = at + HEADER_WORDS;
  return words.subarray(start, start + (words[at + LENGTH] ?? 0));
}

function append(
  log: SegmentLog,
  places: Places,
  { id, entry }: { readonly id: string; readonly entry: Uint32Array },
): void {
  const place = log.append(id, entry.length);
  log.wordsAt(place).set(entry, log.offset(place));
  places.set(id, place);
}

function dropOldest(log: SegmentLog, placesByOwner: ReadonlyMap<number, Places>): void {
  const { words, place, ids } = log.takeOldest();
  // At most half of the segment moves, so that dropping it makes room.
  let wordsLeft = words.length / 2;
  let at = 0;
  for (const id of ids) {
    const entry = words.subarray(at, at + HEADER_WORDS + (words[at + LENGTH] ?? 0));
    const places = placesByOwner.get(entry[OWNER] ?? 0);
    // Otherwise a newer set has replaced this one, or its owner was dropped.
    if (places?.get(id) === place + at) {
      places.delete(id);
      if (entry[USED] === 1 && entry.length <= wordsLeft) {
        wordsLeft -= entry.length;
        entry[USED] = 0;
        append(log, places, { id, entry });
      }
    }
    at += entry.length;
  }
}
