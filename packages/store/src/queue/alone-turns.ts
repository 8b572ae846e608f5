/** The turns of rows that are claimed alone, between those that are claimed together. */
export interface AloneTurns {
  /** Whether a row is claimed alone although others wait. */
  isDue(nowMs: number, heldCount: number): boolean;
  claimedTogether(count: number): void;
  claimedAlone(nowMs: number): void;
}

/** The longest time without a turn: work that is claimed together may wait for the storage for ever. */
const DUE_AFTER_MS = 60_000;

/** Gives a turn after each `sharedPerAlone` rows that were claimed together and have ended; never if null. */
export function createAloneTurns(sharedPerAlone: number | null): AloneTurns {
  let together = 0;
  let sinceMs: number | null = null;
  return {
    isDue: (nowMs, heldCount) => {
      sinceMs ??= nowMs;
      return (
        sharedPerAlone !== null && (together - heldCount >= sharedPerAlone || Math.abs(nowMs - sinceMs) >= DUE_AFTER_MS)
      );
    },
    claimedTogether: (count) => {
      together += count;
    },
    claimedAlone: (nowMs) => {
      together = 0;
      sinceMs = nowMs;
    },
  };
}
