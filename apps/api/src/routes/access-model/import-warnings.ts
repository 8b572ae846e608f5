import { setTimeout as wait } from 'node:timers/promises';
import {
  firstFindings,
  IMPORT_WARNINGS_MAX,
  type ImportPlan,
  type ImportWarning,
  type LintRequest,
  type LintRulebook,
  lintInFocus,
  type PolicyFinding,
  tellAccountsWithoutIdentity,
  tellUnknownItems,
} from '@access-admin/domain';
import { type Imported, StorageUnavailable } from '@access-admin/store';
import { DeadlineExceeded } from '../../event-loop/deadline.ts';
import type { Jobs } from '../../event-loop/jobs.ts';
import type { LoadLintRulebook } from '../policies/lint-rulebooks.ts';

export interface ImportWarningsDeps {
  readonly loadRulebook: LoadLintRulebook;
  readonly jobs: Jobs;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
}

/** What is needed of an import to warn of it. */
interface ImportedPlan extends Pick<Imported, 'accountFaults'> {
  readonly plan: Pick<ImportPlan, 'focus' | 'warnings' | 'repeated'>;
}

/** Finds the warnings of an import that has taken effect. Never fails, because the import cannot be undone. */
export type FindImportWarnings = (tenant: string, imported: ImportedPlan) => Promise<readonly ImportWarning[]>;

// Less than the time that a stopping process gives its requests, so that the response is not lost.
const WARNINGS_MS_MAX = 5_000;

/** Lints the records of an import within a time limit; without the rulebook in time, the warnings of the plan are all. */
export function createImportWarnings({ loadRulebook, jobs, elapsed }: ImportWarningsDeps): FindImportWarnings {
  const find = async (tenant: string, rulebook: LintRulebook, request: LintRequest) => {
    const pause = jobs.pauseOf(jobs.begin(tenant, null));
    const found: PolicyFinding[] = [];
    for (const findings of lintInFocus(rulebook, request)) {
      found.push(...findings);
      const waiting = pause();
      if (waiting !== undefined) await waiting;
    }
    return firstFindings(found);
  };
  const lint = async (tenant: string, { focus, warnings }: Pick<ImportPlan, 'focus' | 'warnings'>) => {
    if (focus === null) return warnings;
    const sinceMs = elapsed();
    const isSpent = () => elapsed() - sinceMs >= WARNINGS_MS_MAX;
    const rulebook = await within(WARNINGS_MS_MAX, loadRulebook(tenant)).catch(nullWhereAway);
    if (rulebook === null) return warnings;
    const found = await find(tenant, rulebook, { focus, isSpent }).catch(nullWhereAway);
    return found === null ? warnings : tellUnknownItems(found, focus);
  };
  return async (tenant, { plan, accountFaults }) => {
    const told = [...plan.repeated, ...tellAccountsWithoutIdentity(accountFaults)];
    return [...told, ...(await lint(tenant, plan))].slice(0, IMPORT_WARNINGS_MAX);
  };
}

/** Null after the time limit. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  const settled = new AbortController();
  try {
    return await Promise.race([promise, wait(ms, null, { signal: settled.signal, ref: false })]);
  } finally {
    settled.abort();
  }
}

function nullWhereAway(error: unknown): null {
  if (error instanceof StorageUnavailable || error instanceof DeadlineExceeded) return null;
  throw error;
}
