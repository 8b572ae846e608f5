/** Returns a number that is the same throughout a turn of the event loop: what a request has read since then is still true. */
export function createTurnOfLoop(): () => number {
  let turn = 0;
  let isCounted = false;
  const next = () => {
    turn += 1;
    isCounted = false;
  };
  return () => {
    if (!isCounted) setImmediate(next);
    isCounted = true;
    return turn;
  };
}
