import type { Fetch } from '@access-admin/client';

/** Watches every single answer, including those after which the SDK repeats the call. */
export function watchAnswers() {
  const seen = { answered: 0, deferred: 0, unknown: 0, slowestMs: 0, unexpected: [] as string[] };
  const watched: Fetch = async (url, init) => {
    const startMs = performance.now();
    const what = `${init.method} ${new URL(url).pathname}`;
    try {
      const answer = await fetch(url, init);
      seen.answered++;
      if (answer.ok) return answer;
      const text = await answer.clone().text();
      const kind = answer.status === 503 ? kindOfRefusal(answer.headers.get('retry-after'), text) : null;
      if (kind === null) seen.unexpected.push(`${what}: ${answer.status} ${text}`);
      else seen[kind]++;
      return answer;
    } catch (error) {
      seen.unexpected.push(`${what}: no answer, ${error instanceof Error ? (error.cause ?? error) : error}`);
      throw error;
    } finally {
      seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - startMs));
    }
  };
  return Object.assign(seen, { fetch: watched });
}

/** A 503 with Retry-After means that nothing was done; without it, that the outcome is unknown. Null if it has another form. */
function kindOfRefusal(retryAfter: string | null, text: string): 'deferred' | 'unknown' | null {
  const { detailCode, trackingId, messages, causes } = Object(JSON.parse(text));
  const [message] = Array.isArray(messages) ? messages : [];
  const isInShape =
    detailCode === '503' &&
    /^[0-9a-f-]{32,36}$/.test(String(trackingId)) &&
    typeof Object(message).text === 'string' &&
    Array.isArray(causes);
  if (!isInShape) return null;
  if (retryAfter !== null) return /^[1-9]\d*$/.test(retryAfter) ? 'deferred' : null;
  return text.includes('it is unknown whether') ? 'unknown' : null;
}
