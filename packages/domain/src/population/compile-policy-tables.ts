import { sortById } from '../collections/sort-by-id.ts';
import type { SodPolicy } from '../policy/model.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import { compileSodPolicies, type SodPolicyTable } from '../rulebook/policy-table.ts';
import { createWorkBudget, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { PolicyTables } from './evaluators.ts';

// The work of one to two milliseconds.
const STEP_WORK = 0x2000;

/** Compiles the policies that a change touches, enforced or not, as they are before and after it, in steps. */
export function* compilePolicyTables(
  catalogue: SodCatalogue,
  { before, after }: { readonly before: readonly SodPolicy[]; readonly after: readonly SodPolicy[] },
): Steps<PolicyTables> {
  const budget = createWorkBudget(STEP_WORK);
  return {
    catalogue,
    before: yield* compileEnforced(before, catalogue, budget),
    after: yield* compileEnforced(after, catalogue, budget),
  };
}

function* compileEnforced(
  policies: readonly SodPolicy[],
  catalogue: SodCatalogue,
  budget: WorkBudget,
): Steps<SodPolicyTable> {
  const enforced = policies.filter(({ state }) => state === 'ENFORCED');
  return yield* compileSodPolicies(yield* sortById(enforced, budget), { catalogue, budget });
}
