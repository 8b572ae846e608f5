import type { SodPolicyLevel, SodReportChange } from '@access-admin/domain';
import { createSpill, type Spill } from '../files/spill.ts';
import type { Position } from '../output/problem.ts';

interface LoggedSide {
  readonly criteriaList: readonly { readonly id: string }[];
}

/** What conflicts: of a two-sided policy the one side and the other, of other policies all sides. */
export type LoggedCriteria =
  | { readonly leftCriteria: LoggedSide; readonly rightCriteria: LoggedSide }
  | { readonly criteria: readonly LoggedSide[] };

/** A violation of a policy by somebody, as reports of the service have them. */
export interface LoggedViolation {
  readonly change: SodReportChange;
  readonly identityId: string;
  readonly displayName: string;
  readonly policyId: string;
  readonly policyName: string;
  readonly level: SodPolicyLevel;
  readonly conflictingAccessCriteria: LoggedCriteria;
}

/** How many violations of a policy there are, by what a change does to them. */
export type ChangeCounts = Readonly<Record<SodReportChange, number>>;

/** A policy with violations. */
export interface PolicyCounts extends ChangeCounts {
  readonly policyId: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
  readonly at: Position | null;
}

/** The violations of a scan or of a change of policies. */
export interface ViolationLog extends Disposable {
  add(violation: LoggedViolation): void;
  /** Names a violation that is counted by `count`. */
  name(violation: LoggedViolation): void;
  /** Adds counts of violations that are not told one by one. */
  count(policy: PolicyCounts): void;
  /** In order of their ids. */
  policies(): readonly PolicyCounts[];
  totals(): ChangeCounts;
  /** The first violations that are to be named: new ones first, then those that are gone, then the others. */
  named(): readonly LoggedViolation[];
  /** Those of one policy. */
  namedOf(policyId: string): readonly LoggedViolation[];
  /** Forgets everything, to begin again. */
  clear(): void;
  /** All of them, as JSON documents with commas between them. */
  json(): AsyncIterable<string>;
}

/** The most people that a report names. */
export const NAMED_MAX = 50;
/** The most people that are named of one policy in an annotation. */
const NAMED_OF_POLICY_MAX = 5;
const CHANGES = ['new', 'gone', 'same'] as const;

type MutableCounts = { -readonly [K in keyof PolicyCounts]: PolicyCounts[K] };

/** Creates an empty log. `keepsAll` keeps what `json` returns. */
export function createViolationLog(positionOf: (policyId: string) => Position | null, keepsAll: boolean): ViolationLog {
  const byPolicy = new Map<string, MutableCounts>();
  const named: Record<SodReportChange, LoggedViolation[]> = { new: [], gone: [], same: [] };
  const ofPolicy = new Map<string, LoggedViolation[]>();
  let spill: Spill | null = keepsAll ? createSpill() : null;
  let isFirst = true;
  const countsOf = (policyId: string, name: string, level: SodPolicyLevel): MutableCounts => {
    const known = byPolicy.get(policyId);
    if (known !== undefined) return known;
    const counts = { policyId, name, level, at: positionOf(policyId), new: 0, same: 0, gone: 0 };
    byPolicy.set(policyId, counts);
    return counts;
  };
  const name = (violation: LoggedViolation) => {
    const { change, policyId } = violation;
    if (named[change].length < NAMED_MAX) named[change].push(violation);
    const few = ofPolicy.get(policyId) ?? [];
    if (few.length < NAMED_OF_POLICY_MAX) few.push(violation);
    ofPolicy.set(policyId, few);
    spill?.add(`${isFirst ? '' : ','}\n${JSON.stringify(violation)}`);
    isFirst = false;
  };
  return {
    add: (violation) => {
      const { change, policyId, policyName, level } = violation;
      countsOf(policyId, policyName, level)[change]++;
      name(violation);
    },
    name,
    count: ({ policyId, name: policyName, level, ...counts }) => {
      const total = countsOf(policyId, policyName, level);
      for (const change of CHANGES) total[change] += counts[change];
    },
    policies: () => [...byPolicy.values()].sort((one, other) => (one.policyId < other.policyId ? -1 : 1)),
    totals: () => {
      const totals = { new: 0, same: 0, gone: 0 };
      for (const counts of byPolicy.values()) for (const change of CHANGES) totals[change] += counts[change];
      return totals;
    },
    named: () => CHANGES.flatMap((change) => named[change]).slice(0, NAMED_MAX),
    namedOf: (policyId) => ofPolicy.get(policyId) ?? [],
    clear: () => {
      byPolicy.clear();
      ofPolicy.clear();
      for (const change of CHANGES) named[change] = [];
      spill?.[Symbol.dispose]();
      spill = keepsAll ? createSpill() : null;
      isFirst = true;
    },
    json: async function* () {
      if (spill !== null) yield* spill.read();
    },
    [Symbol.dispose]: () => spill?.[Symbol.dispose](),
  };
}
