import { intervalOf, isWithin } from '../access/model/interval.ts';
import type { AccessRef, TimedAccessRef } from '../access/model/records.ts';
import { SOD_POLICY_LEVELS, type SodPolicyLevel } from '../policies/model.ts';
import type { Basis } from '../predictions/check.ts';
import type { ExceptionCoverage } from '../predictions/coverage.ts';
import type { Prediction } from '../predictions/predict.ts';
import type { Remediation } from '../predictions/remediation.ts';
import type { CoveringException } from '../predictions/violation-context.ts';
import {
  entitlementsOf,
  type Holder,
  hasEntitlement,
  policyAt,
  policyPlaceAt,
  type SodCatalogue,
} from '../sod/index.ts';
import type { DecisionReason } from './question.ts';

/** The most violations that a decision names. */
export const DECISION_VIOLATIONS_MAX = 100;

/** A violation as decisions name it. */
export interface DecidedViolation {
  readonly policy: { readonly id: string; readonly name: string; readonly level: SodPolicyLevel };
  readonly preexisting: boolean;
  readonly exception: CoveringException | null;
}

/** What a request would violate, as far as that counts. */
export interface Verdict {
  /** The first ones in order of policy ids. */
  readonly violations: readonly DecidedViolation[];
  readonly violationCount: number;
  /** Whether one is not covered. */
  readonly isDenied: boolean;
}

/** A decision as answers show it. */
export interface AccessDecision {
  readonly decision: boolean;
  readonly context: DecisionContextShown;
}

/** What a decision is based on. Of an item of a batch that cannot be asked there is the reason alone. */
interface DecisionContextShown extends Partial<Basis>, Partial<Omit<Verdict, 'isDenied'>> {
  readonly reason: DecisionReason;
  /** As in an explained prediction, of all violations. */
  readonly remediation?: Remediation;
}

/** Whether violations of policies with a level count. */
export const countsFrom = (fromLevel: SodPolicyLevel) => {
  const last = SOD_POLICY_LEVELS.indexOf(fromLevel);
  return ({ level }: { readonly level: SodPolicyLevel }): boolean => SOD_POLICY_LEVELS.indexOf(level) <= last;
};

/** The violations of a prediction whose items must be looked up: all where levels or exceptions decide which are named. */
export const contextsFor = (fromLevel: SodPolicyLevel, hasExceptions: boolean): number =>
  fromLevel === 'LOW' && !hasExceptions ? DECISION_VIOLATIONS_MAX : Number.POSITIVE_INFINITY;

/** Judges what a request would violate. Yields after each violation. */
export function* judgeRequest(
  { index, violations }: Prediction,
  coverage: ExceptionCoverage | null,
  fromLevel: SodPolicyLevel,
): Generator<undefined, Verdict> {
  const counts = countsFrom(fromLevel);
  const named: DecidedViolation[] = [];
  let violationCount = 0;
  let isDenied = false;
  for (const violation of violations) {
    yield;
    if (violation === null) continue;
    const { id, name, level } = policyAt(policyPlaceAt(index, violation.policy));
    if (!counts({ level })) continue;
    violationCount += 1;
    const exception = coverage?.coverageOf(violation)?.exception ?? null;
    isDenied ||= exception === null;
    if (named.length < DECISION_VIOLATIONS_MAX)
      named.push({ policy: { id, name, level }, preexisting: violation.preexisting, exception });
  }
  return { violations: named, violationCount, isDenied };
}

/** The decision on a request. */
export function decisionOf(
  { isDenied, ...found }: Verdict,
  basis: Basis,
  remediation: Remediation | null,
): AccessDecision {
  const { violationCount } = found;
  if (violationCount === 0) return { decision: true, context: { reason: CLEAN, ...basis } };
  if (!isDenied) return { decision: true, context: { reason: COVERED, ...basis, ...found } };
  const text = `The request would violate ${violationCount} ${violationCount === 1 ? 'policy' : 'policies'}.`;
  return {
    decision: false,
    context: {
      reason: { code: 'SOD_VIOLATION', text },
      ...basis,
      ...found,
      ...(remediation === null ? {} : { remediation }),
    },
  };
}

const CLEAN: DecisionReason = { code: 'OK', text: 'The request would violate no policy.' };
const COVERED: DecisionReason = { code: 'COVERED', text: 'Approved exceptions cover all violations.' };
const HELD: DecisionReason = { code: 'OK', text: 'The subject has it.' };
const NOT_HELD: DecisionReason = { code: 'NOT_HELD', text: 'The subject does not have it.' };

/** The decision on what a subject has or has not. */
export const heldDecision = (isHeld: boolean, basis: Basis): AccessDecision => ({
  decision: isHeld,
  context: { reason: isHeld ? HELD : NOT_HELD, ...basis },
});

/** The decision on what is not there or not known. */
export const refusedDecision = (reason: DecisionReason, basis: Partial<Basis> = {}): AccessDecision => ({
  decision: false,
  context: { reason, ...basis },
});

/** Whether an entitlement, by its number, is held at an instant. */
export const isHeldAt = ({ held, timed }: Holder, entitlement: number, ms: number): boolean =>
  (held !== null && hasEntitlement(held, entitlement)) ||
  (timed ?? []).some(
    ({ entitlements, windows }) =>
      hasEntitlement(entitlements, entitlement) && windows.some((window) => isWithin(window, ms)),
  );

/** The entitlements that are held at an instant, as numbers, ascending. */
export function heldAt({ held, timed }: Holder, ms: number): readonly number[] {
  const found = new Set(Array.from(held ?? []));
  for (const { entitlements, windows } of timed ?? [])
    if (windows.some((window) => isWithin(window, ms))) for (const each of Array.from(entitlements)) found.add(each);
  return [...found].sort((one, other) => one - other);
}

/** Assignments that hold at an instant. */
export const assignedAt = (access: readonly TimedAccessRef[], ms: number): readonly AccessRef[] =>
  access.filter((ref) => isWithin(intervalOf(ref), ms));

/** Whether an assignment givesAccess a role, an access profile or an entitlement, itself or by what it contains. */
export function givesAccess(catalogue: SodCatalogue, assigned: AccessRef, ref: AccessRef): boolean {
  if (assigned.type === ref.type) return assigned.id === ref.id;
  if (ref.type === 'ENTITLEMENT') {
    const number = catalogue.numbers.get(ref.id);
    return number !== undefined && hasEntitlement(entitlementsOf(catalogue, assigned) ?? [], number);
  }
  return ref.type === 'ACCESS_PROFILE' && profilesOf(catalogue, assigned).includes(ref.id);
}

/** The access profiles of a role; none of another assignment. */
export function profilesOf({ roles, accessProfiles }: SodCatalogue, { type, id }: AccessRef): readonly string[] {
  const role = type === 'ROLE' ? roles.numbers.get(id) : undefined;
  if (role === undefined) return [];
  const { starts, values } = roles.accessProfiles;
  return Array.from(values.subarray(starts[role], starts[role + 1]), (number) => accessProfiles.ids[number] ?? '');
}
