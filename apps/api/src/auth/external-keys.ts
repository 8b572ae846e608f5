import { createRemoteJWKSet, customFetch, errors } from 'jose';

const COOLDOWN_MS = 30_000;
const RETRY_MS = 1_000;
const ANSWER_MS_MAX = 5_000;

/**
 * The keys that an external issuer publishes. The issuer is asked at most once in 30 seconds, regardless of the tokens, or once a
 * second while none of its keys are fresh.
 */
export function createExternalKeys(jwksUrl: string, now: () => Date): ReturnType<typeof createRemoteJWKSet> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: ANSWER_MS_MAX,
    // The library counts the time since the last success only.
    [customFetch]: async (url, options) => {
      const nowMs = now().getTime();
      const sinceMs = nowMs - askedAtMs;
      // A clock that was set back must not stop requests to the issuer.
      if (sinceMs >= 0 && sinceMs < (keys.fresh ? COOLDOWN_MS : RETRY_MS))
        throw new errors.JOSEError('The keys of the issuer were requested a moment ago.');
      askedAtMs = nowMs;
      return fetch(url, options);
    },
  });
  return keys;
}
