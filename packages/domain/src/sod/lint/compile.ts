import type { Catalogue, Role } from '../../access/model/records.ts';
import { sortById } from '../../access/model/sort-by-id.ts';
import { atLeastOf, type EvaluatedPolicy, isEnforced, sidesOf } from '../../governance/policies/model.ts';
import { createRowWriter, endRow, pushNumber, rowsOf } from '../collections/csr-rows.ts';
import { findId, idCount } from '../collections/id-dictionary.ts';
import { compileSodCatalogue, type SodCatalogue } from '../rulebook/catalogue.ts';
import type { PolicyChanges } from '../rulebook/change-policies.ts';
import { isResolved, itemId, itemsBySide, type LintedPolicy, type LintRulebook } from './rulebook.ts';

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
  const writer = createPolicyWriter(catalogue);
  return {
    addRoles: (roles) => {
      for (const { accessProfiles } of roles) {
        for (const id of accessProfiles) {
          const profile = findId(catalogue.accessProfiles.numbers, id);
          if (profile !== undefined) pushNumber(roleProfiles, profile);
        }
        endRow(roleProfiles);
      }
    },
    addPolicies: (policies) => {
      for (const policy of policies) writer.write(policy);
    },
    finish: () => ({ catalogue, roleProfiles: rowsOf(roleProfiles), ...writer.end() }),
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
  const written = sortById(changes.upserts);
  const changed = new Set([...changes.deletes, ...written.map(({ id }) => id)]);
  const writer = createPolicyWriter(catalogue);
  let next = 0;
  for (const [number, { id }] of rulebook.policies.entries()) {
    for (let policy = written[next]; policy !== undefined && policy.id < id; policy = written[++next])
      writer.write(policy);
    if (!changed.has(id)) writer.copy(rulebook, number);
  }
  for (const policy of written.slice(next)) writer.write(policy);
  return { catalogue, roleProfiles, ...writer.end() };
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
    write: ({ id, name, state, conflictingAccessCriteria: criteria }: EvaluatedPolicy): void => {
      for (const { criteriaList } of sidesOf(criteria)) {
        for (const item of criteriaList) pushNumber(sides, numberOf(item.id));
        endRow(sides);
      }
      endPolicy({ id, name, isEnforced: isEnforced({ state }), atLeast: atLeastOf(criteria) });
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
