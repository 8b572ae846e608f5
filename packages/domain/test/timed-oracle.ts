import type {
  AccessPath,
  AccessRef,
  Catalogue,
  NamedAccessRef,
  SodPolicy,
  TimedAccessRef,
  ViolationContext,
} from '../src/index.ts';
import { effectiveAccess, inPair, itemsIn, named, sidesIn } from './predict-oracle.ts';

export interface TimedSodQuestion {
  readonly held: readonly TimedAccessRef[];
  readonly requested: readonly TimedAccessRef[];
  readonly at?: string;
  readonly now: string;
}

interface OracleWorld {
  readonly policies: readonly SodPolicy[];
  readonly catalogue: Catalogue;
}

/**
 * The plain rule: evaluates each policy at every instant at which any window begins or ends.
 * Shares no code with the evaluator that it tests.
 */
export function predictTemporalByOracle(world: OracleWorld, question: TimedSodQuestion): readonly ViolationContext[] {
  return violationsTemporal(world, question).map(({ context }) => context);
}

/** The paths to an item of a violation through access that holds at an instant with the violation. */
export function pathsTemporalByOracle(
  world: OracleWorld,
  question: TimedSodQuestion,
): readonly { readonly policyId: string; pathsTo(id: string): readonly AccessPath[] }[] {
  return violationsTemporal(world, question).map(({ context, instants }) => ({
    policyId: context.policy.id,
    pathsTo: (id) => {
      const found = new Map<string, AccessPath>();
      const sources = { ASSIGNED: question.held, REQUESTED: question.requested };
      for (const source of ['ASSIGNED', 'REQUESTED'] as const)
        for (const ref of sources[source].filter((each) => instants.some((instant) => holdsAt(each, instant))))
          for (const path of pathsDown(world.catalogue, ref, id))
            found.set(JSON.stringify([source, path]), { source, path });
      return [...found.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    },
  }));
}

/** The violations, and the instants at which they are there. */
export function violationsTemporal(
  { policies, catalogue }: OracleWorld,
  { held, requested, at, now }: TimedSodQuestion,
) {
  const later = [...held, ...requested]
    .flatMap(({ start, end }) => [start, end])
    .filter((instant) => instant !== undefined)
    .filter((instant) => Date.parse(instant) > Date.parse(now));
  const all = at === undefined ? [now, ...later].sort((a, b) => Date.parse(a) - Date.parse(b)) : [at];
  const access = all.map((instant) => ({
    instant,
    before: effectiveAccess(catalogue, atInstant(held, instant)),
    after: effectiveAccess(catalogue, atInstant([...held, ...requested], instant)),
  }));
  return [...policies]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((policy) => {
      const { conflictingAccessCriteria: criteria } = policy;
      const sides = sidesIn(criteria);
      const atLeast = 'criteria' in criteria ? criteria.atLeast : 2;
      const isViolatedBy = (ids: ReadonlySet<string>) =>
        sides.filter((side) => itemsIn(side, ids).size > 0).length >= atLeast;
      const seeing = access.filter(({ after }) => isViolatedBy(after));
      const [earliest] = seeing;
      const isCaused = seeing.some(({ before, after }) =>
        sides.some((side) => [...itemsIn(side, after)].some((id) => !before.has(id))),
      );
      if (policy.state !== 'ENFORCED' || earliest === undefined || !isCaused) return [];
      const shown = sides.map((side) => ({
        criteriaList: [...new Set(seeing.flatMap(({ after }) => [...itemsIn(side, after)]))].sort().map((id) => ({
          type: 'ENTITLEMENT' as const,
          id,
          name: catalogue.entitlements.find((item) => item.id === id)?.name ?? '',
          existing: earliest.before.has(id),
        })),
      }));
      const context: ViolationContext = {
        policy: { type: 'SOD_POLICY', id: policy.id, name: policy.name, level: policy.level },
        preexisting: access.some(({ before }) => isViolatedBy(before)),
        conflictingAccessCriteria:
          'criteria' in criteria ? { criteria: named(criteria.criteria, shown), atLeast } : inPair(shown),
      };
      return [{ context, instants: seeing.map(({ instant }) => instant) }];
    });
}

/** The refs that hold at an instant. */
export const atInstant = (refs: readonly TimedAccessRef[], instant: string) =>
  refs.filter((ref) => holdsAt(ref, instant));

const holdsAt = ({ start, end }: TimedAccessRef, instant: string) =>
  (start === undefined || Date.parse(start) <= Date.parse(instant)) &&
  (end === undefined || Date.parse(instant) < Date.parse(end));

/** Every way from a ref down to, and without, an entitlement. */
function pathsDown(catalogue: Catalogue, { type, id }: AccessRef, target: string): readonly NamedAccessRef[][] {
  if (type === 'ENTITLEMENT') return id === target ? [[]] : [];
  const role = type === 'ROLE' ? catalogue.roles.find((candidate) => candidate.id === id) : undefined;
  const bundle = role ?? catalogue.accessProfiles.find((candidate) => candidate.id === id);
  if (bundle === undefined) return [];
  const further: readonly AccessRef[] = [
    ...bundle.entitlements.map((entitlement) => ({ type: 'ENTITLEMENT' as const, id: entitlement })),
    ...(role?.accessProfiles ?? []).map((profile) => ({ type: 'ACCESS_PROFILE' as const, id: profile })),
  ];
  return further.flatMap((ref) =>
    pathsDown(catalogue, ref, target).map((rest) => [{ type, id, name: bundle.name }, ...rest]),
  );
}

// A length, ids and the rest as one text whose code units are in the promised order: no id has a space or what is below it.
const orderOf = ({ source, path }: AccessPath): string =>
  `${path.length} ${path.map(({ id }) => `${id}\0`).join('')} ${source} ${path.map(({ type }) => type).join(' ')}`;
