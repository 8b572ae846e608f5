import type { PresentViolation, RegisterClaim, Store } from '@access-admin/store';

const AT = '2026-11-21T09:30:00.000Z';
const NEVER = '9999-12-31T00:00:00.000Z';

/** What a test says of a violation; the rest has defaults. */
export type GivenViolation = Pick<PresentViolation, 'policyId' | 'identityId'> & Partial<PresentViolation>;

const complete = (given: GivenViolation): PresentViolation => ({
  ...{ targetName: given.identityId, policyName: given.policyId, levelRank: 3, exception: null },
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
  const batch = { at, leaseEndMs: Date.parse(at) + 1_000, changed: [], ended: [], due: [] };
  if (!(await register.apply(claim, { ...batch, opened: given.map(complete) }))) throw new Error('The claim is lost.');
  const { identityRevision, policySetVersion, changeId } = claim;
  const round = { identityRevision, policySetVersion, changeId, identities: given.length, asOf: at };
  await register.finish(claim, { ...round, compareDue: NEVER, corrected: null });
  const query = { conditions: [], sorters: [], now: at };
  const { violations: all } = await violations.list(tenant, query, { limit: 250, offset: 0, after: null });
  return all.map(({ id }) => id);
}

/** Ends all violations of an identity, as the register's worker does when its access has changed. */
export async function endViolations({ register }: Store, identityId: string, tenant = 'default'): Promise<void> {
  const claim = await claimOf(register, tenant);
  await using source = await register.openSource(tenant);
  const ended = (await source.storedOf([identityId])).map((stored) => ({ stored, status: 'Remediated' as const }));
  const batch = { at: AT, leaseEndMs: Date.parse(AT) + 1_000, opened: [], changed: [], ended, due: [] };
  if (ended.length === 0 || !(await register.apply(claim, batch))) throw new Error('No violation has ended.');
}

/** Makes a full comparison due first, so that a register can be claimed again. */
async function claimOf(register: Store['register'], tenant: string): Promise<RegisterClaim> {
  const except: string[] = [];
  await register.demandComparisons(AT, NEVER);
  for (;;) {
    const claim = await register.claim({ nowMs: Date.parse(AT), leaseMs: 1_000, except });
    if (claim === null) throw new Error(`The register of ${tenant} cannot be claimed.`);
    if (claim.tenant === tenant) return claim;
    await register.release(claim, 0);
    except.push(claim.tenant);
  }
}
