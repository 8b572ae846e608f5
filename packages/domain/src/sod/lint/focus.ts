import { rowAt } from '../collections/rows.ts';
import type { SodBundles } from '../rulebook/catalogue.ts';
import { PAUSE, type Pieces } from './pieces.ts';
import type { LintRulebook } from './rulebook.ts';

/** The resources, by id, that findings must concern. Ids that do not exist are allowed. */
export interface LintFocus {
  readonly policies: ReadonlySet<string>;
  readonly accessProfiles: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  readonly deletedEntitlements: ReadonlySet<string>;
}

/** A focus by the numbers of a rulebook: arrays have a 1 for what is in focus. */
export interface NumberedFocus {
  readonly policies: Uint8Array;
  readonly accessProfiles: Uint8Array;
  /** Includes the roles that have an access profile in focus. */
  readonly roles: Uint8Array;
  /** Item numbers of the deleted entitlements. */
  readonly deletedItems: ReadonlySet<number>;
  /** The policies in focus and those with a deleted item in focus, ascending. */
  readonly touched: readonly number[];
}

/** The focus on a whole rulebook. */
export function focusOnAll({ policies, catalogue }: LintRulebook): NumberedFocus {
  return {
    policies: new Uint8Array(policies.length).fill(1),
    accessProfiles: new Uint8Array(catalogue.accessProfiles.ids.length).fill(1),
    roles: new Uint8Array(catalogue.roles.ids.length).fill(1),
    deletedItems: new Set(),
    touched: Array.from(policies.keys()),
  };
}

/** Whether a policy, by its number, is in focus. */
export const isPolicyInFocus = ({ policies }: NumberedFocus, policy: number): boolean => policies[policy] === 1;

/** Whether any policy is in focus. */
export const hasPolicyInFocus = ({ policies }: NumberedFocus): boolean => policies.includes(1);

/** Looks up the numbers of what is in focus. */
export function* numberFocus(rulebook: LintRulebook, focus: LintFocus): Pieces<NumberedFocus> {
  const { catalogue, roleProfiles } = rulebook;
  const policies = new Uint8Array(rulebook.policies.length);
  const deletedItems = unresolvedNumbers(rulebook, focus.deletedEntitlements);
  const touched: number[] = [];
  for (const [policy, { id, sides }] of rulebook.policies.entries()) {
    if (focus.policies.has(id)) policies[policy] = 1;
    const hasDeleted = deletedItems.size > 0 && sides.some((side) => side.some((item) => deletedItems.has(item)));
    if (policies[policy] === 1 || hasDeleted) touched.push(policy);
    yield PAUSE;
  }
  const accessProfiles = yield* markBundles(catalogue.accessProfiles, focus.accessProfiles);
  const roles = yield* markBundles(catalogue.roles, focus.roles);
  for (let role = 0; role < roles.length; role++) {
    const profiles = rowAt(roleProfiles, role);
    if (profiles.some((profile) => accessProfiles[profile] === 1)) roles[role] = 1;
    yield PAUSE;
  }
  return { policies, accessProfiles, roles, deletedItems, touched };
}

function unresolvedNumbers({ catalogue, unresolved }: LintRulebook, ids: ReadonlySet<string>): ReadonlySet<number> {
  const first = catalogue.entitlements.length;
  const numbers = new Set<number>();
  for (const [at, id] of unresolved.entries()) if (ids.has(id)) numbers.add(first + at);
  return numbers;
}

function* markBundles({ ids }: SodBundles, chosen: ReadonlySet<string>): Pieces<Uint8Array> {
  const marks = new Uint8Array(ids.length);
  if (chosen.size === 0) return marks;
  for (const [bundle, id] of ids.entries()) {
    if (chosen.has(id)) marks[bundle] = 1;
    yield PAUSE;
  }
  return marks;
}
