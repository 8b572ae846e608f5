import type { AccessProfile, AccessRef, Role, TimedAccessRef } from '../access-model/records.ts';
import {
  createWorkBudget,
  isPauseDue,
  releaseBytes,
  runToEnd,
  type Steps,
  takeBytes,
  type WorkBudget,
} from '../steps/work-budget.ts';
import {
  type AccessSource,
  type ContributingOrigins,
  gatherOrigins,
  type PathOrigin,
  type PathOrigins,
} from './path-origins.ts';

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

/** The reasons for some entitlements. */
export interface AccessReasons {
  /** The reason for one of them, in steps: the paths from the origins that contribute. */
  reasonFor(id: string, contributing: ContributingOrigins): Steps<AccessReason>;
  /** An estimate of their memory. */
  readonly bytes: number;
  /** Gives back the memory that the budget has counted. */
  release(): void;
}

/** Finds the reasons for these entitlements, which the result gives by id. Windows do not count. */
export function explainAccess(graph: AccessGraph, entitlements: ReadonlySet<string>): (id: string) => AccessReason {
  const budget = createWorkBudget();
  const origins = runToEnd(gatherOrigins(graph, new Float64Array(), budget));
  const reasons = runToEnd(linkAccess({ graph, origins, budget }, entitlements));
  return (id) => runToEnd(reasons.reasonFor(id, null));
}

/** The access to be explained. */
export interface AccessToExplain {
  readonly graph: Pick<AccessGraph, 'roles' | 'accessProfiles'>;
  readonly origins: Pick<PathOrigins, 'origins'>;
  readonly budget: WorkBudget;
}

/** Links the origins of paths with these entitlements, in steps. The memory grows with the number of the entitlements. */
export function* linkAccess(
  { graph: { roles, accessProfiles }, origins: { origins }, budget }: AccessToExplain,
  entitlements: ReadonlySet<string>,
): Steps<AccessReasons> {
  const links: Links = { direct: new Map(), bundles: new Map(), profiles: new Map(), roles: new Map(), bytes: 0 };
  const linking = { links, entitlements, budget };
  const reached = new Map<string, AccessProfile>();
  for (const origin of origins) {
    const { type, id } = origin.ref;
    if (type === 'ENTITLEMENT') {
      if (entitlements.has(id)) addTo(links.direct, id, origin);
      if (isPauseDue(budget, 1)) yield;
      continue;
    }
    const role = type === 'ROLE' ? roles.get(id) : undefined;
    const bundle = role ?? (type === 'ACCESS_PROFILE' ? accessProfiles.get(id) : undefined);
    if (bundle === undefined) continue;
    const root = { ...origin, ref: { type, id, name: bundle.name } };
    yield* addBundle(links.bundles, { start: root, held: bundle.entitlements }, linking);
    for (const profileId of role?.accessProfiles ?? []) {
      const profile = accessProfiles.get(profileId);
      if (profile !== undefined) reached.set(profileId, profile);
      if (addTo(links.roles, profileId, root)) count(linking);
      if (isPauseDue(budget, 1)) yield;
    }
  }
  for (const { id, name, entitlements: held } of reached.values()) {
    const start = { type: 'ACCESS_PROFILE', id, name } as const;
    yield* addBundle(links.profiles, { start, held }, linking);
  }
  const { bytes } = links;
  return { bytes, reasonFor: createReasons(links, budget), release: () => releaseBytes(budget, bytes) };
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
  /** An estimate of the memory of all of these. */
  bytes: number;
}

interface Linking {
  readonly links: Links;
  readonly entitlements: ReadonlySet<string>;
  readonly budget: WorkBudget;
}

function* addBundle<T>(
  into: Map<string, T[]>,
  { start, held }: { readonly start: T; readonly held: readonly string[] },
  linking: Linking,
): Steps<void> {
  for (const id of held) {
    if (linking.entitlements.has(id) && addTo(into, id, start)) count(linking);
    if (isPauseDue(linking.budget, 0.5)) yield;
  }
}

// The memory of a link, with its share of the lists.
const LINK_BYTES = 32;

function count({ links, budget }: Linking): void {
  links.bytes += LINK_BYTES;
  takeBytes(budget, LINK_BYTES);
}

/** Adds a value, which may be repeated at once; returns whether it is new. */
function addTo<T>(links: Map<string, T[]>, key: string, value: T): boolean {
  const values = links.get(key);
  if (values?.at(-1) === value) return false;
  if (values === undefined) links.set(key, [value]);
  else values.push(value);
  return true;
}

const REASONS_KEPT_MAX = 1_000;
// The number of origins looked at in one unit of work.
const ORIGINS_PER_UNIT = 8;

// Reasons are kept: many violations have the same few items in the same intervals.
function createReasons(links: Links, budget: WorkBudget): AccessReasons['reasonFor'] {
  const kept = new Map<string, AccessReason>();
  const rootsByProfile = new Map<string, readonly Root[]>();
  let last: ContributingOrigins = null;
  return function* (id, contributing) {
    if (contributing !== last || kept.size >= REASONS_KEPT_MAX) kept.clear();
    if (contributing !== last) rootsByProfile.clear();
    last = contributing;
    const known = kept.get(id);
    if (known !== undefined) return known;
    const choice = { contributing, rootsByProfile, budget };
    const reason = yield* findReason(links, id, choice);
    kept.set(id, reason);
    return reason;
  };
}

interface OriginChoice {
  readonly contributing: ContributingOrigins;
  /** The contributing roles of the access profiles that were looked at. */
  readonly rootsByProfile: Map<string, readonly Root[]>;
  readonly budget: WorkBudget;
}

function* findReason(
  { direct, bundles, profiles, roles }: Links,
  id: string,
  choice: OriginChoice,
): Steps<AccessReason> {
  const alone = yield* choose(direct.get(id), choice);
  const short = yield* choose(bundles.get(id), choice);
  const groups: { readonly profile: NamedAccessRef; readonly roots: readonly Root[] }[] = [];
  let total = alone.length + short.length;
  for (const profile of profiles.get(id) ?? []) {
    const roots = choice.rootsByProfile.get(profile.id) ?? (yield* choose(roles.get(profile.id), choice));
    choice.rootsByProfile.set(profile.id, roots);
    groups.push({ profile, roots });
    total += roots.length;
    if (isPauseDue(choice.budget, 1)) yield;
  }
  const all: AccessPath[] = [
    ...alone.slice(0, ACCESS_PATHS_MAX).map(({ source }) => ({ source, path: [] })),
    ...short.slice(0, ACCESS_PATHS_MAX).map(({ source, ref }) => ({ source, path: [ref] })),
    ...firstSteps(groups, ACCESS_PATHS_MAX).map(({ root, profile }) => ({
      source: root.source,
      path: [root.ref, profile],
    })),
  ];
  const via = all.slice(0, ACCESS_PATHS_MAX);
  return { via, viaMore: total - via.length };
}

function* choose<T extends PathOrigin>(origins: readonly T[] | undefined, choice: OriginChoice): Steps<readonly T[]> {
  const { contributing, budget } = choice;
  if (origins === undefined) return [];
  if (contributing === null) return origins;
  const chosen: T[] = [];
  for (const origin of origins) {
    if (contributing[origin.number] === 1) chosen.push(origin);
    if (isPauseDue(budget, 1 / ORIGINS_PER_UNIT)) yield;
  }
  return chosen;
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
