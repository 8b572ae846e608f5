/** A given text this much longer than the known ones is not compared with them. */
const LENGTH_MAX = 64;

/**
 * What a text must be, for an error: the known one that it is probably meant to be, otherwise all of them. At most a third of its
 * characters may differ, in either case.
 */
export function knownTextRule(known: readonly string[], given: unknown): string {
  const all = `must be one of ${known.join(', ')}`;
  if (typeof given !== 'string' || given.length > LENGTH_MAX) return all;
  const distances = known.map((name) => ({ name, distance: distanceBetween(name.toLowerCase(), given.toLowerCase()) }));
  const nearest = distances.reduce((best, each) => (each.distance < best.distance ? each : best));
  return nearest.distance * 3 <= given.length ? `${all}: is ${nearest.name} meant?` : all;
}

/** The number of characters to insert, delete or replace (Levenshtein). */
function distanceBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [line, character] of [...left].entries()) {
    const next = [line + 1];
    for (let at = 0; at < right.length; at++) {
      const replaced = (row[at] ?? 0) + (character === right[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
