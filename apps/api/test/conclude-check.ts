import {
  accessStatesOf,
  CHECK_CONTEXTS_MAX,
  type CheckOutcome,
  concludeCheck as conclude,
  concludeWithError,
  type Explanation,
  type Holder,
  type IdentityWithNewAccess,
  messageOfFailed,
  policyIdsOf,
  predict,
  remediate,
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
  { check, index, nowMs, ...holder }: CheckQuestion,
  explain: (policyIds: readonly string[]) => Promise<Explanation | null> = async () => null,
): Promise<CheckOutcome> {
  const { accessRefs, at, includes = [] } = check;
  const basis = { policySetVersion: 1, asOf: new Date(nowMs).toISOString() };
  const found = predict(index, holder, { accessRefs, at, nowMs, includes, contextsMax: CHECK_CONTEXTS_MAX });
  if (!found.ok) return concludeWithError(check, messageOfFailed(index, check, found.failure), basis);
  const violations = [...found.value.violations].filter((violation) => violation !== null);
  const prediction = { ...found.value, violations };
  const explanation = includes.length > 0 ? await explain(policyIdsOf(prediction)) : null;
  const { state, result, eventResult } = conclude(check, prediction, {
    basis,
    coverage: null,
    explanation: includes.includes('via') ? explanation : null,
    remediation: includes.includes('remediation')
      ? remediate(index, explanation === null ? [] : accessStatesOf(explanation, { at, nowMs }))
      : null,
  });
  const ofEvent = eventResult === undefined ? {} : { eventResult: [...eventResult].join('') };
  return { state, result: [...result].join(''), ...ofEvent };
}
