import { expect, test } from 'vitest';
import { contextsOf } from '../../../test/entries.ts';
import { createRandomSodWorld } from '../../../test/random-sod-world.ts';
import type { SodPolicyTable } from '../rulebook/policy-table.ts';
import { compileSodIndex } from '../rulebook/sod-index.ts';
import { expandAccess } from './access.ts';

/** The same table with entries that lead to policies as a whole, pairs too. */
function withoutPairs(table: SodPolicyTable): SodPolicyTable {
  const { starts, values } = table.entries;
  const toPolicy = (entry: number) => (entry % 2 === 1 ? entry : (table.policyBySide[entry >>> 1] ?? 0) * 2 + 1);
  return { ...table, entries: { starts, values: values.map(toPolicy) } };
}

test('entries of pairs find what the rule of all policies finds', () => {
  let violations = 0;
  for (let seed = 1; seed <= 3_000; seed++) {
    const world = createRandomSodWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    const generic = { ...index, compiled: withoutPairs(index.compiled) };
    for (const question of world.questions) {
      const held = expandAccess(index, question.held).entitlements;
      const expected = contextsOf(generic, held, question.requested);
      violations += expected.length;
      expect(contextsOf(index, held, question.requested), `seed ${seed}`).toEqual(expected);
    }
  }
  expect(violations).toBeGreaterThan(1_000);
});
