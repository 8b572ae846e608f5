import type { Spool } from './spool.ts';

/** Text between a source and its reader: a little in memory, the rest in a spool. */
export interface TextBuffer {
  /** Adds text. Without room it waits for the reader, and rejects when it has waited too long altogether. */
  put(text: string): Promise<void>;
  /** The earliest text; null without any. */
  take(): Promise<string | Uint8Array | null>;
  /** Forgets all text; `put` and `take` do nothing any more. */
  close(): void;
}

export interface TextBufferOptions {
  readonly spool: Spool;
  /** How long `put` may wait altogether, once neither memory nor spool have room. */
  readonly heldMsMax: number;
  readonly elapsed: () => number;
  readonly tooSlow: () => Error;
}

/** Characters that wait in memory, before the spool is used. */
const MEMORY_LENGTH_MAX = 512 * 1024;

export function createTextBuffer({ spool, heldMsMax, elapsed, tooSlow }: TextBufferOptions): TextBuffer {
  const memory: string[] = [];
  const taken = createSignal();
  let [memoryLength, heldMs, isClosed, canSpool] = [0, 0, false, true];
  const waitForReader = async (): Promise<void> => {
    const sinceMs = elapsed();
    await taken.next(heldMsMax - heldMs);
    heldMs += elapsed() - sinceMs;
  };
  return {
    put: async (text) => {
      while (!isClosed) {
        // Text in the spool is older, and must be read before.
        if (spool.isEmpty && memoryLength < MEMORY_LENGTH_MAX) {
          memory.push(text);
          memoryLength += text.length;
          return;
        }
        if (heldMs + spool.waitedMs > heldMsMax) throw tooSlow();
        const stored = canSpool ? await spool.append(text) : 'failed';
        if (stored === 'stored') return;
        if (stored === 'noRoom' && !isClosed) throw tooSlow();
        // Without a disk the source goes on at the pace of its reader.
        canSpool = false;
        if (!isClosed) await waitForReader();
      }
    },
    take: async () => {
      const text = memory.shift();
      memoryLength -= text?.length ?? 0;
      const piece = text ?? (await spool.read().catch(unless(() => isClosed)));
      taken.give();
      return piece;
    },
    close: () => {
      isClosed = true;
      spool.close();
      taken.give();
    },
  };
}

/** A spool that is closed while it is read fails. */
const unless = (isExpected: () => boolean) => (error: unknown) => {
  if (isExpected()) return null;
  throw error;
};

interface Signal {
  /** Resolves when `give` is called next, or after `msMax`. */
  next(msMax?: number): Promise<void>;
  give(): void;
}

export function createSignal(): Signal {
  let waiting = Promise.withResolvers<void>();
  const give = () => {
    const { resolve } = waiting;
    waiting = Promise.withResolvers();
    resolve();
  };
  return {
    next: async (msMax) => {
      const timer = msMax === undefined ? undefined : setTimeout(give, msMax);
      await waiting.promise;
      clearTimeout(timer);
    },
    give,
  };
}
