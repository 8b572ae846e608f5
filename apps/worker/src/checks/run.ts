import {
  CHECK_CONTEXTS_MAX,
  concludeCheck,
  concludeWithError,
  EXPLAINING_BUNDLES_BYTES_MAX,
  messageOfFailed,
  policyIdAt,
} from '@access-admin/domain';
import {
  type ClaimedCheck,
  type ReservationStore,
  readPrediction,
  type SodReader,
  type SodStore,
} from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { CheckConclusion } from './held-check.ts';

export interface RunCheckDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  readonly reservations: Pick<ReservationStore, 'readPending'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Reads the data of a check and concludes it, all as of one instant, with pauses: it ends where a pause rejects. A check that
 * exceeds a bound has the outcome `ERROR`: it would exceed it again at every attempt.
 */
export async function runCheck(deps: RunCheckDeps, check: ClaimedCheck, pause: Pause): Promise<CheckConclusion> {
  const predicted = await readPrediction(deps, { ...check, contextsMax: CHECK_CONTEXTS_MAX }, pause);
  if (!predicted.ok) return { ...concludeRefused(check, predicted.failure), verdict: null };
  const { found, basis } = predicted.value;
  const { state, result, eventResult } = concludeCheck(check, found, predicted.value);
  const text = await joined(result, pause);
  const violatedPolicies = found.violations.map(({ policy }) => policyIdAt(found.index, policy));
  // A check beyond a bound of its result ends in an error, too.
  const verdict = state === 'SUCCESS' ? { violatedPolicies, basis } : null;
  return eventResult === undefined
    ? { state, result: text, verdict }
    : { state, result: text, verdict, eventResult: await joined(eventResult, pause) };
}

type Refusal = Extract<Awaited<ReturnType<typeof readPrediction>>, { readonly ok: false }>['failure'];

const concludeRefused = (check: ClaimedCheck, refusal: Refusal) =>
  refusal === 'tooLarge'
    ? concludeWithError(check, EXPLANATION_TOO_LARGE)
    : concludeWithError(check, messageOfFailed(refusal.index, check, refusal.failure), refusal.basis);

async function joined(pieces: Iterable<string>, pause: Pause): Promise<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
  return text;
}

const EXPLANATION_TOO_LARGE = `What explains the check, its roles and access profiles, is larger than ${Math.round(EXPLAINING_BUNDLES_BYTES_MAX / 2 ** 20)} MiB: ask without include.`;
