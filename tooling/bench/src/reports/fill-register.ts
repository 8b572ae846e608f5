import type { AccessModelRecord } from '@access-admin/domain';
import type { RegisterBatch, RegisterClaim, Store } from '@access-admin/store';
import { importRecords, TENANT } from '../world/seed-population.ts';

const BATCH = 1_000;
const POLICIES = 5_000;
const TARGETS = 500_000;
const LEASE_MS = 86_400_000;
const STEP_MS = 20_000_000;
const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
// Every tenth violation is covered by an exception, two fifths are of one policy, and every fourth ends.
const MITIGATED_EVERY = 10;
const OF_ONE_POLICY = 0.4;
const ENDED_EVERY = 4;

const NOTHING: RegisterBatch = { opened: [], changed: [], ended: [], due: [] };

const CRITERIA = JSON.stringify(
  ['left', 'right'].map((name) => ({
    name,
    conflictingItems: [{ type: 'ENTITLEMENT', id: `e-${name}`, name: `Entitlement of the ${name} side` }],
  })),
);

/** Fills the register of a tenant with violations that no evaluation has found, as a worker stores them. */
export function createRegisterFiller(store: Store): { fill(count: number): Promise<void> } {
  const { register } = store;
  const at = (batch: number) => new Date(START_MS + batch * STEP_MS).toISOString();
  const openSome = (claim: RegisterClaim, batch: number, count: number) => {
    const opened = Array.from({ length: count }, (_, place) => {
      const hash = ((batch * BATCH + place) * 2_654_435_761) % 4_294_967_296;
      const policy = hash % 100 < OF_ONE_POLICY * 100 ? 0 : 1 + (Math.floor(hash / 100) % (POLICIES - 1));
      const target = hash % TARGETS;
      const found = {
        policyId: `p-${policy}`,
        policyName: `Policy ${policy}`,
        levelRank: 1 + (policy % 4),
        criteria: CRITERIA,
        identityId: `i-${target}`,
        targetName: `Name ${target}`,
        exception: hash % MITIGATED_EVERY === 0 ? { id: `x-${hash}`, end: '2099-01-01T00:00:00.000Z' } : null,
      };
      return { at: at(batch), found };
    });
    return conclude(claim, { ...NOTHING, opened });
  };
  const conclude = (claim: RegisterClaim, batch: RegisterBatch, goesOn = true) => {
    const { policySetVersion, changeId, identityRevision } = claim;
    const now = new Date().toISOString();
    return register.conclude(claim, batch, {
      policySetVersion,
      changeId,
      identityRevision,
      identities: TARGETS,
      asOf: now,
      now,
      compareDue: null,
      corrected: null,
      changed: { policies: [], gone: [] },
      goesOn,
    });
  };
  return {
    fill: async (count) => {
      const profile: AccessModelRecord = { kind: 'identityProfile', id: 'ip', name: 'Employees' };
      await importRecords(store, [profile]);
      const claim = await register.claim({ nowMs: Date.now(), leaseMs: LEASE_MS, except: [] });
      if (claim === null) throw new Error('The register cannot be claimed.');
      const batches = Math.ceil(count / BATCH);
      for (let batch = 0; batch < batches; batch++)
        await openSome(claim, batch, Math.min(BATCH, count - batch * BATCH));
      await using source = await register.openSource(TENANT);
      let page = 0;
      for await (const stored of source.storedIn({ from: '', before: null }, null)) {
        page += 1;
        if (page % ENDED_EVERY !== 0) continue;
        const end = { at: at(batches + page), status: 'Remediated' } as const;
        await conclude(claim, { ...NOTHING, ended: stored.map((each) => ({ ...end, stored: each })) });
      }
      const { version, identityRevision } = source;
      await conclude({ ...claim, ...version, identityRevision }, NOTHING, false);
    },
  };
}
