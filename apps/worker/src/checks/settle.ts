import { type CheckOutcome, concludeWithError } from '@access-admin/domain';
import { type CheckCompletion, type CheckQueue, type ClaimedCheck, StorageUnavailable } from '@access-admin/store';
import { ATTEMPTS_MAX, failedForGood, retryDelayMs } from '../claims/policy.ts';

const RETRY_FIRST_MS = 100;

/** The outcomes of claims that are not stored yet. */
export interface Settlement {
  conclude(claim: ClaimedCheck, outcome: CheckOutcome): void;
  /** Releases the check for a later attempt, or ends it when this was its last. */
  fail(claim: ClaimedCheck): void;
  /** Releases a check that was not tried. */
  giveBack(claim: ClaimedCheck): void;
  /** Stores all outcomes, completions in one batch. Those that the storage refuses for now stay for the next call. */
  store(): Promise<void>;
}

interface Release {
  readonly claim: ClaimedCheck;
  readonly availableAtMs: number;
}

export function createSettlement(queue: Pick<CheckQueue, 'complete' | 'release'>, now: () => number): Settlement {
  let concluded: { readonly claim: ClaimedCheck; readonly completion: CheckCompletion }[] = [];
  let releases: Release[] = [];

  const conclude = (claim: ClaimedCheck, { state, result }: CheckOutcome) => {
    const { tenant, requestId, fence } = claim;
    const completed = new Date(now()).toISOString();
    concluded.push({ claim, completion: { tenant, requestId, fence, state, completed, result } });
  };
  const release = (claim: ClaimedCheck, delayMs: number) => {
    releases.push({ claim, availableAtMs: now() + delayMs });
  };
  const fail = (claim: ClaimedCheck) => {
    if (claim.attempts >= ATTEMPTS_MAX) conclude(claim, concludeWithError(claim, failedForGood('check')));
    else release(claim, retryDelayMs(claim.attempts, RETRY_FIRST_MS));
  };

  const storeCompletions = async () => {
    const batch = concluded;
    if (batch.length === 0) return;
    try {
      await queue.complete(batch.map(({ completion }) => completion));
      concluded = [];
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) {
        // One of them may be impossible to store. From now on each is tried alone.
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
      // All at once, so that they share a commit. A repeated release has no effect.
      await Promise.all(releases.map(({ claim, availableAtMs }) => queue.release(claim, availableAtMs)));
      releases = [];
    },
  };
}
