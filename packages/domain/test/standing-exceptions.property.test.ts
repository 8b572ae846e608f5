import { coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { compileSodIndex, conflictingItems, expandAssignments, isVoid, standingExceptions } from '../src/index.ts';
import { createRandom } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';

const byId = <T extends { readonly id: string }>(all: readonly T[]) => new Map(all.map((one) => [one.id, one]));

test('a prediction counts an exception where its state says that it is not void', () => {
  const seen = { standing: 0, changed: 0, ended: 0, joined: 0 };
  for (const seed of seeds(1_000)) {
    const { policies: plain, catalogue, timedQuestions } = createRandomTimedWorld(seed);
    const policies = plain.map((policy) => ({ ...policy, terms: `now ${policy.id}` }));
    const index = compileSodIndex(policies, catalogue);
    const bundles = { roles: byId(catalogue.roles), accessProfiles: byId(catalogue.accessProfiles) };
    const below = createRandom(seed + 3_000_000);
    for (const { held, now } of timedQuestions) {
      const nowMs = Date.parse(now);
      const approvedMs = nowMs + (below(12) - 6) * 1_000;
      const approved = new Date(approvedMs).toISOString();
      const found = policies.map((policy) => {
        const items = conflictingItems(policy, { graph: { assignments: held, ...bundles }, nowMs: approvedMs });
        const known = items.filter(() => below(8) > 0);
        const terms = below(8) > 0 ? policy.terms : 'before';
        const exception = {
          policyId: policy.id,
          id: `x-${policy.id}`,
          terms,
          start: now,
          end: now,
          approved,
          items: known,
        };
        const ended = isVoid(
          { approved, approvedConflict: { policy: terms, items: known } },
          {
            policyExists: true,
            identityExists: true,
            conflict: items.length === 0 ? null : { policy: policy.terms, items },
          },
        );
        seen[items.length === 0 ? 'ended' : terms === 'before' ? 'changed' : ended ? 'joined' : 'standing']++;
        return { exception, ended };
      });
      const given = found.map(({ exception }) => exception);
      const standing = standingExceptions(given, index, expandAssignments(index, held)).map(({ id }) => id);
      const expected = found.flatMap(({ exception, ended }) => (ended ? [] : exception.id));
      expect([seed, standing]).toEqual([seed, expected]);
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(coverage(50));
});
