import {
  digestOfFound,
  type PresentViolation,
  type RegisterBatch,
  type RegisterClaim,
  type RegisterRound,
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

const batch = (some: Partial<RegisterBatch>): RegisterBatch => ({
  opened: [],
  changed: [],
  ended: [],
  due: [],
  ...some,
});

const OPENED = { at: NOW, found: FOUND };

const ROUND: RegisterRound = {
  policySetVersion: 0,
  changeId: null,
  identityRevision: 0,
  identities: 1,
  asOf: NOW,
  now: NOW,
  compareDue: null,
  corrected: null,
  changed: { policies: [], gone: [] },
  goesOn: true,
};

/** Shows a batch to readers in one transaction. */
const apply = ({ register }: Store, some: Partial<RegisterBatch>) => register.conclude(claim, batch(some), ROUND);

async function takeAllBack({ register }: Store) {
  while ((await register.takeBack(claim, 2_000)) === 'more');
}

async function settleAll({ register }: Store, goesOn: boolean) {
  while ((await register.settle(claim, { leaseEndMs: 2_000, goesOn })) === 'more');
}

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
    for (const except of [['other'], []])
      claim = (await register.claim({ nowMs: 1_000, leaseMs: 1_000, except })) ?? claim;
    if (claim.tenant !== 'acme') return;
  },
  'register.renew': ({ register }) => register.renew(claim, 2_000),
  'register.stage': async (store) => {
    const { register } = store;
    claim = { ...claim, tenant: 'acme', fence: 1 };
    const stage = (some: Partial<RegisterBatch>) => register.stage(claim, batch(some), 2_000);
    await stage({ opened: [OPENED], due: [{ identityId: 'i-1', due: LATER }] });
    await stage({ changed: [{ at: NOW, stored: await readStored(store), found: COVERED }] });
    await stage({ ended: [{ at: NOW, stored: await readStored(store), status: 'Closed' }] });
  },
  'register.takeBack': (store) => takeAllBack(store),
  'register.conclude': async (store) => {
    const { register } = store;
    await apply(store, { opened: [OPENED], due: [{ identityId: 'i-1', due: LATER }] });
    await apply(store, { changed: [{ at: NOW, stored: await readStored(store), found: COVERED }] });
    const stored = await readStored(store);
    if (stored.digest !== digestOfFound(COVERED)) throw new Error('The violation was not changed.');
    await apply(store, { ended: [{ at: NOW, stored, status: 'Closed' }], due: [{ identityId: 'i-1', due: null }] });
    await apply(store, { opened: [OPENED] });
    await register.stage(
      claim,
      batch({ changed: [{ at: NOW, stored: await readStored(store), found: COVERED }] }),
      2_000,
    );
    await register.stage(
      claim,
      batch({ ended: [{ at: NOW, stored: await readStored(store), status: 'Closed' }] }),
      2_000,
    );
    const changed = {
      policies: [{ policyId: 'p', name: 'P', levelRank: 3, terms: 'terms' }],
      gone: ['gone'],
    };
    const found = { ...ROUND, changed, compareDue: LATER, corrected: 0 };
    await register.conclude({ ...claim, asOf: null }, batch({ opened: [OPENED] }), found);
    await store.violations.readView('acme', NOW);
  },
  'register.settle': async (store) => {
    await settleAll(store, true);
    await apply(store, { ended: [{ at: NOW, stored: await readStored(store), status: 'Remediated' }] });
  },
  'controls.apply': async (store) => {
    await apply(store, { opened: [OPENED] });
    const stored = await readStored(store);
    const application = { id: 'a-1', exceptionId: 'x-applied', violationId: stored.id, controlId: 'c-1' };
    const applied = await store.controls.apply(actIn('acme'), { ...application, comments: null, applierId: 'i-3' });
    if (!applied.ok) throw new Error(`The control was not applied: ${applied.failure.causes[0]?.text}`);
    await apply(store, { ended: [{ at: NOW, stored, status: 'Remediated' }] });
  },
  'violations.reassign': async (store) => {
    const { register } = store;
    // What is not told yet is told first.
    await register.stage(claim, batch({ opened: [OPENED] }), 2_000);
    await register.conclude(claim, batch({}), ROUND);
    const stored = await readStored(store);
    const caller = { identityId: null, isForAll: true };
    const reassigned = await store.violations.reassign(actIn('acme'), {
      id: stored.id,
      assigneeId: 'i-3',
      comments: null,
      caller,
    });
    if (!reassigned.ok || reassigned.value === null) throw new Error('The violation was not reassigned.');
    await settleAll(store, true);
    await apply(store, { ended: [{ at: NOW, stored: await readStored(store), status: 'Remediated' }] });
  },
  'register.readVersion': ({ register }) => register.readVersion('acme'),
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
    await source.instantAt(NOW);
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
  'register.demandComparisons': ({ register }) => register.demandComparisons(NOW, LATER),
};
