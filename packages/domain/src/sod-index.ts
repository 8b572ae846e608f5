import type { AccessProfile, Catalogue, Entitlement, Role } from './access-model.ts';
import type { SodPolicy, SodPolicyLevel } from './sod-policy.ts';

/** A violated policy as answers name it. */
export interface ViolatedPolicy {
  readonly type: 'SOD_POLICY';
  readonly id: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
}

/** Rows of numbers in one array: row `i` is `values[starts[i]]` up to, and without, `values[starts[i + 1]]`. */
export interface NumberRows {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** What a prediction writes while it runs; nothing in it outlives the call. */
export interface SodScratch {
  /** One mark per entitlement. */
  readonly marks: Uint8Array;
  /** One mark per side. */
  readonly judged: Uint8Array;
  /** The first of the two marks that the last call took. */
  mark: number;
}

/**
 * A rulebook compiled for prediction: `expandAccess` and `predictViolations` read it. Entitlements and enforced policies
 * are numbered in code-unit order of their ids, so that the order of numbers is the order of ids. Serves one thread.
 */
export interface SodIndex {
  /** By number. */
  readonly entitlements: readonly Entitlement[];
  readonly entitlementNumbers: ReadonlyMap<string, number>;
  /** The entitlements of each access profile, sorted and unique, by its id. */
  readonly accessProfiles: ReadonlyMap<string, Uint32Array>;
  /** The entitlements of each role, direct and through access profiles, sorted and unique, by its id. */
  readonly roles: ReadonlyMap<string, Uint32Array>;
  /** The enforced policies by number. */
  readonly policies: readonly ViolatedPolicy[];
  /**
   * The entitlements of each side, sorted and unique; those that the catalogue lacks cannot match and are left out.
   * Sides `2p` and `2p + 1` are the left and the right one of policy `p`.
   */
  readonly sides: NumberRows;
  /** For each entitlement the sides opposite those that it is on. */
  readonly rivals: NumberRows;
  readonly scratch: SodScratch;
}

/** Compiles a rulebook: the policies, enforced or not, and the catalogue that they and the access refs speak of. */
export function compileSodIndex(policies: readonly SodPolicy[], catalogue: Catalogue): SodIndex {
  const entitlements = catalogue.entitlements.toSorted(byId);
  const entitlementNumbers = new Map(entitlements.map(({ id }, number) => [id, number]));
  const accessProfiles = new Map(
    catalogue.accessProfiles.map((profile) => [profile.id, numbersOfProfile(profile, entitlementNumbers)]),
  );
  const enforced = policies.filter(({ state }) => state === 'ENFORCED').toSorted(byId);
  const sides = sidesOf(enforced, entitlementNumbers);
  return {
    entitlements,
    entitlementNumbers,
    accessProfiles,
    roles: new Map(catalogue.roles.map((role) => [role.id, numbersOfRole(role, entitlementNumbers, accessProfiles)])),
    policies: enforced.map(({ id, name, level }) => ({ type: 'SOD_POLICY', id, name, level })),
    sides,
    rivals: rivalsOf(sides, entitlements.length),
    scratch: { marks: new Uint8Array(entitlements.length), judged: new Uint8Array(enforced.length * 2), mark: 0 },
  };
}

/**
 * Takes two marks that no entry of the scratch bears: the one returned and its successor, both greater than every mark
 * left behind by earlier calls.
 */
export function takeMarks(scratch: SodScratch): number {
  scratch.mark += 2;
  if (scratch.mark > 0xfe) {
    scratch.marks.fill(0);
    scratch.judged.fill(0);
    scratch.mark = 2;
  }
  return scratch.mark;
}

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

type Numbers = ReadonlyMap<string, number>;

function sidesOf(policies: readonly SodPolicy[], numbers: Numbers): NumberRows {
  const starts = [0];
  const values: number[] = [];
  for (const { conflictingAccessCriteria: criteria } of policies) {
    for (const { criteriaList } of [criteria.leftCriteria, criteria.rightCriteria]) {
      const found: number[] = [];
      for (const { id } of criteriaList) pushNumber(found, numbers.get(id));
      for (const entitlement of sortUnique(found)) values.push(entitlement);
      starts.push(values.length);
    }
  }
  return { starts: new Uint32Array(starts), values: new Uint32Array(values) };
}

function numbersOfProfile(profile: AccessProfile, numbers: Numbers): Uint32Array {
  const found: number[] = [];
  for (const id of profile.entitlements) pushNumber(found, numbers.get(id));
  return sortUnique(found);
}

function numbersOfRole(role: Role, numbers: Numbers, accessProfiles: ReadonlyMap<string, Uint32Array>): Uint32Array {
  const found: number[] = [];
  for (const id of role.entitlements) pushNumber(found, numbers.get(id));
  for (const id of role.accessProfiles) for (const number of accessProfiles.get(id) ?? []) found.push(number);
  return sortUnique(found);
}

function pushNumber(found: number[], number: number | undefined): void {
  if (number !== undefined) found.push(number);
}

function sortUnique(numbers: readonly number[]): Uint32Array {
  const sorted = new Uint32Array(numbers).sort();
  return sorted.filter((number, at) => at === 0 || number !== sorted[at - 1]);
}

function rivalsOf(sides: NumberRows, entitlementCount: number): NumberRows {
  const starts = new Uint32Array(entitlementCount + 1);
  for (const entitlement of sides.values) starts[entitlement + 1] = (starts[entitlement + 1] ?? 0) + 1;
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const next = starts.slice();
  const values = new Uint32Array(sides.values.length);
  for (let side = 0; side + 1 < sides.starts.length; side++) {
    for (const entitlement of sides.values.subarray(sides.starts[side], sides.starts[side + 1])) {
      const at = next[entitlement] ?? 0;
      values[at] = side ^ 1;
      next[entitlement] = at + 1;
    }
  }
  return { starts, values };
}
