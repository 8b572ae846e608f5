import { rowAt } from '../collections/csr-rows.ts';
import { type IdDictionary, idCount } from '../collections/id-dictionary.ts';
import { textAt } from '../collections/string-table.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { itemsOf, LIGHT, type LintRulebook } from './rulebook.ts';

/** What findings are to be about, by ids. */
export interface LintFocus {
  readonly policies: ReadonlySet<string>;
  readonly accessProfiles: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  readonly deletedEntitlements: ReadonlySet<string>;
}

/** A focus by the numbers of a rulebook: not 0 for what is in it. */
export interface NumberedFocus {
  readonly policies: Uint8Array;
  readonly accessProfiles: Uint8Array;
  /** Those with an access profile in focus too. */
  readonly roles: Uint8Array;
  /** The policies in focus and those with a deleted item that is, in order. */
  readonly touched: readonly number[];
}

/** Looks up what is in focus, in steps. */
export function* numberFocus(rulebook: LintRulebook, focus: LintFocus, budget: WorkBudget): Steps<NumberedFocus> {
  const { catalogue, roleProfiles } = rulebook;
  const policies = new Uint8Array(rulebook.policies.length);
  const deleted = lostNumbers(rulebook, focus.deletedEntitlements);
  const touched: number[] = [];
  for (const [policy, { id }] of rulebook.policies.entries()) {
    if (focus.policies.has(id)) policies[policy] = 1;
    const items = deleted.size === 0 ? NO_ITEMS : itemsOf(rulebook, policy);
    if (policies[policy] === 1 || items.some((item) => deleted.has(item))) touched.push(policy);
    if (isPauseDue(budget, 1 + items.length / LIGHT)) yield;
  }
  const accessProfiles = yield* markBundles(catalogue.accessProfiles.numbers, focus.accessProfiles, budget);
  const roles = yield* markBundles(catalogue.roles.numbers, focus.roles, budget);
  for (let role = 0; role < roles.length; role++) {
    const profiles = rowAt(roleProfiles, role);
    if (profiles.some((profile) => accessProfiles[profile] === 1)) roles[role] = 1;
    if (isPauseDue(budget, (8 + profiles.length) / LIGHT)) yield;
  }
  return { policies, accessProfiles, roles, touched };
}

const NO_ITEMS = new Uint32Array(0);

/** The numbers of those ids that the catalogue lacks. */
function lostNumbers({ catalogue, lost }: LintRulebook, ids: ReadonlySet<string>): ReadonlySet<number> {
  const firstLost = idCount(catalogue.numbers.ids);
  const numbers = new Set<number>();
  for (const [at, id] of lost.entries()) if (ids.has(id)) numbers.add(firstLost + at);
  return numbers;
}

function* markBundles({ ids }: IdDictionary, chosen: ReadonlySet<string>, budget: WorkBudget): Steps<Uint8Array> {
  const marks = new Uint8Array(idCount(ids));
  if (chosen.size === 0) return marks;
  for (let bundle = 0; bundle < marks.length; bundle++) {
    if (chosen.has(textAt(ids, bundle))) marks[bundle] = 1;
    if (isPauseDue(budget, 1)) yield;
  }
  return marks;
}
