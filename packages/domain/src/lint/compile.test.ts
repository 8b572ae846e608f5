import { array, assert, constantFrom, property, record, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { catalogueOf, policyOf } from '../../test/sod-world.ts';
import type { SodPolicy } from '../policy/model.ts';
import { runToEnd, type Steps } from '../steps/work-budget.ts';
import { changeLintRulebook, compileLintRulebook } from './compile.ts';
import type { LintRulebook } from './rulebook.ts';
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

const compile = (given: readonly SodPolicy[]) => runToEnd(compileLintRulebook(given, CATALOGUE));
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
        rulebook = runToEnd(changeLintRulebook(rulebook, { upserts, deletes }));
        expect(findings(rulebook)).toEqual(findings(compile([...present.values()])));
        expect(rulebook.policies).toEqual(compile([...present.values()]).policies);
        // Items that no policy has any more are not kept.
        expect([...rulebook.unresolved].sort()).toEqual([...compile([...present.values()]).unresolved].sort());
        expect(findings(before.rulebook)).toEqual(before.reported);
      }
    }),
    { numRuns: 500 },
  );
});

test('pauses often, for large and small changes', () => {
  const ids = Array.from({ length: 500 }, (_, at) => `e-${at}`);
  const side = (at: number) => Array.from({ length: 50 }, (_, step) => `e-${(at * 131 + step * 7) % 500}`);
  const many = Array.from({ length: 2_000 }, (_, at) => policyOf(`p-${at}`, { left: side(at), right: [`x-${at}`] }));
  const steps = (all: Steps<LintRulebook>) => {
    for (let count = 1; ; count++) {
      const step = all.next();
      if (step.done === true) return { count, rulebook: step.value };
    }
  };
  const compiled = steps(compileLintRulebook(many, catalogueOf({ entitlements: ids })));
  expect(compiled.count).toBeGreaterThan(50);
  expect(steps(changeLintRulebook(compiled.rulebook, { upserts: many, deletes: [] })).count).toBeGreaterThan(50);
  const little = steps(changeLintRulebook(compiled.rulebook, { upserts: [], deletes: ['p-7'] }));
  expect(little.count).toBeGreaterThan(1);
  expect(little.count).toBeLessThan(10);
});
