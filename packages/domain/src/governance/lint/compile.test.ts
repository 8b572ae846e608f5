import { array, assert, constantFrom, nat, property, record, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { catalogueOf, policyOf } from '../../../test/sod-world.ts';
import { sortById } from '../../access/model/sort-by-id.ts';
import type { SodPolicy } from '../../policies/model.ts';
import {
  changeLintRulebook,
  compileLintRulebook,
  compileSodCatalogue,
  createLintCompiler,
  type LintRulebook,
} from '../../sod/index.ts';
import { lintPolicies } from './run.ts';

const CATALOGUE = catalogueOf({
  entitlements: ['a', 'b', 'c'],
  accessProfiles: { ap: ['a', 'b'] },
  roles: { r: { accessProfiles: ['ap'], entitlements: ['c'] } },
});
const IDS = ['p', 'P', 'p-1', '1', 'q'];
const policy = record({
  id: constantFrom(...IDS),
  items: uniqueArray(constantFrom('a', 'b', 'c', 'x', 'y', 'z'), { minLength: 2, maxLength: 4 }),
  state: constantFrom('ENFORCED' as const, 'NOT_ENFORCED' as const),
}).map(({ id, items, state }) => policyOf(id, { left: items.slice(0, 1), right: items.slice(1) }, { state }));
const policies = uniqueArray(policy, { selector: ({ id }) => id });

const compile = (given: readonly SodPolicy[]) => compileLintRulebook(given, CATALOGUE);
/** The policies with the ids of their items, which are numbered in the order in which they were met. */
const writtenPolicies = ({ policies: all, catalogue: { entitlements }, unresolved }: LintRulebook) =>
  all.map(({ sides, ...rest }) => ({
    ...rest,
    sides: sides.map((side) =>
      side.map((item) => entitlements[item]?.id ?? unresolved[item - entitlements.length]).toSorted(),
    ),
  }));
const findings = (rulebook: LintRulebook) => [...lintPolicies(rulebook)].flat();

test('a changed rulebook equals one compiled after the changes, and the original does not change', () => {
  const changes = record({ upserts: policies, deletes: array(constantFrom(...IDS)) });
  assert(
    property(policies, array(changes, { minLength: 1, maxLength: 4 }), (given, all) => {
      let present = new Map(given.map((one) => [one.id, one]));
      let rulebook = compile(given);
      for (const { upserts, deletes } of all) {
        const before = { rulebook, reported: findings(rulebook) };
        const kept = [...present].filter(([id]) => !deletes.includes(id));
        present = new Map([...kept, ...upserts.map((one): [string, SodPolicy] => [one.id, one])]);
        rulebook = changeLintRulebook(rulebook, { upserts, deletes });
        expect(findings(rulebook)).toEqual(findings(compile([...present.values()])));
        expect(writtenPolicies(rulebook)).toEqual(writtenPolicies(compile([...present.values()])));
        // Items that no policy has any more are not kept.
        expect([...rulebook.unresolved].sort()).toEqual([...compile([...present.values()]).unresolved].sort());
        expect(findings(before.rulebook)).toEqual(before.reported);
      }
    }),
    { numRuns: 500 },
  );
});

test('compiles in parts to the same rulebook', () => {
  assert(
    property(policies, nat({ max: 4 }), (given, middle) => {
      const sorted = sortById(given);
      const compiler = createLintCompiler(compileSodCatalogue(CATALOGUE));
      compiler.addRoles(CATALOGUE.roles);
      compiler.addPolicies(sorted.slice(0, middle));
      compiler.addPolicies(sorted.slice(middle));
      expect(compiler.finish()).toEqual(compile(given));
    }),
  );
});
