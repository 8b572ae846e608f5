import type { KnownPolicy, RegisterClaim, RegisterSource } from '@access-admin/store';
import { expect, test } from 'vitest';
import { planRound } from './plan-round.ts';

const NOW = '2026-03-01T12:00:00.000Z';

/** How a violation of the policy `p`, which is gone, ends after a round that knew these policies. */
async function endedStatusAfter(known: readonly KnownPolicy[]) {
  const source = {
    changesSince: async () => ({ identities: new Set(), policies: ['p'], holders: new Set(), isRestored: false }),
    knownPolicies: async () => new Map(known.map((policy) => [policy.policyId, policy])),
    readPolicies: async () => [],
    version: {},
    identityRevision: 1,
    identityCount: 1,
  } as unknown as RegisterSource;
  const claim = { asOf: NOW, compareDue: NOW.replace('2026', '2027') } as RegisterClaim;
  return (await planRound(claim, source, NOW)).endedStatus('p');
}

test('a violation of a policy that is gone is closed, also where no round has known the policy', async () => {
  expect(await endedStatusAfter([{ policyId: 'p', terms: 'some' }])).toBe('Closed');
  expect(await endedStatusAfter([])).toBe('Closed');
  // It was not enforced before.
  expect(await endedStatusAfter([{ policyId: 'p', terms: '' }])).toBe('Remediated');
});
