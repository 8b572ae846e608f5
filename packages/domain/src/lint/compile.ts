import type { Catalogue } from '../access-model/records.ts';
import { type CsrRows, createRowWriter, endRow, pushNumber, rowsOf } from '../collections/csr-rows.ts';
import { findId, idCount } from '../collections/id-dictionary.ts';
import { sortById } from '../collections/sort-by-id.ts';
import { atLeastOf, type SodPolicy, sidesOf } from '../policy/model.ts';
import { compileSodCatalogue, type SodCatalogue } from '../rulebook/catalogue.ts';
import type { PolicyChanges } from '../rulebook/change-policies.ts';
import { createWorkBudget, isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import {
  isResolved,
  itemId,
  itemsBySide,
  itemsOf,
  LINT_STEP_WORK,
  type LintedPolicy,
  type LintRulebook,
  SCANS_PER_UNIT,
} from './rulebook.ts';

// Reading an item also parses the stored criteria.
const ITEM_WORK = 3;

/** Compiles a rulebook for lint, with a pause after each millisecond or two of work. The result keeps only ids and names of the arguments. */
export function* compileLintRulebook(policies: readonly SodPolicy[], catalogue: Catalogue): Steps<LintRulebook> {
  const budget = createWorkBudget(LINT_STEP_WORK);
  const compiled = yield* compileSodCatalogue(catalogue, budget);
  const roleProfiles = yield* profilesOfRoles(compiled, { roles: catalogue.roles, budget });
  const writer = createPolicyWriter(compiled);
  for (const policy of yield* sortById(policies, budget)) {
    if (isPauseDue(budget, (1 + writer.write(policy)) * ITEM_WORK)) yield;
  }
  return { catalogue: compiled, roleProfiles, ...writer.end() };
}

/** The rulebook after changes of policies, in steps. The given rulebook does not change; both share their catalogue. */
export function* changeLintRulebook(rulebook: LintRulebook, changes: PolicyChanges): Steps<LintRulebook> {
  const budget = createWorkBudget(LINT_STEP_WORK);
  const { catalogue, roleProfiles } = rulebook;
  const written = yield* sortById(changes.upserts, budget);
  const changed = new Set([...changes.deletes, ...written.map(({ id }) => id)]);
  const writer = createPolicyWriter(catalogue);
  let next = 0;
  for (const [number, { id }] of rulebook.policies.entries()) {
    for (let policy = written[next]; policy !== undefined && policy.id < id; policy = written[++next])
      if (isPauseDue(budget, (1 + writer.write(policy)) * ITEM_WORK)) yield;
    if (!changed.has(id)) writer.copy(rulebook, number);
    if (isPauseDue(budget, 1 + itemsOf(rulebook, number).length / SCANS_PER_UNIT)) yield;
  }
  for (const policy of written.slice(next)) if (isPauseDue(budget, (1 + writer.write(policy)) * ITEM_WORK)) yield;
  return { catalogue, roleProfiles, ...writer.end() };
}

function* profilesOfRoles(
  { accessProfiles }: SodCatalogue,
  { roles, budget }: { readonly roles: Catalogue['roles']; readonly budget: WorkBudget },
): Steps<CsrRows> {
  const rows = createRowWriter();
  for (const role of yield* sortById(roles, budget)) {
    for (const id of role.accessProfiles) {
      const profile = findId(accessProfiles.numbers, id);
      if (profile !== undefined) pushNumber(rows, profile);
    }
    endRow(rows);
    if (isPauseDue(budget, 1 + role.accessProfiles.length)) yield;
  }
  return rowsOf(rows);
}

/** Policies must be written in order of their ids. */
function createPolicyWriter(catalogue: SodCatalogue) {
  const policies: LintedPolicy[] = [];
  const sideStarts = [0];
  const sides = createRowWriter();
  const { unresolved, numberOf } = numberItems(catalogue);
  const endPolicy = (policy: LintedPolicy) => {
    policies.push(policy);
    sideStarts.push(sides.starts.length - 1);
  };
  return {
    /** Returns the number of items written. */
    write: ({ id, name, state, conflictingAccessCriteria: criteria }: SodPolicy): number => {
      let count = 0;
      for (const { criteriaList } of sidesOf(criteria)) {
        for (const item of criteriaList) pushNumber(sides, numberOf(item.id));
        endRow(sides);
        count += criteriaList.length;
      }
      endPolicy({ id, name, isEnforced: state === 'ENFORCED', atLeast: atLeastOf(criteria) });
      return count;
    },
    /** Writes a policy of a rulebook that has the same catalogue. */
    copy: (rulebook: LintRulebook, number: number): void => {
      for (const items of itemsBySide(rulebook, number)) {
        for (const item of items)
          pushNumber(sides, isResolved(rulebook, item) ? item : numberOf(itemId(rulebook, item)));
        endRow(sides);
      }
      const policy = rulebook.policies[number];
      if (policy !== undefined) endPolicy(policy);
    },
    end: () => ({ policies, sideStarts: new Uint32Array(sideStarts), sides: rowsOf(sides), unresolved }),
  };
}

/** Numbers items: those that the catalogue lacks in the order in which they occur. */
function numberItems({ numbers }: SodCatalogue) {
  const unresolved: string[] = [];
  const unresolvedNumbers = new Map<string, number>();
  const numberOf = (id: string): number => {
    const known = findId(numbers, id) ?? unresolvedNumbers.get(id);
    if (known !== undefined) return known;
    const added = idCount(numbers.ids) + unresolved.length;
    unresolvedNumbers.set(id, added);
    unresolved.push(id);
    return added;
  };
  return { unresolved, numberOf };
}
