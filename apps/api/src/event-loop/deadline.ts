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
  readonly isEffectKnown: boolean;
}

/** The outcome of work, unless that takes longer than a limit: then the promise rejects, and the outcome is passed on. */
export function withinTime<T>(work: Promise<T>, limit: TimeLimit, onLate: (outcome: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new DeadlineExceeded(limit.isEffectKnown));
    }, limit.ms);
    const end = () => clearTimeout(timer);
    work.then(
      (outcome) => {
        end();
        if (isLate) onLate(outcome);
        else resolve(outcome);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}
