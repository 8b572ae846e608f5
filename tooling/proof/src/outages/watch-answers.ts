import type { Fetch } from '@access-admin/client';

/** Watches every single answer, including those after which the SDK repeats the call. */
export function watchAnswers() {
  const seen = { answered: 0, deferred: 0, unknown: 0, slowestMs: 0, faults: [] as string[] };
  const watched: Fetch = async (url, init) => {
    const startMs = performance.now();
    const what = `${init.method} ${new URL(url).pathname}`;
    try {
      const answer = await fetch(url, init);
      seen.answered++;
      if (isDeferral(answer)) seen.deferred++;
      else if (await isUnknown(answer)) seen.unknown++;
      else if (!answer.ok) seen.faults.push(`${what}: ${answer.status} ${await answer.clone().text()}`);
      return answer;
    } catch (error) {
      seen.faults.push(`${what}: no answer, ${error instanceof Error ? (error.cause ?? error) : error}`);
      throw error;
    } finally {
      seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - startMs));
    }
  };
  return Object.assign(seen, { fetch: watched });
}

/** 503 with Retry-After: nothing was done. */
const isDeferral = ({ status, headers }: Response): boolean =>
  status === 503 && /^[1-9]\d*$/.test(headers.get('retry-after') ?? '');

/** 503 with a message that the outcome is not known. */
const isUnknown = async (answer: Response): Promise<boolean> =>
  answer.status === 503 && (await answer.clone().text()).includes('is not known');
