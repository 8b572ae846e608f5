/** The same pieces; calls back once, when they have ended or whoever asked for them has left, perhaps before the first. */
export function endingWith<T>(pieces: AsyncIterable<T>, left: AbortSignal, callback: () => void): AsyncIterable<T> {
  let isEnded = false;
  const end = () => {
    if (!isEnded) callback();
    isEnded = true;
  };
  // What is never begun with does not come to its `finally`.
  if (left.aborted) end();
  else left.addEventListener('abort', end, { once: true });
  return untilEnd(pieces, end);
}

async function* untilEnd<T>(pieces: AsyncIterable<T>, end: () => void): AsyncGenerator<T> {
  try {
    yield* pieces;
  } finally {
    end();
  }
}
