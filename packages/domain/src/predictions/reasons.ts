import type { AccessProfile, AccessRef, AccessType, Role, TimedAccessRef } from '../access/model/records.ts';
import { compareTexts } from '../basics/order/compare-texts.ts';
import type { AccessSource, AssignedRef, ContributingOrigins, PathOrigin, PathOrigins } from './path-origins.ts';

/** An access ref with the catalogue's name today. */
export interface NamedAccessRef extends AccessRef {
  readonly name: string;
}

/** A step of a path: an access ref, or the account that it begins with. */
export interface PathStep {
  readonly type: AccessType | 'ACCOUNT';
  readonly id: string;
  readonly name: string;
  /** The source of an account; left out for an access ref. */
  readonly source?: string;
}

/**
 * The access refs from an assignment or a requested ref down to an entitlement, without it, after the account that the assignment
 * comes from: none where it is held directly by the identity itself.
 */
export interface AccessPath {
  readonly source: AccessSource;
  readonly path: readonly PathStep[];
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
  readonly assignments: readonly AssignedRef[];
  /** Requested before; none if left out. */
  readonly pending?: readonly TimedAccessRef[];
  readonly requested: readonly TimedAccessRef[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly accessProfiles: ReadonlyMap<string, AccessProfile>;
}

/** The most paths shown for an item. */
export const ACCESS_PATHS_MAX = 10;

/** Gives the reason for an entitlement by its id: the paths from the origins that contribute. */
export type ReasonFor = (id: string, contributing: ContributingOrigins) => AccessReason;

/** Finds the reasons for these entitlements. The memory grows with their number. */
export function linkAccess(
  { roles, accessProfiles }: Pick<AccessGraph, 'roles' | 'accessProfiles'>,
  { origins }: Pick<PathOrigins, 'origins'>,
  entitlements: ReadonlySet<string>,
): ReasonFor {
  const links: Links = { direct: new Map(), bundles: new Map(), profiles: new Map(), roles: new Map() };
  const reached = new Map<string, AccessProfile>();
  const addBundle = <T>(into: Map<string, T[]>, start: T, held: readonly string[]) => {
    for (const id of held) if (entitlements.has(id)) addTo(into, id, start);
  };
  for (const origin of origins) {
    const { type, id } = origin.ref;
    if (type === 'ENTITLEMENT') {
      if (entitlements.has(id)) addTo(links.direct, id, origin);
      continue;
    }
    const role = type === 'ROLE' ? roles.get(id) : undefined;
    const bundle = role ?? (type === 'ACCESS_PROFILE' ? accessProfiles.get(id) : undefined);
    if (bundle === undefined) continue;
    const root = { ...origin, ref: { type, id, name: bundle.name } };
    addBundle(links.bundles, root, bundle.entitlements);
    for (const profileId of role?.accessProfiles ?? []) {
      const profile = accessProfiles.get(profileId);
      if (profile !== undefined) reached.set(profileId, profile);
      addTo(links.roles, profileId, root);
    }
  }
  for (const { id, name, entitlements: held } of reached.values())
    addBundle(links.profiles, { type: 'ACCESS_PROFILE', id, name } as const, held);
  return createReasons(links);
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

/** Adds a value, which may be repeated at once. */
function addTo<T>(links: Map<string, T[]>, key: string, value: T): void {
  const values = links.get(key);
  if (values === undefined) links.set(key, [value]);
  else if (values.at(-1) !== value) values.push(value);
}

const REASONS_KEPT_MAX = 1_000;

// Reasons are kept: many violations have the same few items in the same intervals.
function createReasons(links: Links): ReasonFor {
  const kept = new Map<string, AccessReason>();
  const rootsByProfile = new Map<string, readonly Root[]>();
  let last: ContributingOrigins = null;
  return (id, contributing) => {
    if (contributing !== last || kept.size >= REASONS_KEPT_MAX) kept.clear();
    if (contributing !== last) rootsByProfile.clear();
    last = contributing;
    const known = kept.get(id);
    if (known !== undefined) return known;
    const reason = findReason(links, id, { contributing, rootsByProfile });
    kept.set(id, reason);
    return reason;
  };
}

interface OriginChoice {
  readonly contributing: ContributingOrigins;
  /** The contributing roles of the access profiles that were looked at. */
  readonly rootsByProfile: Map<string, readonly Root[]>;
}

function findReason(
  { direct, bundles, profiles, roles }: Links,
  id: string,
  { contributing, rootsByProfile }: OriginChoice,
): AccessReason {
  const alone = choose(direct.get(id), contributing);
  const short = choose(bundles.get(id), contributing);
  const groups: Group[] = [];
  let total = alone.length + short.length;
  for (const profile of profiles.get(id) ?? []) {
    const roots = rootsByProfile.get(profile.id) ?? choose(roles.get(profile.id), contributing);
    rootsByProfile.set(profile.id, roots);
    groups.push({ profile, roots });
    total += roots.length;
  }
  const all = [
    ...firstPaths({ alone, short, groups }, (origin) => origin.account === null),
    ...firstPaths({ alone, short, groups }, (origin) => origin.account !== null),
  ];
  // Both are in order.
  if (all.some(({ path }) => path[0]?.type === 'ACCOUNT')) all.sort(comparePaths);
  const via = all.slice(0, ACCESS_PATHS_MAX);
  return { via, viaMore: total - via.length };
}

interface Group {
  readonly profile: NamedAccessRef;
  readonly roots: readonly Root[];
}

/** The first paths from the origins that are meant: those of accounts, or all others. */
function firstPaths(
  {
    alone,
    short,
    groups,
  }: { readonly alone: readonly PathOrigin[]; readonly short: readonly Root[]; readonly groups: readonly Group[] },
  isMeant: (origin: PathOrigin) => boolean,
): AccessPath[] {
  const first = <T extends PathOrigin>(origins: readonly T[]) => meant(origins, isMeant).slice(0, ACCESS_PATHS_MAX);
  const steps = groups.map(({ profile, roots }) => ({ profile, roots: meant(roots, isMeant) }));
  return [
    ...first(alone).map((origin) => ({ source: origin.source, path: accountOf(origin) })),
    ...first(short).map((origin) => ({ source: origin.source, path: [...accountOf(origin), origin.ref] })),
    ...firstSteps(steps, ACCESS_PATHS_MAX).map(({ root, profile }) => ({
      source: root.source,
      path: [...accountOf(root), root.ref, profile],
    })),
  ];
}

const accountOf = ({ account }: PathOrigin): readonly PathStep[] => (account === null ? [] : [account]);

/** The origins that are meant, by account first: a path begins with it. */
function meant<T extends PathOrigin>(origins: readonly T[], isMeant: (origin: PathOrigin) => boolean): readonly T[] {
  if (origins.every(({ account }) => account === null)) return origins.filter(isMeant);
  return origins.filter(isMeant).toSorted((a, b) => compareTexts(a.account?.id ?? '', b.account?.id ?? ''));
}

/** By length, then ids, then source. */
function comparePaths(a: AccessPath, b: AccessPath): number {
  if (a.path.length !== b.path.length) return a.path.length - b.path.length;
  for (const [at, { id }] of a.path.entries()) {
    const compared = compareTexts(id, b.path[at]?.id ?? '');
    if (compared !== 0) return compared;
  }
  return compareTexts(a.source, b.source);
}

const choose = <T extends PathOrigin>(
  origins: readonly T[] | undefined,
  contributing: ContributingOrigins,
): readonly T[] =>
  origins === undefined || contributing === null
    ? (origins ?? [])
    : origins.filter(({ number }) => contributing[number] === true);

/** A role, and an access profile of it. */
interface Step {
  readonly root: Root;
  readonly profile: NamedAccessRef;
}

/** The first ones in the order of paths, of all roles of each access profile. */
function firstSteps(groups: readonly Group[], countMax: number): readonly Step[] {
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
  compareTexts(a.root.account?.id ?? '', b.root.account?.id ?? '') ||
  compareTexts(a.root.ref.id, b.root.ref.id) ||
  compareTexts(a.profile.id, b.profile.id) ||
  compareTexts(a.root.source, b.root.source);
