// A Bloom filter: about one id in 400 that a block lacks seems to be in it.
const BITS_PER_ID = 16;
const PROBES = 4;

/** The 32-bit hash (FNV-1a) by which filters know an identity id, which is this part of a text. */
export function hashIdentityId(text: string, start = 0, end = text.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A filter of the ids with these hashes. */
export function createIdentityFilter(hashes: readonly number[]): Uint8Array {
  const filter = new Uint8Array(Math.ceil((Math.max(1, hashes.length) * BITS_PER_ID) / 8));
  for (const hash of hashes)
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = bitOf(hash, probe, filter.length);
      filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  return filter;
}

/** False only if no id with this hash is in the filter. */
export function mayContain(filter: Uint8Array, hash: number): boolean {
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = bitOf(hash, probe, filter.length);
    if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** Ids that differ in their last characters only have close hashes, so the step is made from all bits. */
function bitOf(hash: number, probe: number, bytes: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  const step = (mixed ^ (mixed >>> 15)) | 1;
  return ((hash + Math.imul(probe, step)) >>> 0) % (bytes * 8);
}
