/** Work that is done together. */
export interface EndOfTurn {
  /** Defers work to the end of the turn. */
  add(work: () => void): void;
  /** Does deferred work now, if it has been waiting for too long; to be called often within a turn. */
  doLate(): void;
}

// Less than callers notice, and enough responses to be worth it.
const WAIT_MS_MAX = 5;

/**
 * Defers work until the event loop has processed what had arrived, and then does all of it together. Responses that are written
 * this way cost a fifth less CPU a request under load, and arrive a fraction of a millisecond later. A turn in which a thousand
 * requests arrive takes much longer, so its work is done in parts. `elapsed` is monotonic, in ms.
 */
export function createEndOfTurn(elapsed: () => number): EndOfTurn {
  let waiting: (() => void)[] = [];
  let sinceMs = 0;
  const doAll = () => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  return {
    add: (work) => {
      if (waiting.push(work) > 1) return;
      sinceMs = elapsed();
      setImmediate(doAll);
    },
    doLate: () => {
      if (waiting.length > 0 && elapsed() - sinceMs >= WAIT_MS_MAX) doAll();
    },
  };
}
