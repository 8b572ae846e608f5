import { type IdNumbers, idCount } from './id-numbers.ts';
import { isDeletion, type LastByKey } from './import-references.ts';
import { itemsOf, LIGHT, type LintRulebook } from './lint-rulebook.ts';
import { rowAt } from './number-rows.ts';
import { isPauseDue, type Pace } from './pace.ts';
import { textAt } from './text-rows.ts';

/** What findings are to be about, by ids. */
export interface LintFocus {
  readonly policies: ReadonlySet<string>;
  readonly accessProfiles: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  readonly deletedEntitlements: ReadonlySet<string>;
}

/**
 * What findings can be about an import: the records that it gives, and the entitlements that it deletes. Null where there can
 * be none: an entitlement that is given only mends, and what else is deleted is named by nothing.
 */
export function focusOfImport(lastByKey: LastByKey): LintFocus | null {
  const policies = new Set<string>();
  const accessProfiles = new Set<string>();
  const roles = new Set<string>();
  const deletedEntitlements = new Set<string>();
  for (const { record } of lastByKey.values()) {
    if (isDeletion(record)) {
      if (record.kind === 'entitlement') deletedEntitlements.add(record.id);
    } else if (record.kind === 'sodPolicy') policies.add(record.id);
    else if (record.kind === 'accessProfile') accessProfiles.add(record.id);
    else if (record.kind === 'role') roles.add(record.id);
  }
  const count = policies.size + accessProfiles.size + roles.size + deletedEntitlements.size;
  return count === 0 ? null : { policies, accessProfiles, roles, deletedEntitlements };
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
export function* numberFocus(rulebook: LintRulebook, focus: LintFocus, pace: Pace): Generator<void, NumberedFocus> {
  const { catalogue, roleProfiles } = rulebook;
  const policies = new Uint8Array(rulebook.policies.length);
  const deleted = lostNumbers(rulebook, focus.deletedEntitlements);
  const touched: number[] = [];
  for (const [policy, { id }] of rulebook.policies.entries()) {
    if (focus.policies.has(id)) policies[policy] = 1;
    const items = deleted.size === 0 ? NO_ITEMS : itemsOf(rulebook, policy);
    if (policies[policy] === 1 || items.some((item) => deleted.has(item))) touched.push(policy);
    if (isPauseDue(pace, 1 + items.length / LIGHT)) yield;
  }
  const accessProfiles = yield* markBundles(catalogue.accessProfiles.numbers, focus.accessProfiles, pace);
  const roles = yield* markBundles(catalogue.roles.numbers, focus.roles, pace);
  for (let role = 0; role < roles.length; role++) {
    const profiles = rowAt(roleProfiles, role);
    if (profiles.some((profile) => accessProfiles[profile] === 1)) roles[role] = 1;
    if (isPauseDue(pace, (8 + profiles.length) / LIGHT)) yield;
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

function* markBundles({ ids }: IdNumbers, chosen: ReadonlySet<string>, pace: Pace): Generator<void, Uint8Array> {
  const marks = new Uint8Array(idCount(ids));
  if (chosen.size === 0) return marks;
  for (let bundle = 0; bundle < marks.length; bundle++) {
    if (chosen.has(textAt(ids, bundle))) marks[bundle] = 1;
    if (isPauseDue(pace, 1)) yield;
  }
  return marks;
}
