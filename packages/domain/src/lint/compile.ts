import type { Catalogue } from '../access-model/records.ts';
import { type CsrRows, createRowWriter, endRow, pushNumber, rowsOf } from '../collections/csr-rows.ts';
import { findId, idCount } from '../collections/id-dictionary.ts';
import { sortById } from '../collections/sort-by-id.ts';
import { isKOfN, type SodPolicy, sidesOf } from '../policy/model.ts';
import { compileSodCatalogue, type SodCatalogue } from '../rulebook/catalogue.ts';
import type { PolicyChanges } from '../rulebook/change-policies.ts';
import { createWorkBudget, isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import {
  isLiving,
  itemId,
  itemsBySide,
  itemsOf,
  LIGHT,
  LINT_STEP_WORK,
  type LintedPolicy,
  type LintRulebook,
} from './rulebook.ts';

// The criteria are parsed as they are read.
const ITEM_WORK = 3;

/** Makes a rulebook ready for lint, with a pause after each millisecond or two of work. Keeps nothing of what it is given but ids and names. */
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

/** The rulebook after changes of policies alone, in steps; the one given stays as it is, and both share their catalogue. */
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
    if (isPauseDue(budget, 1 + itemsOf(rulebook, number).length / LIGHT)) yield;
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

/** Takes policies in the order of their ids. */
function createPolicyWriter(catalogue: SodCatalogue) {
  const policies: LintedPolicy[] = [];
  const sideStarts = [0];
  const sides = createRowWriter();
  const { lost, numberOf } = numberItems(catalogue);
  const endPolicy = (policy: LintedPolicy) => {
    policies.push(policy);
    sideStarts.push(sides.starts.length - 1);
  };
  return {
    /** Returns how many items it has. */
    write: ({ id, name, state, conflictingAccessCriteria: criteria }: SodPolicy): number => {
      let count = 0;
      for (const { criteriaList } of sidesOf(criteria)) {
        for (const item of criteriaList) pushNumber(sides, numberOf(item.id));
        endRow(sides);
        count += criteriaList.length;
      }
      endPolicy({ id, name, isEnforced: state === 'ENFORCED', atLeast: isKOfN(criteria) ? criteria.atLeast : 2 });
      return count;
    },
    /** A policy of a rulebook with the same catalogue. */
    copy: (rulebook: LintRulebook, number: number): void => {
      for (const items of itemsBySide(rulebook, number)) {
        for (const item of items) pushNumber(sides, isLiving(rulebook, item) ? item : numberOf(itemId(rulebook, item)));
        endRow(sides);
      }
      const policy = rulebook.policies[number];
      if (policy !== undefined) endPolicy(policy);
    },
    end: () => ({ policies, sideStarts: new Uint32Array(sideStarts), sides: rowsOf(sides), lost }),
  };
}

/** Items that the catalogue lacks are numbered as they come. */
function numberItems({ numbers }: SodCatalogue) {
  const lost: string[] = [];
  const lostNumbers = new Map<string, number>();
  const numberOf = (id: string): number => {
    const known = findId(numbers, id) ?? lostNumbers.get(id);
    if (known !== undefined) return known;
    const added = idCount(numbers.ids) + lost.length;
    lostNumbers.set(id, added);
    lost.push(id);
    return added;
  };
  return { lost, numberOf };
}
