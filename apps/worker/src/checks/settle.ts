import { concludeWithError, type SodCheckConclusion } from '@access-admin/domain';
import { type CheckCompletion, type CheckQueue, type ClaimedCheck, StorageUnavailable } from '@access-admin/store';

/** How often a check is tried; the last failure is final. */
export const ATTEMPTS_MAX = 5;
export const FAILED_FOR_GOOD = `The check failed ${ATTEMPTS_MAX} times.`;

const RETRY_FIRST_MS = 100;

/** The ends of claims that the queue has yet to take. */
export interface Settlement {
  conclude(claim: ClaimedCheck, conclusion: SodCheckConclusion): void;
  /** Gives the check back for later, or ends it when this was its last attempt. */
  fail(claim: ClaimedCheck): void;
  /** Gives a check back that nobody has tried. */
  giveBack(claim: ClaimedCheck): void;
  /** Stores all of them, completions in one batch. What the storage does not take for now is kept for the next call. */
  store(): Promise<void>;
}

interface Release {
  readonly claim: ClaimedCheck;
  readonly availableAtMs: number;
}

export function createSettlement(queue: Pick<CheckQueue, 'complete' | 'release'>, now: () => number): Settlement {
  let concluded: { readonly claim: ClaimedCheck; readonly completion: CheckCompletion }[] = [];
  let releases: Release[] = [];

  const conclude = (claim: ClaimedCheck, { state, result }: SodCheckConclusion) => {
    const { tenant, requestId, fence } = claim;
    const completed = new Date(now()).toISOString();
    concluded.push({ claim, completion: { tenant, requestId, fence, state, completed, result } });
  };
  const release = (claim: ClaimedCheck, delayMs: number) => {
    releases.push({ claim, availableAtMs: now() + delayMs });
  };
  const fail = (claim: ClaimedCheck) => {
    if (claim.attempts >= ATTEMPTS_MAX) conclude(claim, concludeWithError(claim, FAILED_FOR_GOOD));
    else release(claim, RETRY_FIRST_MS * 2 ** claim.attempts);
  };

  const storeCompletions = async () => {
    const batch = concluded;
    if (batch.length === 0) return;
    try {
      await queue.complete(batch.map(({ completion }) => completion));
      concluded = [];
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) {
        // One of them may be what cannot be stored: from now on each is tried alone.
        concluded = [];
        for (const { claim } of batch) fail(claim);
      }
      throw error;
    }
  };

  return {
    conclude,
    fail,
    giveBack: (claim) => release(claim, 0),
    store: async () => {
      await storeCompletions();
      // At once, so that they share a commit; one that is tried again changes nothing.
      await Promise.all(releases.map(({ claim, availableAtMs }) => queue.release(claim, availableAtMs)));
      releases = [];
    },
  };
}
