import type { Fetch } from '@access-admin/client';

/** What the service answered while something was wrong with its database. */
export interface WatchedAnswers {
  readonly fetch: Fetch;
  readonly answered: number;
  /** 503 with Retry-After. */
  readonly deferred: number;
  /** 503 that says that the outcome is not known. */
  readonly unknown: number;
  readonly slowestMs: number;
  /** Answers that nobody should get, and requests without any. */
  readonly faults: readonly string[];
}

/** Watches every single answer, also those that the SDK makes up for by a repeat. */
export function watchAnswers(): WatchedAnswers {
  const seen = { answered: 0, deferred: 0, unknown: 0, slowestMs: 0 };
  const faults: string[] = [];
  const watched: Fetch = async (url, init) => {
    const startMs = performance.now();
    const what = `${init.method} ${new URL(url).pathname}`;
    try {
      const answer = await fetch(url, init);
      seen.answered++;
      if (isDeferral(answer)) seen.deferred++;
      else if (await isUnknown(answer)) seen.unknown++;
      else if (!answer.ok) faults.push(`${what}: ${answer.status} ${await answer.clone().text()}`);
      return answer;
    } catch (error) {
      faults.push(`${what}: no answer, ${error instanceof Error ? (error.cause ?? error) : error}`);
      throw error;
    } finally {
      seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - startMs));
    }
  };
  return {
    fetch: watched,
    faults,
    get answered() {
      return seen.answered;
    },
    get deferred() {
      return seen.deferred;
    },
    get unknown() {
      return seen.unknown;
    },
    get slowestMs() {
      return seen.slowestMs;
    },
  };
}

const isDeferral = ({ status, headers }: Response): boolean =>
  status === 503 && /^[1-9]\d*$/.test(headers.get('retry-after') ?? '');

const isUnknown = async (answer: Response): Promise<boolean> =>
  answer.status === 503 && (await answer.clone().text()).includes('is not known');
