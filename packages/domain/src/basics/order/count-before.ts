/** How many of the places from `from` up to, and without, `end` come before what is searched; those that do come first. */
export function countBefore(end: number, isBefore: (place: number) => boolean, from = 0): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
