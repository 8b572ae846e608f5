import {
  digestOfFound,
  type PresentViolation,
  type RegisterBatch,
  type RegisterClaim,
  type Store,
} from '../src/index.ts';
import { actIn, entitlement, importAll, NOW } from './model-records.ts';

const FOUND: PresentViolation = {
  ...{ identityId: 'i-1', targetName: 'Ada', policyId: 'p', policyName: 'P', levelRank: 3, criteria: '[]' },
  exception: null,
};
const COVERED: PresentViolation = { ...FOUND, exception: { id: 'x-1', end: NOW } };
const LATER = '9999-12-31T00:00:00.000Z';

/** The claim of the last call of `register.claim`. */
let claim: RegisterClaim;

const batch = (some: Partial<RegisterBatch>): RegisterBatch => ({
  ...{ at: NOW, leaseEndMs: 2_000, opened: [], changed: [], ended: [], due: [] },
  ...some,
});

async function readStored({ register }: Store) {
  await using source = await register.openSource('acme');
  const [stored] = await source.storedOf(['i-1']);
  if (stored === undefined) throw new Error('There is no violation.');
  return stored;
}

/** A call of each method of the register that reaches all its statements, in this order. */
export const REGISTER_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'register.readView': async ({ register }) => {
    await register.readView('acme', NOW);
  },
  'register.find': ({ register }) => register.find('acme', 'v-1', NOW),
  'register.claim': async ({ register }) => {
    for (const except of [['other'], []])
      claim = (await register.claim({ nowMs: 1_000, leaseMs: 1_000, except })) ?? claim;
    if (claim.tenant !== 'acme') return;
  },
  'register.renew': ({ register }) => register.renew(claim, 2_000),
  'register.apply': async (store) => {
    const { register } = store;
    claim = { ...claim, tenant: 'acme', fence: 1 };
    await register.apply(claim, batch({ opened: [FOUND], due: [{ identityId: 'i-1', due: LATER }] }));
    await register.apply(claim, batch({ changed: [{ stored: await readStored(store), found: COVERED }] }));
    const stored = await readStored(store);
    if (stored.digest !== digestOfFound(COVERED)) throw new Error('The violation was not changed.');
    await register.apply(
      claim,
      batch({ ended: [{ stored, status: 'Closed' }], due: [{ identityId: 'i-1', due: null }] }),
    );
    await register.apply(claim, batch({ opened: [FOUND] }));
    await register.apply(claim, batch({ ended: [{ stored: await readStored(store), status: 'Remediated' }] }));
  },
  'controls.apply': async (store) => {
    await store.register.apply(claim, batch({ opened: [FOUND] }));
    const stored = await readStored(store);
    const application = { id: 'a-1', exceptionId: 'x-applied', violationId: stored.id, controlId: 'c-1' };
    const applied = await store.controls.apply(actIn('acme'), { ...application, comments: null, applierId: 'i-3' });
    if (!applied.ok) throw new Error(`The control was not applied: ${applied.failure.causes[0]?.text}`);
    await store.register.apply(claim, batch({ ended: [{ stored, status: 'Remediated' }] }));
  },
  'register.reassign': async (store) => {
    const { register } = store;
    await register.apply(claim, batch({ opened: [FOUND] }));
    const stored = await readStored(store);
    const caller = { identityId: null, isForAll: true };
    const reassigned = await register.reassign(actIn('acme'), {
      id: stored.id,
      assigneeId: 'i-3',
      comments: null,
      caller,
    });
    if (!reassigned.ok || reassigned.value === null) throw new Error('The violation was not reassigned.');
    await register.apply(claim, batch({ ended: [{ stored: await readStored(store), status: 'Remediated' }] }));
  },
  'register.openSource': async (store) => {
    const { register } = store;
    const before = { ...claim, asOf: NOW, ...(await store.sod.loadRulebook('acme')) };
    await importAll(store, 'acme', [entitlement('e-held', 'Held')]);
    await using source = await register.openSource('acme');
    const { holders } = await source.changesSince(before, NOW);
    if (holders === null) throw new Error('The holders were not read.');
    await source.readIdentities(['i-1']);
    await source.exceptionsOf(['i-1']);
    await source.dueOf(['i-1']);
    for (const range of [
      { from: '', before: null },
      { from: 'a', before: 'z' },
    ]) {
      for await (const _ of source.dueIn(range));
      for (const policyIds of [null, ['p']]) {
        for await (const _ of source.storedIn(range, policyIds));
        for await (const _ of source.exceptionsIn(range, { endAfter: NOW, policyIds }));
      }
    }
    for await (const _ of source.allPolicies());
    await source.knownPolicies(null);
    await source.isExpiryDue(NOW);
  },
  'violations.findOwner': ({ violations }) => violations.findOwner('acme', 'v-1'),
  'register.savePolicies': ({ register }) =>
    register.savePolicies(claim, [{ policyId: 'p', name: 'P', levelRank: 3, terms: 'terms' }], ['gone']),
  'register.clearOwners': ({ register }) => register.clearOwners(claim, ['i-2'], NOW),
  'register.forgetDeletions': ({ register }) => register.forgetDeletions(claim, 100),
  'register.tellExpired': async ({ register }) => {
    await register.tellExpired(claim, NOW);
    await register.tellExpired(claim, LATER);
  },
  'register.removeEnded': ({ register }) => register.removeEnded(claim, NOW),
  'register.finish': async ({ register }) => {
    const round = { policySetVersion: 0, changeId: null, identityRevision: 0, identities: 1, asOf: NOW };
    await register.finish({ ...claim, asOf: null }, { ...round, compareDue: LATER, corrected: 0 });
    await register.readView('acme', NOW);
    await using source = await register.openSource('acme');
    await source.isExpiryDue(NOW);
  },
  'register.countCorrected': ({ register }) => register.countCorrected(),
  'violations.list': async ({ violations }) => {
    const fields = ['policyId', 'ownerName', 'policyName', 'targetName'] as const;
    for (const field of fields)
      for (const operator of ['in', 'co'] as const)
        await violations.list(
          'acme',
          { conditions: [{ field, operator, values: ['p'] }], sorters: [], now: NOW },
          { limit: 10, offset: 0, after: null },
        );
    const mixed = [
      { field: 'created', descends: true },
      { field: 'level', descends: false },
    ] as const;
    for (const sorters of [[], mixed])
      await violations.list(
        'acme',
        { conditions: [{ field: 'created', operator: 'ge', values: [''] }], sorters, now: NOW },
        { limit: 10, offset: 0, after: sorters.length === 0 ? [LATER, 'v'] : [LATER, 2, 'v'] },
      );
  },
  'violations.count': ({ violations }) => violations.count('acme', { conditions: [] }),
  'violations.export': async ({ violations }) => {
    for await (const _ of violations.export('acme', { conditions: [], sorters: [], now: NOW }));
  },
  'violations.summarize': ({ violations }) => violations.summarize('acme', { now: NOW, days: 3 }),
  'register.release': ({ register }) => register.release(claim, 0),
  'register.demandComparisons': ({ register }) => register.demandComparisons(NOW, LATER),
};
