import type { Catalogue, Role } from '../../access/model/records.ts';
import { sortById } from '../../access/model/sort-by-id.ts';
import { atLeastOf, type EvaluatedPolicy, isEnforced, sidesOf } from '../../policies/model.ts';
import { addRow, createRowWriter, rowsOf } from '../collections/rows.ts';
import { compileSodCatalogue, type SodCatalogue } from '../rulebook/catalogue.ts';
import type { PolicyChanges } from '../rulebook/change-policies.ts';
import { isResolved, itemId, type LintedPolicy, type LintRulebook } from './rulebook.ts';

/**
 * Compiles a rulebook for lint from the roles of its catalogue and its policies, each in code-unit order of their ids. They may
 * come in parts. The result keeps only ids and names of them.
 */
export interface LintCompiler {
  addRoles(roles: readonly Role[]): void;
  addPolicies(policies: readonly EvaluatedPolicy[]): void;
  finish(): LintRulebook;
}

/** Creates a compiler without roles and policies. */
export function createLintCompiler(catalogue: SodCatalogue): LintCompiler {
  const roleProfiles = createRowWriter();
  const policies: LintedPolicy[] = [];
  const items = numberItems(catalogue);
  return {
    addRoles: (roles) => {
      for (const { accessProfiles } of roles)
        addRow(
          roleProfiles,
          accessProfiles.flatMap((id) => catalogue.accessProfiles.numbers.get(id) ?? []),
        );
    },
    addPolicies: (added) => {
      for (const policy of added) policies.push(lintedPolicy(policy, items.numberOf));
    },
    finish: () => ({ catalogue, roleProfiles: rowsOf(roleProfiles), policies, unresolved: items.unresolved }),
  };
}

/** Compiles a rulebook for lint at once. */
export function compileLintRulebook(policies: readonly EvaluatedPolicy[], catalogue: Catalogue): LintRulebook {
  const compiler = createLintCompiler(compileSodCatalogue(catalogue));
  compiler.addRoles(sortById(catalogue.roles));
  compiler.addPolicies(sortById(policies));
  return compiler.finish();
}

/** The rulebook after changes of policies. The given rulebook does not change; both share their catalogue. */
export function changeLintRulebook(rulebook: LintRulebook, changes: PolicyChanges): LintRulebook {
  const { catalogue, roleProfiles } = rulebook;
  const { unresolved, numberOf } = numberItems(catalogue);
  const changed = new Set([...changes.deletes, ...changes.upserts.map(({ id }) => id)]);
  const kept = rulebook.policies
    .filter(({ id }) => !changed.has(id))
    .map((policy) => ({ id: policy.id, linted: () => renumbered(rulebook, policy, numberOf) }));
  const written = changes.upserts.map((policy) => ({ id: policy.id, linted: () => lintedPolicy(policy, numberOf) }));
  const policies = sortById([...kept, ...written]).map(({ linted }) => linted());
  return { catalogue, roleProfiles, policies, unresolved };
}

/** A policy with other numbers for the items that the catalogue lacks. */
function renumbered(rulebook: LintRulebook, policy: LintedPolicy, numberOf: (id: string) => number): LintedPolicy {
  const numberAgain = (item: number) => (isResolved(rulebook, item) ? item : numberOf(itemId(rulebook, item)));
  return { ...policy, sides: policy.sides.map((side) => side.map(numberAgain).sort(ascending)) };
}

const ascending = (a: number, b: number) => a - b;

function lintedPolicy(policy: EvaluatedPolicy, numberOf: (id: string) => number): LintedPolicy {
  const { id, name, conflictingAccessCriteria: criteria } = policy;
  const sides = sidesOf(criteria).map(({ criteriaList }) =>
    [...new Set(criteriaList.map((item) => numberOf(item.id)))].sort(ascending),
  );
  return { id, name, isEnforced: isEnforced(policy), atLeast: atLeastOf(criteria), sides };
}

/** Numbers items: those that the catalogue lacks in the order in which they occur. */
function numberItems({ numbers, entitlements }: SodCatalogue) {
  const unresolved: string[] = [];
  const places = new Map<string, number>();
  const numberOf = (id: string): number => {
    const number = numbers.get(id);
    if (number !== undefined) return number;
    const place = places.get(id) ?? unresolved.push(id) - 1;
    places.set(id, place);
    return entitlements.length + place;
  };
  return { unresolved, numberOf };
}
