import {
  type AccessRef,
  conflictShown,
  entitlementAt,
  type FixedPolicy,
  type FixPlan,
  type FixRevocation,
  type ReportEvaluator,
  type SodIndex,
  stepsOf,
} from '@access-admin/domain';
import type { FixPlanEntry, ReportStore } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { ViolatorProblem } from './fix-plan-problem.ts';

/** What the entries of a plan are made of. */
export interface PlannedReport {
  readonly index: SodIndex;
  readonly evaluator: ReportEvaluator;
  readonly problems: readonly ViolatorProblem[];
  readonly plan: FixPlan;
  readonly pause: Pause;
}

/** The violations that a plan leaves, by policy, then by identity. */
export async function* unsolvableOf({ evaluator, problems, plan, pause }: PlannedReport): AsyncGenerator<FixPlanEntry> {
  const left: { readonly policy: number; readonly problem: number; readonly at: number }[] = [];
  for (const [problem, { violator }] of problems.entries())
    for (const [at, { policy }] of violator.violations.entries())
      if (plan.identities[problem]?.reasons[at] != null) left.push({ policy, problem, at });
  left.sort((one, other) => one.policy - other.policy || one.problem - other.problem);
  for (const [number, { policy, problem, at }] of left.entries()) {
    const violator = problems[problem]?.violator;
    const reason = plan.identities[problem]?.reasons[at];
    const items = violator?.violations[at]?.items;
    if (violator === undefined || reason == null || items === undefined) continue;
    const { identityId, displayName } = violator;
    const described = evaluator.policyAt(policy);
    const conflictingAccessCriteria = conflictShown(described, { change: 'same', items });
    const shown = { identityId, displayName, ...fixedPolicyOf(described), conflictingAccessCriteria, reason };
    yield { list: 'UNSOLVABLE', number, shown };
    await pause();
  }
}

/** The steps of a plan, by identity. */
export async function* stepEntries(
  { index, evaluator, problems, plan, pause }: PlannedReport,
  revocationOf: (identityId: string, ref: AccessRef) => FixRevocation,
): AsyncGenerator<FixPlanEntry> {
  let number = 0;
  for (const [at, problem] of problems.entries()) {
    const fixed = plan.identities[at];
    if (fixed === undefined || fixed.taken.length === 0) continue;
    const { identityId, displayName, violations } = problem.violator;
    for (const { ref, ends, alsoLoses } of stepsOf(problem, fixed)) {
      const held = problem.refs[ref];
      if (held === undefined) continue;
      number += 1;
      const shown = {
        step: number,
        identityId,
        displayName,
        revoke: revocationOf(identityId, held.ref),
        ends: ends.flatMap((violation) => {
          const policy = violations[violation]?.policy;
          return policy === undefined ? [] : fixedPolicyOf(evaluator.policyAt(policy));
        }),
        alsoLoses: alsoLoses.map((entitlement) => ({ type: 'ENTITLEMENT', ...namedAt(index, entitlement) }) as const),
      };
      yield { list: 'STEP', number, shown };
      await pause();
    }
  }
}

const fixedPolicyOf = ({ policyId, name, level }: ReturnType<ReportEvaluator['policyAt']>): FixedPolicy => ({
  policyId,
  policyName: name,
  level,
});

function namedAt({ catalogue }: SodIndex, entitlement: number): { readonly id: string; readonly name: string } {
  const { id, name } = entitlementAt(catalogue, entitlement);
  return { id, name };
}

/** Reads how each ref that a plan takes away is shown: by name, with the sources that have to revoke it. */
export async function readRevocations(
  reports: Pick<ReportStore, 'readBundleNames' | 'readGrantsBySource'>,
  tenant: string,
  { index, problems, plan, pause }: PlannedReport,
): Promise<(identityId: string, ref: AccessRef) => FixRevocation> {
  const ids = { ROLE: new Set<string>(), ACCESS_PROFILE: new Set<string>() };
  const losers: string[] = [];
  for (const [at, { refs, violator }] of problems.entries()) {
    const taken = plan.identities[at]?.taken ?? [];
    if (taken.length > 0) losers.push(violator.identityId);
    for (const place of taken) {
      const ref = refs[place]?.ref;
      if (ref !== undefined && ref.type !== 'ENTITLEMENT') ids[ref.type].add(ref.id);
    }
    await pause();
  }
  const names = {
    ROLE: await reports.readBundleNames(tenant, { type: 'ROLE', ids: ids.ROLE }),
    ACCESS_PROFILE: await reports.readBundleNames(tenant, { type: 'ACCESS_PROFILE', ids: ids.ACCESS_PROFILE }),
  };
  const sources = new Map<string, Set<string>>();
  for await (const grants of reports.readGrantsBySource(tenant, losers)) {
    for (const { identityId, source, refs } of grants)
      for (const ref of refs) {
        const key = keyOf(identityId, ref);
        sources.set(key, (sources.get(key) ?? new Set()).add(source));
      }
    await pause();
  }
  const nameOf = ({ type, id }: AccessRef) =>
    type === 'ENTITLEMENT'
      ? entitlementAt(index.catalogue, index.catalogue.numbers.get(id) ?? -1).name
      : (names[type].get(id) ?? id);
  return (identityId, ref) => {
    const granting = sources.get(keyOf(identityId, ref));
    const named = { ...ref, name: nameOf(ref) };
    return granting === undefined ? named : { ...named, sources: [...granting].sort() };
  };
}

const keyOf = (identityId: string, { type, id }: AccessRef): string => `${identityId} ${type} ${id}`;
