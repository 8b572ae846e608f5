/** The turns of rows that are claimed alone, between those that are claimed together. */
export interface AloneTurns {
  /** Whether a row is claimed alone although others wait. */
  isDue(nowMs: number, heldCount: number): boolean;
  /** The tenants by name, those after the one that had the last turn first. */
  inTurn(tenants: readonly string[]): readonly string[];
  claimedTogether(count: number): void;
  claimedAlone(tenant: string, nowMs: number): void;
}

/** The longest time without a turn: work that is claimed together may wait for the storage for ever. */
const DUE_AFTER_MS = 60_000;

/** Gives a turn after each `sharedPerAlone` rows that were claimed together and have ended; never if null. */
export function createAloneTurns(sharedPerAlone: number | null): AloneTurns {
  let together = 0;
  let sinceMs: number | null = null;
  let servedLast = '';
  return {
    isDue: (nowMs, heldCount) => {
      sinceMs ??= nowMs;
      return (
        sharedPerAlone !== null && (together - heldCount >= sharedPerAlone || Math.abs(nowMs - sinceMs) >= DUE_AFTER_MS)
      );
    },
    inTurn: (tenants) => {
      const sorted = tenants.toSorted();
      return [...sorted.filter((tenant) => tenant > servedLast), ...sorted.filter((tenant) => tenant <= servedLast)];
    },
    claimedTogether: (count) => {
      together += count;
    },
    claimedAlone: (tenant, nowMs) => {
      servedLast = tenant;
      together = 0;
      sinceMs = nowMs;
    },
  };
}
