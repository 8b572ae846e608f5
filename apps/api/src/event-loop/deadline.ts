/** Thrown where a request has taken longer than it may. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  /** Whether it is certain that the request has had no effect. */
  readonly isEffectKnown: boolean;

  constructor(isEffectKnown = true) {
    super('deadline');
    this.isEffectKnown = isEffectKnown;
  }
}

/** Thrown where the work on a request ends because its caller has left. */
export class CallerLeft extends Error {
  override readonly name = 'CallerLeft';

  constructor() {
    super('the caller has left');
  }
}

export interface TimeLimit {
  readonly ms: number;
  /** The error that the promise rejects with. */
  readonly toError: () => Error;
}

/** What happens to the outcome of work that has taken longer than its limit; it is dropped where nothing is given. */
export interface LateWork<T> {
  readonly onOutcome?: (outcome: T) => void;
  readonly onError?: (error: unknown) => void;
}

/** The outcome of work, unless that takes longer than a limit: then the promise rejects, and `late` gets the outcome. */
export function withinTime<T>(work: Promise<T>, limit: TimeLimit, late: LateWork<T> = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(limit.toError());
    }, limit.ms);
    const end = () => clearTimeout(timer);
    work.then(
      (outcome) => {
        end();
        if (isLate) late.onOutcome?.(outcome);
        else resolve(outcome);
      },
      (error: unknown) => {
        end();
        if (isLate) late.onError?.(error);
        else reject(error);
      },
    );
  });
}
