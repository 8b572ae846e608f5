import {
  digestOfFound,
  type PresentViolation,
  type PublishedRound,
  type RegisterBatch,
  type RegisterClaim,
  type Store,
} from '../src/index.ts';
import { actIn, entitlement, importAll, NOW, sodPolicy } from './model-records.ts';

const FOUND: PresentViolation = {
  identityId: 'i-1',
  targetName: 'Ada',
  policyId: 'p',
  policyName: 'P',
  levelRank: 3,
  criteria: '[]',
  exception: null,
};
const COVERED: PresentViolation = { ...FOUND, exception: { id: 'x-1', end: NOW } };
const LATER = '9999-12-31T00:00:00.000Z';

/** The claim of the last call of `register.claim`. */
let claim: RegisterClaim;

const ROUND: PublishedRound = {
  policySetVersion: 0,
  changeId: null,
  identityRevision: 0,
  identities: 1,
  asOf: NOW,
  compareDue: null,
  corrected: null,
  policies: { changed: [], gone: [] },
};

const apply = ({ register }: Store, some: Partial<RegisterBatch>) =>
  register.apply(claim, { at: NOW, opened: [], changed: [], ended: [], due: [], ...some });

async function readStored({ register }: Store) {
  await using source = await register.openSource('acme');
  const [stored] = await source.storedOf(['i-1']);
  if (stored === undefined) throw new Error('There is no violation.');
  return stored;
}

/** A call of each method of the register that reaches all its statements, in this order. */
export const REGISTER_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'violations.readView': async ({ violations }) => {
    await violations.readView('acme', NOW);
  },
  'violations.find': ({ violations }) => violations.find('acme', 'v-1', NOW),
  'register.claim': async ({ register }) => {
    [claim = claim] = await register.claim({ nowMs: 1_000, leaseMs: 1_000, limit: 1 });
  },
  'register.renew': ({ register }) => register.renew([claim], 2_000),
  'register.apply': async (store) => {
    claim = { ...claim, tenant: 'acme', fence: 1 };
    await apply(store, { opened: [FOUND], due: [{ identityId: 'i-1', due: LATER }] });
    await apply(store, { changed: [{ stored: await readStored(store), found: COVERED }] });
    const stored = await readStored(store);
    if (stored.digest !== digestOfFound(COVERED)) throw new Error('The violation was not changed.');
    await apply(store, { ended: [{ stored, status: 'Closed' }], due: [{ identityId: 'i-1', due: null }] });
  },
  'register.publish': async (store) => {
    const policies = { changed: [{ policyId: 'p', terms: 'terms' }], gone: ['gone'] };
    const round = { ...ROUND, policies, compareDue: LATER, corrected: 0 };
    await store.register.publish({ ...claim, asOf: null }, round);
    await store.register.publish(claim, ROUND);
  },
  'controls.apply': async (store) => {
    await apply(store, { opened: [FOUND] });
    const stored = await readStored(store);
    const application = { id: 'a-1', exceptionId: 'x-applied', violationId: stored.id, controlId: 'c-1' };
    const applied = await store.controls.apply(actIn('acme'), { ...application, comments: null, applierId: 'i-3' });
    if (!applied.ok) throw new Error(`The control was not applied: ${applied.failure.causes[0]?.text}`);
    await apply(store, { ended: [{ stored, status: 'Remediated' }] });
  },
  'violations.reassign': async (store) => {
    await apply(store, { opened: [FOUND] });
    const stored = await readStored(store);
    const caller = { identityId: null, isForAll: true };
    const reassigned = await store.violations.reassign(actIn('acme'), {
      id: stored.id,
      assigneeId: 'i-3',
      comments: null,
      caller,
    });
    if (!reassigned.ok || reassigned.value === null) throw new Error('The violation was not reassigned.');
    await apply(store, { ended: [{ stored: await readStored(store), status: 'Remediated' }] });
  },
  'register.readVersion': ({ register }) => register.readVersion('acme'),
  'register.openSource': async (store) => {
    const { register } = store;
    const before = { ...claim, asOf: NOW, ...(await store.sod.loadRulebook('acme')) };
    await importAll(store, 'acme', [entitlement('e-held', 'Held')]);
    await using source = await register.openSource('acme');
    const { holders } = await source.changesSince(before, NOW);
    if (holders === null) throw new Error('The holders were not read.');
    await source.changedIdentities(0, NOW);
    await source.identitiesOf(['i-1']);
    await source.changedIn({ from: '', before: null }, 0);
    await source.changedIn({ from: 'a', before: 'z' }, 0);
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
  },
  'register.voidExceptions': async (store) => {
    const { register } = store;
    await using source = await register.openSource('acme');
    await register.voidExceptions('acme', source, NOW);
    // Also what a round that is not the first one looks up.
    await apply(store, {});
    await importAll(store, 'acme', [sodPolicy('p-voided', { left: ['e-1'], right: ['e-2'] })]);
    await using later = await register.openSource('acme');
    await register.voidExceptions(
      'acme',
      { findVoid: async (now) => new Set([...(await later.findVoid(now)), 'x-1']) },
      NOW,
    );
  },
  'violations.findOwner': ({ violations }) => violations.findOwner('acme', 'v-1'),
  'register.removeEnded': ({ register }) => register.removeEnded(claim, NOW),
  'register.measureBacklog': ({ register }) => register.measureBacklog(0),
  'register.countCorrected': ({ register }) => register.countCorrected(),
  'violations.list': async ({ violations }) => {
    const fields = ['policyId', 'ownerName', 'policyName', 'targetName'] as const;
    for (const field of fields)
      for (const operator of ['in', 'co'] as const)
        await violations.list(
          'acme',
          { conditions: [{ field, operator, values: ['p'] }], sorters: [], now: NOW },
          { limit: 10, offset: 0, after: null, isCounted: true },
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
  'violations.export': async ({ violations }) => {
    await using exported = await violations.export('acme', { conditions: [], sorters: [], now: NOW });
    for await (const _ of exported.violations);
  },
  'violations.summarize': ({ violations }) => violations.summarize('acme', { now: NOW, days: 3 }),
  'register.release': ({ register }) => register.release(claim, 0),
};
