import type { AccessType } from '../access-model/records.ts';
import { type CsrRows, rowAt } from '../collections/csr-rows.ts';
import { type IdDictionary, idCount } from '../collections/id-dictionary.ts';
import { textAt } from '../collections/string-table.ts';
import { isPauseDue, type WorkBudget } from '../steps/work-budget.ts';
import { type PolicyFinding, selfViolatingBundle } from './finding.ts';
import { LIGHT, type LintRulebook } from './rulebook.ts';

/** Bundles of one type. */
export interface BundlesByItem {
  readonly type: Exclude<AccessType, 'ENTITLEMENT'>;
  readonly numbers: IdDictionary;
  /** For each entitlement the bundles that have it, as far as they are looked at for this policy; null where none is. */
  readonly byItem: (policy: number) => CsrRows | null;
}

/** The bundles that violate an enforced policy by themselves, by policy and bundle; null at each pause. */
export function* findSelfViolating(
  { policies, sideStarts, sides }: LintRulebook,
  { type, numbers, byItem }: BundlesByItem,
  budget: WorkBudget,
): Generator<PolicyFinding | null, void> {
  const bundleCount = idCount(numbers.ids);
  const tally = { counts: new Uint8Array(bundleCount), lastSides: new Uint32Array(bundleCount) };
  for (let policy = 0; policy < policies.length; policy++) {
    if (isPauseDue(budget, 1 / LIGHT)) yield null;
    const { id = '', isEnforced = false, atLeast = 0 } = policies[policy] ?? {};
    const holdersOf = isEnforced ? byItem(policy) : null;
    if (holdersOf === null) continue;
    const found: number[] = [];
    const firstSide = sideStarts[policy] ?? 0;
    const end = sideStarts[policy + 1] ?? 0;
    for (let side = firstSide; side < end; side++) {
      for (const item of rowAt(sides, side)) {
        // An item that does not exist is in no row.
        const holders = rowAt(holdersOf, Math.min(item, holdersOf.starts.length - 1));
        countSide(tally, holders, { side, firstSide, found });
        if (isPauseDue(budget, (8 + holders.length) / LIGHT)) yield null;
      }
    }
    const violating = found.filter((bundle) => (tally.counts[bundle] ?? 0) >= atLeast);
    for (const bundle of violating.sort(ascending))
      yield selfViolatingBundle(id, { type, id: textAt(numbers.ids, bundle) });
  }
}

const ascending = (a: number, b: number) => a - b;

/** On how many sides of the policy at hand each bundle is. */
interface Tally {
  readonly counts: Uint8Array;
  /** The last side that counted, plus one: it is an earlier policy's where it is not above the first side of this one. */
  readonly lastSides: Uint32Array;
}

interface SideAt {
  readonly side: number;
  readonly firstSide: number;
  /** Takes the bundles that are on a side of the policy for the first time. */
  readonly found: number[];
}

function countSide({ counts, lastSides }: Tally, holders: Uint32Array, { side, firstSide, found }: SideAt): void {
  for (let at = 0; at < holders.length; at++) {
    const bundle = holders[at] ?? 0;
    const last = lastSides[bundle] ?? 0;
    if (last === side + 1) continue;
    lastSides[bundle] = side + 1;
    if (last <= firstSide) {
      counts[bundle] = 1;
      found.push(bundle);
    } else counts[bundle] = (counts[bundle] ?? 0) + 1;
  }
}
