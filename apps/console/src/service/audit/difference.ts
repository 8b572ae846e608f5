/** A line of what changed. */
export interface DifferenceLine {
  readonly kind: 'same' | 'removed' | 'added' | 'skipped';
  /** Of skipped lines their number. */
  readonly text: string;
}

/** Lines that stay the same around a change are shown up to this many. */
const CONTEXT_LINES = 2;
/** Beyond so many pairs of lines the longest common part is not sought: it would take too long. */
const PAIRS_MAX = 1_000_000;

/** What differs between two JSON values, line by line. Null is nothing: no line is written for it. */
export function differenceOf(before: unknown, after: unknown): readonly DifferenceLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const lines = [
    ...as('same', old.slice(0, start)),
    ...compare(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...as('same', old.slice(old.length - end)),
  ];
  return shorten(lines);
}

const as = (kind: DifferenceLine['kind'], lines: readonly string[]): readonly DifferenceLine[] =>
  lines.map((text) => ({ kind, text }));

function linesOf(value: unknown): readonly string[] {
  if (value == null) return [];
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).split('\n');
}

/** The longest common subsequence of lines stays, the other ones are removed and added. */
function compare(old: readonly string[], now: readonly string[]): readonly DifferenceLine[] {
  if (old.length * now.length > PAIRS_MAX) return [...as('removed', old), ...as('added', now)];
  const width = now.length + 1;
  // How long the common part of the rests is, from each pair of lines on.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (one: number, other: number) => common[one * width + other] ?? 0;
  for (let one = old.length - 1; one >= 0; one--)
    for (let other = now.length - 1; other >= 0; other--)
      common[one * width + other] =
        old[one] === now[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
  const lines: DifferenceLine[] = [];
  let one = 0;
  let other = 0;
  while (one < old.length || other < now.length) {
    const isSame = one < old.length && other < now.length && old[one] === now[other];
    if (isSame) {
      lines.push({ kind: 'same', text: old[one++] ?? '' });
      other++;
    } else if (other >= now.length || (one < old.length && at(one + 1, other) >= at(one, other + 1)))
      lines.push({ kind: 'removed', text: old[one++] ?? '' });
    else lines.push({ kind: 'added', text: now[other++] ?? '' });
  }
  return lines;
}

/** Leaves out lines that are the same and not near a change, unless it is a single one. */
function shorten(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  const kept = new Set<number>();
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') for (let near = at - CONTEXT_LINES; near <= at + CONTEXT_LINES; near++) kept.add(near);
  const shown: DifferenceLine[] = [];
  let left: DifferenceLine[] = [];
  const tellLeft = () => {
    if (left.length > 1) shown.push({ kind: 'skipped', text: String(left.length) });
    else shown.push(...left);
    left = [];
  };
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) left.push(line);
    else {
      tellLeft();
      shown.push(line);
    }
  }
  tellLeft();
  return shown;
}
