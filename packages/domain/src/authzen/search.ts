import { hasWindow } from '../access/model/interval.ts';
import type { AccessRef, TimedAccessRef } from '../access/model/records.ts';
import { predict } from '../predictions/predict.ts';
import {
  createGainSearch,
  entitlementAt,
  expandAccess,
  expandAssignments,
  findViolatingHolders,
  findViolatingRefs,
  type Holder,
  policyAt,
  policyPlaceAt,
  type SodCatalogue,
  type SodIndex,
} from '../sod/index.ts';
import { assignedAt, countsFrom, givesAccess, heldAt, profilesOf } from './decision.ts';
import { ACCESS_TYPE_OF, type AccessTarget, type DecisionContext, isAccessResource } from './question.ts';

/** The data of a search and the time that counts. */
export interface SearchBasis extends DecisionContext {
  readonly index: SodIndex;
  readonly nowMs: number;
}

const instantOf = ({ time, nowMs }: Pick<SearchBasis, 'time' | 'nowMs'>): number =>
  time === null ? nowMs : Date.parse(time);

/** Whether each of some holders may do what was asked, if no exception covers a violation. */
export type JudgeHolders = (access: readonly (readonly TimedAccessRef[])[]) => readonly boolean[];

/**
 * Judges holders, many at once. What is asked is evaluated for all whose access has no window together, policy by policy; each of
 * the others is predicted alone.
 */
export function createHolderJudge(
  basis: SearchBasis,
  target: Exclude<AccessTarget, { readonly kind: 'use' }>,
): JudgeHolders {
  const { index } = basis;
  if (target.kind !== 'request') {
    const giving = new Set(givingRefs(index.catalogue, target).map(keyOf));
    const ms = instantOf(basis);
    return (access) => access.map((refs) => assignedAt(refs, ms).some((ref) => giving.has(keyOf(ref))));
  }
  const { accessRefs } = target;
  const search = createGainSearch(index, countsFrom(basis.fromLevel));
  const gained = expandAccess(index, accessRefs).entitlements;
  const predictOne = createPrediction(basis);
  return (access) => {
    const isTimed = accessRefs.some(hasWindow);
    const together = access.flatMap((refs, at) => (isTimed || refs.some(hasWindow) ? [] : [at]));
    const violating = findViolatingHolders(
      search,
      gained,
      together.map((at) => access[at] ?? []),
    );
    const found = new Map(together.map((at, place) => [at, violating[place] === true]));
    return access.map((refs, at) => !(found.get(at) ?? predictOne(expandAssignments(index, refs), accessRefs)));
  };
}

/** Whether each of some refs may be requested, if no exception covers a violation. */
export function judgeRefs(basis: SearchBasis, holder: Holder, refs: readonly AccessRef[]): readonly boolean[] {
  const { index, fromLevel } = basis;
  if (holder.timed !== null) {
    const predictOne = createPrediction(basis);
    return refs.map((ref) => !predictOne(holder, [ref]));
  }
  const search = createGainSearch(index, countsFrom(fromLevel));
  return findViolatingRefs(search, holder.held ?? [], refs).map((isViolating) => !isViolating);
}

/** Whether requests would violate policies that count. */
function createPrediction({ index, time, nowMs, fromLevel }: SearchBasis) {
  const counts = countsFrom(fromLevel);
  return (holder: Holder, accessRefs: readonly TimedAccessRef[]): boolean => {
    const predicted = predict(index, holder, { accessRefs, at: time, nowMs, contextsMax: Number.POSITIVE_INFINITY });
    if (!predicted.ok) return false;
    for (const violation of predicted.value.violations)
      if (violation !== null && counts(policyAt(policyPlaceAt(index, violation.policy)))) return true;
    return false;
  };
}

/** The assignments that give what is asked for: items of the catalogue, and what contains them. */
export function givingRefs(
  catalogue: SodCatalogue,
  target: Extract<AccessTarget, { readonly kind: 'hold' | 'grant' }>,
): readonly AccessRef[] {
  const targets: readonly AccessRef[] =
    target.kind === 'hold'
      ? [target.ref]
      : target.entitlements.map((number) => ({ type: 'ENTITLEMENT', id: entitlementAt(catalogue, number).id }));
  const bundles: readonly AccessRef[] = [
    ...catalogue.accessProfiles.ids.map((id) => ({ type: 'ACCESS_PROFILE', id }) as const),
    ...catalogue.roles.ids.map((id) => ({ type: 'ROLE', id }) as const),
  ];
  return [
    ...targets,
    ...bundles.filter((bundle) =>
      targets.some((each) => bundle.type !== each.type && each.type !== 'ROLE' && givesAccess(catalogue, bundle, each)),
    ),
  ];
}

const keyOf = ({ type, id }: AccessRef): string => `${type} ${id}`;

/** The ids of all items of a type, in code-unit order. */
export function itemIds({ entitlements, accessProfiles, roles }: SodCatalogue, type: string): readonly string[] {
  if (type === 'entitlement') return entitlements.map(({ id }) => id);
  if (type === 'role') return roles.ids;
  return type === 'access_profile' ? accessProfiles.ids : [];
}

/** The items of a type that are held at the instant that counts, in code-unit order of their ids. */
export function heldItemIds(
  basis: SearchBasis,
  type: string,
  { holder, assignments }: { readonly holder: Holder; readonly assignments: readonly TimedAccessRef[] },
): readonly string[] {
  const { catalogue } = basis.index;
  const ms = instantOf(basis);
  if (type === 'entitlement') return heldAt(holder, ms).map((number) => entitlementAt(catalogue, number).id);
  if (!isAccessResource(type)) return [];
  const assigned = assignedAt(assignments, ms);
  const ofType = assigned.filter((ref) => ref.type === ACCESS_TYPE_OF[type]).map(({ id }) => id);
  const within = type === 'access_profile' ? assigned.flatMap((ref) => profilesOf(catalogue, ref)) : [];
  const { numbers } = type === 'role' ? catalogue.roles : catalogue.accessProfiles;
  return [...new Set([...ofType, ...within])].filter((id) => numbers.has(id)).sort();
}

/** The resources of a type on which held entitlements grant an action, in code-unit order of their ids. */
export const grantedIds = (basis: SearchBasis, holder: Holder, { type, action }: Granted): readonly string[] =>
  [
    ...new Set(
      grantsOf(basis, holder).flatMap((grant) =>
        grant.resourceType === type && grant.action === action ? [grant.resourceId] : [],
      ),
    ),
  ].sort();

interface Granted {
  readonly type: string;
  readonly action: string;
}

/** The actions that held entitlements grant on a resource, in code-unit order. */
export const grantedActions = (
  basis: SearchBasis,
  holder: Holder,
  { type, id }: { readonly type: string; readonly id: string },
): readonly string[] =>
  [
    ...new Set(
      grantsOf(basis, holder).flatMap((grant) =>
        grant.resourceType === type && grant.resourceId === id ? [grant.action] : [],
      ),
    ),
  ].sort();

const grantsOf = (basis: SearchBasis, holder: Holder) =>
  heldAt(holder, instantOf(basis)).flatMap((number) => basis.index.catalogue.grants.ofEntitlement.get(number) ?? []);
