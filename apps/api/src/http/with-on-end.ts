/** The same pieces; calls back once, when they have ended or the receiver has left, perhaps before the first piece. */
export function withOnEnd<T>(pieces: AsyncIterable<T>, left: AbortSignal, onEnd: () => void): AsyncIterable<T> {
  let isEnded = false;
  const end = () => {
    if (!isEnded) onEnd();
    isEnded = true;
  };
  // A generator that is never started does not reach its `finally`.
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
