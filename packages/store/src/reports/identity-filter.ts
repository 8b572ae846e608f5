// A Bloom filter: about one id in 400 that a block lacks seems to be in it.
const BITS_PER_ID = 16;
const PROBES = 4;
// In fewer bytes, the probes of two ids often coincide.
const BYTES_MIN = 8;

/** The 32-bit hash (FNV-1a, mixed) by which filters know an identity id, which is this part of a text. */
export function hashIdentityId(text: string, start = 0, end = text.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

// Ids often differ in their last characters only: every bit of the hash must depend on them.
function mix(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const mixed = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A filter of the ids with these hashes. */
export function createIdentityFilter(hashes: readonly number[]): Uint8Array {
  const filter = new Uint8Array(Math.max(BYTES_MIN, (hashes.length * BITS_PER_ID) / 8));
  const bits = filter.length * 8;
  for (const hash of hashes) {
    const step = mix(hash) | 1;
    for (let probe = 0, at = hash; probe < PROBES; probe++, at = (at + step) >>> 0) {
      const bit = at % bits;
      filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return filter;
}

/** False only if no id with this hash is in the filter. */
export function mayContain(filter: Uint8Array, hash: number): boolean {
  const bits = filter.length * 8;
  const step = mix(hash) | 1;
  for (let probe = 0, at = hash; probe < PROBES; probe++, at = (at + step) >>> 0) {
    const bit = at % bits;
    if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
