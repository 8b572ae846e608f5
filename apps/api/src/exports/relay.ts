import { createTextBuffer, type TextBufferOptions } from './text-buffer.ts';

/** Produces text ahead of its reader, so that what produces it ends as soon as it can. */
export interface Relay {
  /** Resolves when the first text is there; rejects if it cannot be produced. */
  readonly started: Promise<void>;
  /** Resolves when the source has ended or was ended. */
  readonly produced: Promise<void>;
  /** All text in its order. The rejection of the source comes in its place. */
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Ends the source and forgets what was not read. */
  stop(): void;
}

export interface RelayOptions extends TextBufferOptions {
  /** Lets other work go on before the next text is produced. */
  readonly yieldToOthers: () => Promise<void>;
}

export function openRelay(source: AsyncIterable<string>, options: RelayOptions): Relay {
  const buffer = createTextBuffer(options);
  const started = Promise.withResolvers<void>();
  let isStopped = false;
  let outcome: { readonly error: unknown } | 'complete' | null = null;

  const produce = async (): Promise<void> => {
    try {
      for await (const text of source) {
        await buffer.put(text);
        started.resolve();
        await options.yieldToOthers();
        if (isStopped) break;
      }
      outcome = 'complete';
    } catch (error) {
      outcome = { error };
      started.reject(error);
    }
    started.resolve();
    buffer.end();
  };
  const stop = () => {
    isStopped = true;
    buffer.close();
  };
  async function* readAll(): AsyncGenerator<string | Uint8Array> {
    try {
      while (!isStopped) {
        // Both before looking: what is added in the meantime must not be missed.
        const next = buffer.added();
        const wasOver = outcome;
        const piece = await buffer.take();
        if (piece !== null) yield piece;
        else if (wasOver === null) await next;
        else if (wasOver === 'complete') return;
        else throw wasOver.error;
      }
    } finally {
      stop();
    }
  }
  // A reader that leaves before the start does not wait for it.
  started.promise.catch(() => {});
  return { started: started.promise, produced: produce(), pieces: readAll(), stop };
}
