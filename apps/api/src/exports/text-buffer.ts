import type { Spool } from './spool.ts';

/** Text between a source and its reader: the earlier part in a spool, the latest in memory. */
export interface TextBuffer {
  /** Adds text. Where nothing more can be held it waits for the reader, and rejects when it has waited too long altogether. */
  put(text: string): Promise<void>;
  /** The earliest text; null without any that can be read now. */
  take(): Promise<string | Uint8Array | null>;
  /** Resolves when there may be more to take. */
  added(): Promise<void>;
  /** Tells the reader that nothing more is added. */
  end(): void;
  /** Forgets all text; `put` and `take` do nothing any more. */
  close(): void;
}

export interface TextBufferOptions {
  readonly spool: Spool;
  /** How long `put` may wait altogether, once memory and spool are full. */
  readonly heldMsMax: number;
  readonly elapsed: () => number;
  readonly tooSlow: () => Error;
}

/** So many characters in memory are put into the spool, as one. */
const MEMORY_LENGTH_MAX = 512 * 1024;

export function createTextBuffer({ spool, heldMsMax, elapsed, tooSlow }: TextBufferOptions): TextBuffer {
  let memory: string[] = [];
  let memoryLength = 0;
  let heldMs = 0;
  let isClosed = false;
  let canSpool = true;
  const added = createSignal();
  const taken = createSignal();
  const waitForReader = async (): Promise<void> => {
    const sinceMs = elapsed();
    await taken.next(heldMsMax - heldMs);
    heldMs += elapsed() - sinceMs;
  };
  /** Moves all text in memory to the disk; it stays in memory if the disk does not take it. */
  const spoolMemory = async (): ReturnType<Spool['append']> => {
    const texts = memory;
    const length = memoryLength;
    [memory, memoryLength] = [[], 0];
    const stored = await spool.append(texts.join(''));
    if (stored !== 'stored') [memory, memoryLength] = [texts, length];
    added.give();
    return stored;
  };
  return {
    put: async (text) => {
      memory.push(text);
      memoryLength += text.length;
      added.give();
      for (let isFull = false; !isClosed && memoryLength >= MEMORY_LENGTH_MAX; ) {
        if (heldMs > heldMsMax) throw tooSlow();
        // Without a disk, or where it is full, the source goes on as its reader takes text. It tries the disk again before it waits:
        // the reader may have taken text as soon as it was back in memory.
        if (canSpool && !isFull) {
          const stored = await spoolMemory();
          canSpool = stored !== 'failed';
          isFull = stored === 'full';
        } else {
          await waitForReader();
          isFull = false;
        }
      }
    },
    take: async () => {
      if (!spool.isEmpty) {
        const text = await spool.read().catch(unless(() => isClosed));
        // The disk has space again.
        taken.give();
        return text;
      }
      const text = memory.shift() ?? null;
      memoryLength -= text?.length ?? 0;
      taken.give();
      return text;
    },
    added: () => added.next(),
    end: added.give,
    close: () => {
      isClosed = true;
      spool.close();
      for (const signal of [added, taken]) signal.give();
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

function createSignal(): Signal {
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
