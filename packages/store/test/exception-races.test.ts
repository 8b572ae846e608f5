import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type AccessModelRecord,
  approveException,
  exceptionStateAt,
  haveTermsChanged,
  type NewSodException,
  requestException,
} from '@access-admin/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Database } from '../src/engine/database.ts';
import { createExceptionStore } from '../src/governance/exceptions/store.ts';
import { createSodReader, type Store } from '../src/index.ts';
import {
  accessProfile,
  actIn,
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

/** A second store, each write of which waits until `between` has run, which is after its reads of access. */
async function openRace({ store, database }: Shared, between: (store: Store) => Promise<unknown>) {
  const raced: Database = {
    ...database,
    write: async (scope, work) => {
      await between(store);
      return database.write(scope, work);
    },
  };
  await importAll(store, tenant, WORLD);
  return { store, exceptions: createExceptionStore(raced) };
}

/** Runs a change once. */
function once(work: (store: Store) => Promise<unknown>) {
  let isDone = false;
  return async (store: Store) => {
    if (isDone) return;
    isDone = true;
    await work(store);
  };
}

const importing = (...records: readonly AccessModelRecord[]) =>
  once((store) => importAll(store, tenant, records, LATER));

describe('exceptions', () => {
  let shared: Shared;
  beforeAll(async () => {
    shared = await openShared(inject('engine'));
  });
  afterAll(() => shared.close());

  test.each([
    ['an item that joins', importing(holder('e-1', 'e-2', 'e-3')), 'VOID'],
    ['an item that joins by a bundle', importing(accessProfile('ap', ['e-3'])), 'VOID'],
    ['the end of the conflict', importing(holder('e-1')), 'VOID'],
    ['an identity that is gone', importing(deletion('identity', 'i-1')), 'VOID'],
    ['a policy that is not enforced any more', importing(policy({ state: 'NOT_ENFORCED' })), 'VOID'],
    ['another name of the policy', importing(policy({ name: 'Other' })), 'VOID'],
    ['another name of an item', importing(entitlement('e-1', 'Renamed')), 'APPROVED'],
    ['another identity', importing(identity('i-2', { access: holds('ENTITLEMENT', 'e-1') })), 'APPROVED'],
  ])('an approval is of what was there before %s, and void at once where that counts', async (_, change, state) => {
    const { store, exceptions } = await openRace(shared, change);
    await ask(store.exceptions);
    const approved = await approve(exceptions);
    expect(approved.ok && approved.value.exception.approvedConflict?.items).toEqual(['e-1', 'e-2']);
    expect(await stateOf(store.exceptions)).toBe(state);
    const reading = await createSodReader(store.sod).read(tenant, 'i-1');
    if (reading.held !== null)
      expect(reading.exceptions?.map(({ id }) => id)).toEqual(state === 'APPROVED' ? ['x'] : undefined);
  });

  test('a request is of the terms before its transaction, so that its approver has to see those that count', async () => {
    const { store, exceptions } = await openRace(shared, importing(holder('e-1', 'e-2', 'e-3')));
    const made = await ask(exceptions);
    expect(made.ok && haveTermsChanged(made.value)).toBe(false);
    const found = await store.exceptions.find(tenant, 'x', LATER);
    expect(found !== null && haveTermsChanged(found)).toBe(true);
  });

  test('a request where an approved exception is void stores and tells that', async () => {
    const { store } = await openRace(shared, async () => {});
    await ask(store.exceptions);
    await approve(store.exceptions);
    expect(await ask(store.exceptions, 'y')).toMatchObject({ ok: false, failure: { type: 'Conflict' } });
    await importAll(store, tenant, [policy({ level: 'LOW' })], LATER);
    expect(await ask(store.exceptions, 'y')).toMatchObject({ ok: true });
    await importAll(store, tenant, [policy()], LATER);
    expect([await stateOf(store.exceptions), await stateOf(store.exceptions, 'y')]).toEqual(['VOID', 'REQUESTED']);
    const { events } = await store.events.read(tenant, { types: ['sod.exception.voided'], limit: 10 });
    expect(events.map(({ resourceId }) => resourceId)).toEqual(['x']);
  });

  test('a link that ties the approver counts when it is used before the transaction', async () => {
    const link = { hash: `link of ${tenant}`, expiresMs: Date.parse(NOW) + 1 };
    const tying = once(({ signInLinks }) => signInLinks.consume(tenant, link.hash, Date.parse(NOW)));
    const { store, exceptions } = await openRace(shared, tying);
    await importAll(store, tenant, [identity('i-asker')]);
    await store.signInLinks.create(asAdmin(), { identityId: 'i-asker', link }, () => ({ ok: true, value: null }));
    await ask(store.exceptions);
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
    expect(await approve(exceptions)).toMatchObject({ ok: false, failure: { type: 'Forbidden' } });
  });

  test('the approvals of a tenant are made one at a time', async () => {
    let running = 0;
    let most = 0;
    const { store, exceptions } = await openRace(shared, async () => {
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
    });
    await ask(store.exceptions);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => approve(exceptions)));
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(most).toBe(1);
  });
});
