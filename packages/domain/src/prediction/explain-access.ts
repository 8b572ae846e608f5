import type { AccessProfile, AccessRef, Role, TimedAccessRef } from '../access-model/records.ts';
import { createWorkBudget, isPauseDue, runToEnd, type Steps, type WorkBudget } from '../steps/work-budget.ts';

/** Whether an entitlement comes from an assignment or from the request. */
export type AccessSource = 'ASSIGNED' | 'REQUESTED';

/** An access ref with the catalogue's name today. */
export interface NamedAccessRef extends AccessRef {
  readonly name: string;
}

/** The access refs from an assignment or a requested ref down to an entitlement, without it: none where it is held directly. */
export interface AccessPath {
  readonly source: AccessSource;
  readonly path: readonly NamedAccessRef[];
}

/** Why an identity would have an entitlement. */
export interface AccessReason {
  /** The shortest paths first, then by ids, those that are assigned before those that are requested; at most 10. */
  readonly via: readonly AccessPath[];
  /** The number of further paths. */
  readonly viaMore: number;
}

/** The access that paths can lead through; bundles that are missing here do not exist. */
export interface AccessGraph {
  readonly assignments: readonly TimedAccessRef[];
  readonly requested: readonly TimedAccessRef[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly accessProfiles: ReadonlyMap<string, AccessProfile>;
}

/** The most paths shown for an item. */
export const ACCESS_PATHS_MAX = 10;

const KNOWN_MAX = 1_000;

/** Where paths begin. */
export interface PathOrigin {
  readonly source: AccessSource;
  readonly ref: AccessRef;
}

/** Whether paths with this origin count. */
export type OriginFilter = (origin: PathOrigin) => boolean;

/** The reason for an entitlement: all paths to it, or those that pass the filter. */
export type ReasonFor = (id: string, takesPart?: OriginFilter) => AccessReason;

/** Finds the reasons for these entitlements, which the result gives by id. Windows do not count. */
export function explainAccess(graph: AccessGraph, entitlements: ReadonlySet<string>): ReasonFor {
  return runToEnd(explainAccessInSteps(graph, entitlements, createWorkBudget()));
}

/** As `explainAccess`, in steps. */
export function* explainAccessInSteps(
  { assignments, requested, roles, accessProfiles }: AccessGraph,
  entitlements: ReadonlySet<string>,
  budget: WorkBudget,
): Steps<ReasonFor> {
  const links: Links = { direct: new Map(), bundles: new Map(), profiles: new Map(), roles: new Map() };
  const reached = new Map<string, AccessProfile>();
  for (const root of rootsOf(assignments, requested)) {
    const { type, id } = root;
    if (type === 'ENTITLEMENT') {
      addTo(links.direct, id, { source: root.source, ref: root });
      continue;
    }
    const role = type === 'ROLE' ? roles.get(id) : undefined;
    const bundle = role ?? (type === 'ACCESS_PROFILE' ? accessProfiles.get(id) : undefined);
    if (bundle === undefined) continue;
    const start = { source: root.source, ref: { type, id, name: bundle.name } };
    yield* addBundle(links.bundles, { start, held: bundle.entitlements }, { entitlements, budget });
    for (const profileId of new Set(role?.accessProfiles)) {
      const profile = accessProfiles.get(profileId);
      if (profile !== undefined) reached.set(profileId, profile);
      addTo(links.roles, profileId, start);
      if (isPauseDue(budget, 1)) yield;
    }
  }
  for (const { id, name, entitlements: held } of reached.values()) {
    const start = { type: 'ACCESS_PROFILE', id, name } as const;
    yield* addBundle(links.profiles, { start, held }, { entitlements, budget });
  }
  return createReasons(links);
}

// Reasons are cached: many violations have the same few items in the same intervals.
function createReasons(links: Links): ReasonFor {
  const known = new Map<string, AccessReason>();
  let last: OriginFilter | undefined;
  return (id, takesPart) => {
    if (takesPart !== last || known.size >= KNOWN_MAX) known.clear();
    last = takesPart;
    const reason = known.get(id) ?? reasonFor(links, id, takesPart);
    known.set(id, reason);
    return reason;
  };
}

interface Root extends PathOrigin {
  readonly ref: NamedAccessRef;
}

interface Links {
  /** By entitlement: how it is held without a bundle. */
  readonly direct: Map<string, PathOrigin[]>;
  /** By entitlement: the held or requested bundles that contain it themselves. */
  readonly bundles: Map<string, Root[]>;
  /** By entitlement: the access profiles of such roles that have it. */
  readonly profiles: Map<string, NamedAccessRef[]>;
  /** By access profile: the roles that have it, in order. */
  readonly roles: Map<string, Root[]>;
}

/** Each access ref once for a source, in the order of paths. */
function rootsOf(assignments: readonly TimedAccessRef[], requested: readonly TimedAccessRef[]) {
  const roots = new Map<string, AccessRef & { readonly source: AccessSource }>();
  const add = (source: AccessSource) => (ref: AccessRef) => {
    roots.set(`${source} ${ref.type} ${ref.id}`, { ...ref, source });
  };
  assignments.forEach(add('ASSIGNED'));
  requested.forEach(add('REQUESTED'));
  return [...roots.values()].sort(
    (a, b) => compare(a.id, b.id) || compare(a.source, b.source) || compare(a.type, b.type),
  );
}

function* addBundle<T>(
  links: Map<string, T[]>,
  { start, held }: { readonly start: T; readonly held: readonly string[] },
  { entitlements, budget }: { readonly entitlements: ReadonlySet<string>; readonly budget: WorkBudget },
): Steps<void> {
  for (const id of new Set(held)) {
    if (entitlements.has(id)) addTo(links, id, start);
    if (isPauseDue(budget, 1)) yield;
  }
}

function addTo<T>(links: Map<string, T[]>, key: string, value: T): void {
  const values = links.get(key);
  if (values === undefined) links.set(key, [value]);
  else values.push(value);
}

function reasonFor(
  { direct, bundles, profiles, roles }: Links,
  entitlement: string,
  takesPart: OriginFilter | undefined,
): AccessReason {
  const pick = <T extends PathOrigin>(origins: readonly T[] = []) =>
    takesPart === undefined ? origins : origins.filter(takesPart);
  const alone = pick(direct.get(entitlement));
  const short = pick(bundles.get(entitlement));
  const long = (profiles.get(entitlement) ?? []).map((profile) => ({ profile, roots: pick(roles.get(profile.id)) }));
  const all: AccessPath[] = [
    ...alone.map(({ source }) => ({ source, path: [] })),
    ...short.slice(0, ACCESS_PATHS_MAX).map(({ source, ref }) => ({ source, path: [ref] })),
    ...firstSteps(long, ACCESS_PATHS_MAX).map(({ root, profile }) => ({
      source: root.source,
      path: [root.ref, profile],
    })),
  ];
  const via = all.slice(0, ACCESS_PATHS_MAX);
  const count = long.reduce((sum, { roots }) => sum + roots.length, alone.length + short.length);
  return { via, viaMore: count - via.length };
}

/** A role, and an access profile of it. */
interface Step {
  readonly root: Root;
  readonly profile: NamedAccessRef;
}

/** The first ones in the order of paths, of all roles of each access profile. */
function firstSteps(
  groups: readonly { readonly profile: NamedAccessRef; readonly roots: readonly Root[] }[],
  countMax: number,
): readonly Step[] {
  const first: Step[] = [];
  for (const { profile, roots } of groups) {
    for (const root of roots) {
      const step = { root, profile };
      const last = first.length < countMax ? undefined : first.at(-1);
      // The roles of an access profile are in order: what follows comes later still.
      if (last !== undefined && compareSteps(step, last) >= 0) break;
      const place = first.findIndex((other) => compareSteps(step, other) < 0);
      first.splice(place < 0 ? first.length : place, 0, step);
      if (first.length > countMax) first.pop();
    }
  }
  return first;
}

const compareSteps = (a: Step, b: Step): number =>
  compare(a.root.ref.id, b.root.ref.id) || compare(a.profile.id, b.profile.id) || compare(a.root.source, b.root.source);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
