import { setTimeout as wait } from 'node:timers/promises';
import { type ImportPlan, lintInFocus, type PolicyFinding } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import type { Pace } from '../../event-loop/pace.ts';
import { runSteps } from '../../event-loop/run-steps.ts';
import type { LoadLintRulebook } from '../sod-policies/lint-rulebooks.ts';

export interface ImportWarningsDeps {
  readonly loadRulebook: LoadLintRulebook;
  readonly pace: Pace;
  /** A clock in ms that only rises. */
  readonly elapsed: () => number;
}

/** What an import that has taken effect is to be answered with. Fails for nothing: the import cannot be taken back. */
export type FindImportWarnings = (
  tenant: string,
  plan: Pick<ImportPlan, 'focus' | 'warnings'>,
) => Promise<readonly PolicyFinding[]>;

// Less than a process that stops gives its requests, so that the answer is not lost.
const WARNINGS_MS_MAX = 5_000;

/** Lints what an import has given, in its time; what the plan knew by itself where the rulebook cannot be had in it. */
export function createImportWarnings({ loadRulebook, pace, elapsed }: ImportWarningsDeps): FindImportWarnings {
  return async (tenant, { focus, warnings }) => {
    if (focus === null) return warnings;
    const sinceMs = elapsed();
    const isSpent = () => elapsed() - sinceMs >= WARNINGS_MS_MAX;
    const rulebook = await within(WARNINGS_MS_MAX, loadRulebook(tenant)).catch(nullWhereAway);
    return rulebook === null ? warnings : runSteps(lintInFocus(rulebook, { focus, isSpent }), pace);
  };
}

/** Null when the time is over. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  const settled = new AbortController();
  try {
    return await Promise.race([promise, wait(ms, null, { signal: settled.signal, ref: false })]);
  } finally {
    settled.abort();
  }
}

function nullWhereAway(error: unknown): null {
  if (error instanceof StorageUnavailable) return null;
  throw error;
}
