// Records of a part: some of them take a millisecond or two.
const PART = 100;

/** The records in parts, to be worked on with a pause after each. */
export function* inParts<T>(records: readonly T[]): Generator<readonly T[], void> {
  for (let start = 0; start < records.length; start += PART) yield records.slice(start, start + PART);
}
