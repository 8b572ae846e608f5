import {
  type CheckOutcome,
  createWorkBudget,
  type Explanation,
  findCheck,
  type Holder,
  type IdentityWithNewAccess,
  runToEnd,
  type SodInclude,
  type SodIndex,
} from '@access-admin/domain';

interface CheckQuestion extends Holder {
  readonly index: SodIndex;
  readonly check: IdentityWithNewAccess & { readonly includes?: readonly SodInclude[] };
  readonly nowMs: number;
}

/** Concludes a check on one state of the data as a worker does. `explain` reads what explains violations of policies. */
export async function concludeCheck(
  { check, ...question }: CheckQuestion,
  explain: (policyIds: readonly string[]) => Promise<Explanation | null> = async () => null,
): Promise<CheckOutcome> {
  const budget = createWorkBudget();
  const { includes = [] } = check;
  const found = runToEnd(findCheck({ ...question, check, includes, budget }));
  const explanation = includes.length > 0 ? await explain(found.policyIds) : null;
  const basis = { policySetVersion: 1, asOf: new Date(question.nowMs).toISOString() };
  return runToEnd(found.conclude({ basis, coverage: null, explanation }));
}
