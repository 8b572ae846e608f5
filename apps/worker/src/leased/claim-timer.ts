/** When the work of one kind is to be claimed. */
export interface ClaimTimer {
  /** There may be new work. */
  notice(): void;
  /** A claim is due, however little time has passed since the latest one. */
  dueNow(): void;
  /** To be called before a claim: what is noticed from then on is for the next one. */
  begin(): void;
  /** To be called at the end of a claim: its own commit may take as long as the pause between two claims. */
  end(): void;
  /** How long no claim is due, in milliseconds. Busy is a process in which jobs are under way. */
  untilDueMs(isBusy: boolean): number;
}

interface ClaimTimerDeps {
  /** How long after the latest claim there may be more work without a commit, in milliseconds. */
  idleMs(): number;
  /** Milliseconds since 1970. It may jump either way. */
  now(): number;
}

// While jobs run: the time between two claims with new work in between, and without.
const CLAIM_NOTICED_MS = 25;
const CLAIM_EVERY_MS = 250;

/** The first claim is due at once. */
export function createClaimTimer({ idleMs, now }: ClaimTimerDeps): ClaimTimer {
  let isNoticed = true;
  /** Null where the next claim needs no pause before it. */
  let endedMs: number | null = null;
  return {
    notice: () => {
      isNoticed = true;
    },
    dueNow: () => {
      isNoticed = true;
      endedMs = null;
    },
    begin: () => {
      isNoticed = false;
    },
    end: () => {
      endedMs = now();
    },
    untilDueMs: (isBusy) => {
      if (endedMs === null || (isNoticed && !isBusy)) return 0;
      const busyMs = isNoticed ? CLAIM_NOTICED_MS : CLAIM_EVERY_MS;
      const pauseMs = isBusy ? Math.min(busyMs, idleMs()) : idleMs();
      return Math.max(0, pauseMs - Math.abs(now() - endedMs));
    },
  };
}
