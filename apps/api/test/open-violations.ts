import type { PresentViolation, RegisterBatch, RegisterClaim, Store } from '@access-admin/store';

const AT = '2026-11-21T09:30:00.000Z';
const LEASE_MS = 1_000;

/** What a test says of a violation; the rest has defaults. */
export type GivenViolation = Pick<PresentViolation, 'policyId' | 'identityId'> & Partial<PresentViolation>;

const complete = (given: GivenViolation): PresentViolation => ({
  targetName: given.identityId,
  policyName: given.policyId,
  levelRank: 3,
  exception: null,
  criteria: JSON.stringify([{ name: 'left', conflictingItems: [{ type: 'ENTITLEMENT', id: 'e-1', name: 'Pay' }] }]),
  ...given,
});

/** Opens violations in the register of a tenant, as its worker does. Returns all ids, the newest first. */
export async function openViolations(
  { register, violations }: Store,
  given: readonly GivenViolation[],
  { tenant = 'default', at = AT }: { readonly tenant?: string; readonly at?: string } = {},
): Promise<readonly string[]> {
  const claim = await claimOf(register, tenant);
  await keep(register, claim, { at, opened: given.map(complete) });
  const query = { conditions: [], sorters: [], now: at };
  const { violations: all } = await violations.list(tenant, query, { limit: 250, offset: 0, after: null });
  return all.map(({ id }) => id);
}

/** Ends all violations of an identity, as the register's worker does when its access has changed. */
export async function endViolations({ register }: Store, identityId: string, tenant = 'default'): Promise<void> {
  const claim = await claimOf(register, tenant);
  await using source = await register.openSource(tenant);
  const stored = await source.storedOf([identityId]);
  if (stored.length === 0) throw new Error('No violation has ended.');
  const ended = stored.map((each) => ({ stored: each, status: 'Remediated' as const }));
  await keep(register, claim, { at: AT, ended });
}

/** Has the register's worker take in that owners were deleted. */
export async function clearOwners({ register }: Store, tenant = 'default'): Promise<void> {
  await keep(register, await claimOf(register, tenant), { at: AT });
}

/** Applies a batch and publishes it, with the data that the register has already. */
async function keep(
  register: Store['register'],
  claim: RegisterClaim,
  { at, opened = [], ended = [] }: Partial<RegisterBatch> & { readonly at: string },
): Promise<void> {
  const { policySetVersion, changeId } = claim;
  const { identityRevision } = await register.readVersion(claim.tenant);
  await register.apply(claim, { at, opened, changed: [], ended, due: [] });
  const published = await register.publish(claim, {
    identityRevision,
    policySetVersion,
    changeId,
    identities: opened.length,
    asOf: at,
    // A full comparison is due at once, so that the register can be claimed again.
    compareDue: AT,
    corrected: null,
    policies: { changed: [], gone: [] },
  });
  if (published !== true) throw new Error('The round was not published.');
  await register.release(claim, 0);
}

async function claimOf(register: Store['register'], tenant: string): Promise<RegisterClaim> {
  const [claim] = await register.claim({ nowMs: Date.parse(AT), leaseMs: LEASE_MS, limit: 1, tenant });
  if (claim === undefined) throw new Error(`The register of ${tenant} cannot be claimed.`);
  return claim;
}
