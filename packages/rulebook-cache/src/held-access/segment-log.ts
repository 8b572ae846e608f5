/** A log of entries, each some words under an id, in segments that are filled in order and dropped whole. */
export interface SegmentLog {
  /** The approximate memory of the log. */
  readonly bytes: number;
  /** The bytes of a new segment that has room for this many words. */
  segmentBytes(words: number): number;
  /** Reserves room for a new entry and returns its place. Its words begin at `offset` in `wordsAt`. */
  append(id: string, words: number): number;
  /** The segment of a place. Entries in it are never overwritten, so a reader may keep a view of it. */
  wordsAt(place: number): Uint32Array;
  offset(place: number): number;
  /** Removes the oldest segment and returns its words, the place of its first entry, and the ids of its entries in order; empty when there is none. */
  takeOldest(): { readonly words: Uint32Array; readonly place: number; readonly ids: readonly string[] };
}

/** Memory of an entry besides its words and the characters of its id: its slot in the list of ids and in the owner's map of places. */
const ENTRY_BYTES = 96;

interface Segment {
  readonly words: Uint32Array;
  readonly ids: string[];
  filled: number;
  bytes: number;
}

/** An entry longer than `segmentWords` gets a segment of its own. */
export function createSegmentLog(segmentWords: number): SegmentLog {
  // By slot. A place is slot * segmentWords + offset. Slots are reused, so that places stay small integers.
  const segments: (Segment | undefined)[] = [];
  const slotsByAge: number[] = [];
  let bytes = 0;

  const segmentBytes = (words: number) => Math.max(words, segmentWords) * Uint32Array.BYTES_PER_ELEMENT;

  const open = (words: number): Segment => {
    const segment = { words: new Uint32Array(Math.max(words, segmentWords)), ids: [], filled: 0, bytes: 0 };
    const unused = segments.indexOf(undefined);
    const slot = unused < 0 ? segments.length : unused;
    segments[slot] = segment;
    slotsByAge.push(slot);
    count(segment, segmentBytes(words));
    return segment;
  };

  const count = (segment: Segment, added: number) => {
    segment.bytes += added;
    bytes += added;
  };

  return {
    get bytes() {
      return bytes;
    },
    segmentBytes,
    append: (id, words) => {
      const newest = segments[slotsByAge.at(-1) ?? -1];
      const segment = newest !== undefined && newest.filled + words <= newest.words.length ? newest : open(words);
      const place = (slotsByAge.at(-1) ?? 0) * segmentWords + segment.filled;
      segment.filled += words;
      segment.ids.push(id);
      count(segment, ENTRY_BYTES + id.length);
      return place;
    },
    wordsAt: (place) => segments[Math.floor(place / segmentWords)]?.words ?? NO_WORDS,
    offset: (place) => place % segmentWords,
    takeOldest: () => {
      const slot = slotsByAge.shift();
      const segment = segments[slot ?? -1];
      if (slot === undefined || segment === undefined) return { words: NO_WORDS, place: 0, ids: [] };
      segments[slot] = undefined;
      bytes -= segment.bytes;
      return { words: segment.words, place: slot * segmentWords, ids: segment.ids };
    },
  };
}

const NO_WORDS = new Uint32Array(0);
