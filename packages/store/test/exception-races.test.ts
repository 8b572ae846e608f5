import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type AccessModelRecord,
  approveException,
  exceptionStateAt,
  type NewSodException,
  planImport,
  requestException,
  type SeenException,
} from '@access-admin/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createAccessModelStore } from '../src/access-model/store.ts';
import type { Database, ReadsAndWrites } from '../src/engine/database.ts';
import { createExceptionStore } from '../src/exceptions/store.ts';
import { openStore, type Store } from '../src/index.ts';
import {
  APPLICATION,
  accessProfile,
  actIn,
  asLines,
  deletion,
  entitlement,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  role,
  sodPolicy,
} from './model-records.ts';
import { openShared, type Shared } from './shared-database.ts';

const END = '2026-06-01T00:00:00.000Z';
const LATER = '2026-03-01T12:00:01.000Z';
const PAIR: NewSodException = { policyId: 'p', identityId: 'i-1', start: NOW, end: END, justification: 'why' };

const policy = (fields: object = {}) => sodPolicy('p', { left: ['e-1', 'e-3'], right: ['e-2'] }, fields);
const holder = (...ids: readonly string[]) =>
  identity('i-1', { access: [...holds('ENTITLEMENT', ...ids), ...holds('ROLE', 'r')] });
const WORLD: readonly AccessModelRecord[] = [
  ...['e-1', 'e-2', 'e-3', 'e-4'].map((id) => entitlement(id)),
  accessProfile('ap', ['e-4']),
  role('r', { accessProfiles: ['ap'] }),
  identityProfile('ip'),
  identity('i-admin', { capabilities: ['ORG_ADMIN'] }),
  policy(),
  holder('e-1', 'e-2'),
];

type Exceptions = Store['exceptions'];

/** Of the current test. */
let tenant = '';
beforeEach(() => {
  tenant = randomUUID();
});
const asAdmin = () => ({ ...actIn(tenant), actor: { clientId: 'c-1', identityId: 'i-admin' } });

const ask = (exceptions: Exceptions, id = 'x', requested = PAIR) =>
  exceptions.create(asAdmin(), requested, (view) =>
    requestException(requested, view, { id, identityId: 'i-asker', now: NOW }),
  );
const approve = (exceptions: Exceptions, id = 'x') =>
  exceptions.change(asAdmin(), id, {
    decide: (view) => approveException(view.exception, view, { identityId: 'i-admin', now: NOW, comment: null }),
  });
const stateOf = async (exceptions: Exceptions, id = 'x') => {
  const found = await exceptions.find(tenant, id, LATER);
  return found && exceptionStateAt(found.exception, LATER);
};

/** A second store, each write of which waits until `between` has run, which is after its preparation. */
async function openRace({ store, database }: Shared, between: (store: Store) => Promise<unknown>) {
  const state = { writes: 0 };
  const after = async <T>(write: () => Promise<T>) => {
    state.writes += 1;
    await between(store);
    return write();
  };
  const race = (held: ReadsAndWrites): ReadsAndWrites => ({
    ...held,
    write: (scope, work) => after(() => held.write(scope, work)),
    writeAlone: (scope, work) => after(() => held.writeAlone(scope, work)),
  });
  const raced: Database = {
    ...database,
    ...race(database),
    hold: (work) => database.hold((held) => work(race(held))),
  };
  const accessModel = createAccessModelStore(raced);
  const importRaced = (records: readonly AccessModelRecord[]) => {
    const lines = asLines(records);
    return accessModel.import({ auditContext: actIn(tenant, LATER), records: lines }, (base) =>
      planImport({ records: lines, base, caller: APPLICATION, now: LATER }),
    );
  };
  await importAll(store, tenant, WORLD);
  return { store, exceptions: createExceptionStore(raced), importRaced, state };
}

/** Runs a change once, before the write with this number. */
function atWrite(number: number, work: (store: Store) => Promise<unknown>) {
  let writes = 0;
  return async (store: Store) => {
    writes += 1;
    if (writes === number) await work(store);
  };
}

/** Runs a change once. */
const once = (work: (store: Store) => Promise<unknown>) => atWrite(1, work);

const importing = (...records: readonly AccessModelRecord[]) =>
  once((store) => importAll(store, tenant, records, LATER));

/** With every preparation too long to be repeated in a transaction, at least at the first two attempts. */
function slowPreparations(stepMs = 30): void {
  let nowMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += stepMs;
    return nowMs;
  });
}

describe('exceptions', () => {
  let shared: Shared;
  beforeAll(async () => {
    shared = await openShared(inject('engine'));
  });
  afterAll(() => shared.close());

  describe.each([
    ['short', () => undefined],
    ['long', slowPreparations],
  ])('with %s preparations', (_, prepare) => {
    test.each([
      ['an item that joins', importing(holder('e-1', 'e-2', 'e-3')), ['e-1', 'e-2', 'e-3']],
      ['an item that joins by a bundle', importing(accessProfile('ap', ['e-3'])), ['e-1', 'e-2', 'e-3']],
      ['the end of the conflict', importing(holder('e-1')), null],
      ['an identity that is gone', importing(deletion('identity', 'i-1')), null],
      ['a policy that is not enforced any more', importing(policy({ state: 'NOT_ENFORCED' })), null],
      ['another name of the policy', importing(policy({ name: 'Other' })), ['e-1', 'e-2']],
      ['another identity', importing(identity('i-2', { access: holds('ENTITLEMENT', 'e-1') })), ['e-1', 'e-2']],
    ])('an approval is bound to %s before its transaction', async (__, change, items) => {
      const isArmed = { value: false };
      const { store, exceptions } = await openRace(shared, async (other) => isArmed.value && change(other));
      await ask(store.exceptions);
      isArmed.value = true;
      prepare();
      const approved = await approve(exceptions);
      vi.restoreAllMocks();
      expect(approved.ok ? approved.value.exception.approvedConflict?.items : null).toEqual(items);
      const state = await stateOf(store.exceptions);
      // What is approved is what is there: a change that does not count leaves it.
      await importAll(store, tenant, [accessProfile('other', ['e-4'])], LATER);
      expect(await stateOf(store.exceptions)).toBe(state);
    });

    test.each([
      ['an item that joins', importing(holder('e-1', 'e-2', 'e-3')), ['e-1', 'e-3'], 'e-1'],
      ['another name of an item', importing(entitlement('e-1', 'Renamed')), ['e-1'], 'Renamed'],
      ['the end of the conflict', importing(holder('e-1')), null, undefined],
    ] as const)('a request has the terms of its transaction, with %s before it', async (__, change, items, name) => {
      const { store, exceptions } = await openRace(shared, change);
      prepare();
      const made = await ask(exceptions);
      vi.restoreAllMocks();
      const terms = made.ok ? made.value.presentTerms : null;
      const criteria = terms?.conflictingAccessCriteria;
      const left = criteria !== undefined && 'leftCriteria' in criteria ? criteria.leftCriteria.criteriaList : null;
      expect(left?.map(({ id }) => id) ?? null).toEqual(items);
      expect(left?.[0]?.name).toBe(name);
      const found = await store.exceptions.find(tenant, 'x', LATER);
      expect(found).toEqual(made.ok ? made.value : null);
      expect(found?.exception.requestedDigest).toBe(terms?.digest ?? null);
    });

    test.each([
      ['another level of the policy', importing(policy({ level: 'LOW' })), 'LOW', 'e-1'],
      ['another name of an item', importing(entitlement('e-1', 'Renamed')), 'HIGH', 'Renamed'],
    ] as const)('an approver sees the terms of its transaction, with %s before it', async (__, change, level, name) => {
      const isArmed = { value: false };
      const { store, exceptions } = await openRace(shared, async (other) => isArmed.value && change(other));
      await ask(store.exceptions);
      isArmed.value = true;
      prepare();
      const seen: SeenException[] = [];
      const approved = await exceptions.change(asAdmin(), 'x', {
        precondition: (each) => {
          seen.push(each);
          return { ok: true, value: null };
        },
        decide: (view) => approveException(view.exception, view, { identityId: 'i-admin', now: NOW, comment: null }),
      });
      vi.restoreAllMocks();
      expect(seen.at(-1)?.presentTerms).toMatchObject({
        level,
        conflictingAccessCriteria: { leftCriteria: { criteriaList: [{ name }] } },
      });
      expect(approved.ok && approved.value.exception.approvedConflict?.terms).toEqual(seen.at(-1)?.presentTerms);
    });

    test.each([
      ['access with another item', [holder('e-1', 'e-2', 'e-3')]],
      ['access without the conflict', [holder('e-1')]],
      ['a bundle with another item', [accessProfile('ap', ['e-3'])]],
      ['a role with another item', [role('r', { entitlements: ['e-3'] })]],
      ['another level of the policy', [policy({ level: 'LOW' })]],
      ['the deletion of the policy', [deletion('sodPolicy', 'p')]],
      ['the deletion of the identity', [deletion('identity', 'i-1')]],
    ])('an import of %s ends an exception that is approved before its transaction', async (__, records) => {
      const approving = once(({ exceptions }) => approve(exceptions));
      const { store, importRaced } = await openRace(shared, approving);
      await ask(store.exceptions);
      prepare();
      expect(await importRaced(records)).toMatchObject({ ok: true });
      vi.restoreAllMocks();
      expect(await stateOf(store.exceptions)).toBe('VOID');
      const version = await store.sod.readVersion(tenant, 'i-1');
      expect(version.exceptions).toBeNull();
    });

    test('an import keeps an exception that other imports leave as it was approved', async () => {
      // The first write finds that there are exceptions.
      const others = atWrite(2, (store) =>
        importAll(
          store,
          tenant,
          [accessProfile('ap', ['e-1']), identity('i-2', { access: holds('ROLE', 'r') })],
          LATER,
        ),
      );
      const { store, importRaced } = await openRace(shared, others);
      await ask(store.exceptions);
      await approve(store.exceptions);
      prepare();
      expect(await importRaced([holder('e-2'), role('r', { accessProfiles: ['ap'] })])).toMatchObject({ ok: true });
      vi.restoreAllMocks();
      expect(await stateOf(store.exceptions)).toBe('APPROVED');
    });

    test('the deletion of an identity ends an exception that is requested before its transaction', async () => {
      const { store, importRaced } = await openRace(
        shared,
        once(({ exceptions }) => ask(exceptions)),
      );
      prepare();
      await importRaced([deletion('identity', 'i-1')]);
      vi.restoreAllMocks();
      expect(await stateOf(store.exceptions)).toBe('VOID');
    });

    test('a link that ties the approver counts when it is used before the transaction', async () => {
      const link = { hash: `link of ${tenant}`, expiresMs: Date.parse(NOW) + 1 };
      const tying = once(({ signInLinks }) => signInLinks.consume(tenant, link.hash, Date.parse(NOW)));
      const { store, exceptions } = await openRace(shared, tying);
      await importAll(store, tenant, [identity('i-asker')]);
      await store.signInLinks.create(asAdmin(), { identityId: 'i-asker', link }, () => ({ ok: true, value: null }));
      await ask(store.exceptions);
      prepare();
      expect(await approve(exceptions)).toMatchObject({ ok: false, failure: { type: 'Forbidden' } });
    });

    test('a client that ties the approver counts when it is made before the transaction', async () => {
      const tying = once(async ({ clients }) => {
        const client = { tenant, id: `c-${tenant}`, name: 'n', scopes: [], identityId: 'i-asker', created: NOW };
        expect(await clients.create(asAdmin(), { ...client, secretHash: 's' })).toBe('created');
      });
      const { store, exceptions } = await openRace(shared, tying);
      await importAll(store, tenant, [identity('i-asker')]);
      await ask(store.exceptions);
      prepare();
      expect(await approve(exceptions)).toMatchObject({ ok: false, failure: { type: 'Forbidden' } });
    });
  });

  test('the approvals of a tenant are prepared one at a time', async () => {
    let prepared = 0;
    let most = 0;
    const { store, exceptions } = await openRace(shared, async () => {
      prepared += 1;
      most = Math.max(most, prepared);
      await setImmediate();
      prepared -= 1;
    });
    await ask(store.exceptions);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => approve(exceptions)));
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(most).toBe(1);
  });

  /** With a bundle that another process changes before each write. */
  const openContended = () => {
    let turn = 0;
    return openRace(shared, async (other) => {
      turn += 1;
      await importAll(other, tenant, [accessProfile('ap', turn % 2 === 0 ? ['e-4'] : [])], LATER);
    });
  };

  test('a write whose preparation is outdated twice is prepared in its transaction', async () => {
    const { store, exceptions, importRaced, state } = await openContended();
    await ask(store.exceptions);
    slowPreparations();
    expect(await approve(exceptions)).toMatchObject({ ok: true });
    expect(state.writes).toBe(3);
    vi.restoreAllMocks();
    await importAll(store, tenant, [policy({ level: 'LOW' })], LATER);
    await ask(store.exceptions, 'y');
    await approve(store.exceptions, 'y');
    slowPreparations();
    // The first write of an import is without a preparation.
    expect(await importRaced([holder('e-1')])).toMatchObject({ ok: true });
    expect(state.writes).toBe(7);
    vi.restoreAllMocks();
    expect(await stateOf(store.exceptions, 'y')).toBe('VOID');
  });

  test('a write gives up after eight long preparations that are outdated, and changes nothing', async () => {
    const { store, exceptions, importRaced, state } = await openContended();
    await ask(store.exceptions);
    slowPreparations(2_000);
    await expect(approve(exceptions)).rejects.toThrow('changes too often');
    expect(state.writes).toBe(8);
    vi.restoreAllMocks();
    expect(await stateOf(store.exceptions)).toBe('REQUESTED');
    await approve(store.exceptions);
    slowPreparations(2_000);
    await expect(importRaced([holder('e-1')])).rejects.toThrow('changes too often');
    vi.restoreAllMocks();
    expect(await store.exceptions.find(tenant, 'x', LATER)).not.toBeNull();
    expect((await store.sod.readVersion(tenant, 'i-1')).revision).not.toBeNull();
  });

  test('a closing store waits for an import and an approval that are being prepared', async () => {
    await importAll(shared.store, tenant, [...WORLD, identity('i-2', { access: holds('ENTITLEMENT', 'e-1', 'e-2') })]);
    await ask(shared.store.exceptions);
    await approve(shared.store.exceptions);
    await ask(shared.store.exceptions, 'y', { ...PAIR, identityId: 'i-2' });
    const store = await openStore(shared.url);
    const works = [importAll(store, tenant, [holder('e-1')], LATER), approve(store.exceptions, 'y')];
    await store.close();
    expect(await Promise.all(works)).toMatchObject([{ policySetVersion: 1 }, { ok: true }]);
    expect(await stateOf(shared.store.exceptions)).toBe('VOID');
    expect(await stateOf(shared.store.exceptions, 'y')).toBe('APPROVED');
  });
});
