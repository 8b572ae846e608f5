/**
 * The same pieces, of which the first has been produced: a failure before the first byte can still be answered with a refusal.
 * They end when the receiver has left, also if no piece was taken.
 */
export async function begun<T>(pieces: AsyncGenerator<T>, left: AbortSignal | null): Promise<AsyncIterable<T>> {
  left?.addEventListener('abort', () => void pieces.return(undefined), { once: true });
  const first = await pieces.next();
  return joined(first, pieces);
}

async function* joined<T>(first: IteratorResult<T, unknown>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
