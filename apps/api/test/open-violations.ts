import type { PresentViolation, RegisterBatch, RegisterClaim, Store } from '@access-admin/store';

const AT = '2026-11-21T09:30:00.000Z';
const LEASE_MS = 1_000;
const NEVER = '9999-12-31T00:00:00.000Z';

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
  const opened = given.map((each) => ({ at, found: complete(each) }));
  await conclude(register, claim, { at, opened });
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
  const ended = stored.map((each) => ({ at: AT, stored: each, status: 'Remediated' as const }));
  await conclude(register, claim, { at: AT, ended });
}

/** Settles what rounds have left, as the register's worker does: the owners that are deleted. */
export async function settleRegister({ register }: Store, tenant = 'default'): Promise<void> {
  const nowMs = Date.parse(AT) + LEASE_MS;
  const claim = await claimOf(register, tenant, nowMs);
  for (;;) {
    const done = await register.settle(claim, { leaseEndMs: nowMs, goesOn: false });
    if (done === false) throw new Error('The claim is lost.');
    if (done === true) return;
  }
}

/** Shows a round to readers, with the data that the register has already. */
async function conclude(
  register: Store['register'],
  claim: RegisterClaim,
  { at, opened = [], ended = [] }: Partial<RegisterBatch> & { readonly at: string },
): Promise<void> {
  const { policySetVersion, changeId } = claim;
  await using source = await register.openSource(claim.tenant);
  const { identityRevision } = source;
  const concluded = await register.conclude(
    claim,
    { opened, changed: [], ended, due: [] },
    {
      identityRevision,
      policySetVersion,
      changeId,
      identities: opened.length,
      asOf: at,
      now: at,
      compareDue: NEVER,
      corrected: null,
      changed: { policies: [], gone: [] },
      goesOn: false,
    },
  );
  if (concluded === false) throw new Error('The claim is lost.');
}

/** Makes a full comparison due first, so that a register can be claimed again. */
async function claimOf(register: Store['register'], tenant: string, nowMs = Date.parse(AT)): Promise<RegisterClaim> {
  const except: string[] = [];
  await register.demandComparisons(AT, NEVER);
  for (;;) {
    const claim = await register.claim({ nowMs, leaseMs: LEASE_MS, except });
    if (claim === null) throw new Error(`The register of ${tenant} cannot be claimed.`);
    if (claim.tenant === tenant) return claim;
    await register.release(claim, 0);
    except.push(claim.tenant);
  }
}
