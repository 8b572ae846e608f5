import { type Holder, isTimed } from '../evaluation/temporal-question.ts';
import { type CheckBasis, concludeCheck, concludeWith, explainConclusion, type SodCheckConclusion } from './check.ts';
import type { Explanation } from './explain-violations.ts';
import { predictTemporal } from './predict-temporal.ts';

/** How a check ended, and the same with what explains its violations. */
export interface ConcludedCheck {
  readonly conclusion: SodCheckConclusion;
  explain(explanation: Explanation): SodCheckConclusion;
}

/**
 * Concludes a check as `concludeCheck` does, with what holds for a time: at the moment that the check asks about, or at every
 * one from `nowMs` (since 1970) on.
 */
export function concludeTemporalCheck(
  basis: CheckBasis & { readonly timed: Holder['timed']; readonly nowMs: number },
): ConcludedCheck {
  const { index, held, timed, check, nowMs } = basis;
  const prediction = isTimed(timed, check) ? predictTemporal(index, { held, timed }, { ...check, nowMs }) : null;
  if (prediction?.ok !== true) {
    // Without time; or it fails, and that does not depend on time.
    const conclusion = concludeCheck({ index, held, check });
    return { conclusion, explain: (explanation) => explainConclusion(conclusion, explanation) };
  }
  const { violationContexts, explain } = prediction.value;
  return {
    conclusion: concludeWith(check, violationContexts),
    explain: (explanation) => concludeWith(check, explain(explanation)),
  };
}
