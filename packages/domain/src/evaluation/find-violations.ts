import type { SodIndex } from '../rulebook/sod-index.ts';
import type { Steps } from '../steps/work-budget.ts';
import { findAtInstant } from './find-at-instant.ts';
import { findAtOnce } from './find-at-once.ts';
import { findTemporal, type TemporalSearch } from './find-temporal.ts';
import type { FoundViolations } from './found-violations.ts';
import type { Question } from './question.ts';

/**
 * Finds what granting the requested access would violate, in steps: each policy that held and requested access violate
 * together at any instant that counts, where something gained contributes to it.
 */
export function* findViolations(index: SodIndex, question: Question, search: TemporalSearch): Steps<FoundViolations> {
  if (question.kind === 'temporal') return yield* findTemporal(index, question, search);
  return findAtOnce(index, question) ?? (yield* findAtInstant(index, question, search.budget));
}
