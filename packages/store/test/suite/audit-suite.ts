import { createHash } from 'node:crypto';
import { type AuditEvent, type Control, fail, failure, findChainBreak, ok } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { AuditCondition, NewClient, Store } from '../../src/index.ts';
import { allOf } from '../all-of.ts';
import {
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
  people,
  role,
  sodPolicy,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const ACT = actIn('acme');
const CLIENT: NewClient = {
  tenant: 'acme',
  id: 'c-1',
  name: 'Portal',
  scopes: ['auth-users:read'],
  identityId: null,
  created: NOW,
  secretHash: 'a hash of the secret',
};
const MODEL = [
  entitlement('e-1'),
  entitlement('e-2'),
  accessProfile('ap-1', ['e-1']),
  role('r-1', { accessProfiles: ['ap-1'] }),
  identityProfile('ip'),
  identity('i-1', { access: [...holds('ACCESS_PROFILE', 'ap-1'), ...holds('ROLE', 'r-1')] }),
  identity('i-2'),
  sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }),
];
const LATER = '2026-03-01T13:00:00.000Z';
const PAGE = { limit: 250, offset: 0 };
const NO_EVENTS = { sequence: 0, hash: null, firstSequence: 1, previousHash: null };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** The events of the first page, as the service reads them. */
async function listAll(store: Store, tenant = 'acme'): Promise<readonly AuditEvent[]> {
  const { audit } = store;
  return allOf(audit.read(tenant, await audit.listSequences(tenant, [], PAGE)));
}
const setLabel = (store: Store, usernameLabel: string, tenant = 'acme') =>
  store.uiMetadata.change(actIn(tenant), { decide: (metadata) => ok({ ...metadata, usernameLabel }) });

function expectWhole(events: readonly AuditEvent[]): void {
  let head: { readonly sequence: number; readonly hash: string | null } = { sequence: 0, hash: null };
  for (const event of events) {
    expect(findChainBreak({ ...event }, head, sha256)).toBeNull();
    head = event;
  }
}

export function describeAudit(engine: StoreEngine): void {
  describe('the audit log', () => {
    test('has each kind of change, with the state before and after', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
      await store.authUsers.change(ACT, 'i-1', { decide: ({ user }) => ok({ ...user, capabilities: [] }) });
      await store.authProfiles.change(ACT, 'ip', {
        decide: (profile) => ok({ ...profile, offNetwork: true, type: 'MFA' }),
      });
      await setLabel(store, 'Badge');
      await store.clients.create(ACT, CLIENT);
      await store.clients.delete(ACT, 'c-1');
      const events = await listAll(store);
      expectWhole(events);
      const { secretHash: _, identityId: __, ...shown } = CLIENT;
      const ofClient = Object.entries(shown);
      const counts = { identityProfile: { created: 1 }, identity: { created: 1 } };
      expect(events.map(({ resource, changes }) => [resource, changes])).toMatchObject([
        [{ type: 'ACCESS_MODEL', id: null }, [{ field: 'counts', before: null, after: counts }]],
        [{ type: 'AUTH_PROFILE', id: 'ip' }, expect.any(Array)],
        [{ type: 'AUTH_USER', id: 'i-1' }, [{ field: 'capabilities', before: null, after: ['HELPDESK'] }]],
        [{ type: 'IDENTITY', id: null }, [{ field: 'i-1', before: null, after: { uid: 'i-1-uid' } }]],
        [{ type: 'AUTH_USER', id: 'i-1' }, [{ field: 'capabilities', before: ['HELPDESK'], after: [] }]],
        [
          { type: 'AUTH_PROFILE', id: 'ip' },
          [
            { field: 'type', before: 'NON_PTA', after: 'MFA' },
            { field: 'offNetwork', before: false, after: true },
          ],
        ],
        [{ type: 'UI_METADATA', id: 'tenant' }, [{ field: 'usernameLabel', before: null, after: 'Badge' }]],
        [{ type: 'OAUTH_CLIENT', id: 'c-1' }, expect.any(Array)],
        [{ type: 'OAUTH_CLIENT', id: 'c-1' }, expect.any(Array)],
      ]);
      const [made, removed] = events
        .slice(-2)
        .map(({ changes }) => new Map(changes.map((change) => [change.field, change])));
      expect([...(made?.keys() ?? [])].sort()).toEqual(ofClient.map(([field]) => field).sort());
      for (const [field, value] of ofClient) {
        expect(made?.get(field)).toEqual({ field, before: null, after: value });
        expect(removed?.get(field)).toEqual({ field, before: value, after: null });
      }
      for (const { tenant, actor, operation, time, trackingId, outcome } of events)
        expect({ tenant, actor, operation, time, trackingId, outcome }).toEqual({ ...ACT, outcome: 'ALLOWED' });
      expect(JSON.stringify(events)).not.toContain(CLIENT.secretHash);
    });

    test('begins after the events that were archived, whose members are removed with them', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const { audit, auditRetention } = store;
      expect(await auditRetention.listExpired(LATER)).toEqual([]);
      await importAll(store, 'acme', MODEL);
      await importAll(store, 'acme', [deletion('identity', 'i-1')], LATER);
      const all = await listAll(store);
      const found = { tenant: 'acme', firstSequence: 1, previousHash: null, streamed: 0 };
      expect(await auditRetention.listExpired(NOW)).toEqual([]);
      expect(await auditRetention.listExpired(LATER)).toEqual([found]);
      const last = all.findLast(({ time }) => time < LATER);
      if (last === undefined) throw new Error('no event');
      const exporting = audit.export('acme')[Symbol.asyncIterator]();
      await exporting.next();
      expect(await auditRetention.begin(found, last)).toBe(true);
      while (await auditRetention.removeArchived());
      expectWhole(all);
      const kept = all.slice(last.sequence);
      expect(await listAll(store)).toEqual(kept);
      expect(await audit.count('acme', [])).toBe(kept.length);
      expect(await allOf(audit.read('acme', await audit.listSequences('acme', [], { limit: 1, offset: 1 })))).toEqual(
        kept.slice(1, 2),
      );
      expect(await audit.head('acme')).toEqual({
        sequence: all.length,
        hash: all.at(-1)?.hash,
        firstSequence: last.sequence + 1,
        previousHash: last.hash,
      });
      expect(await audit.count('acme', [{ field: 'resourceId', operator: 'eq', values: ['i-2'] }])).toBe(0);
      await setLabel(store, 'Badge');
      expect((await listAll(store)).at(-1)).toMatchObject({ sequence: all.length + 1, previousHash: all.at(-1)?.hash });
    });

    test('has no event for a write that changes nothing, is refused or fails', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': [] }));
      await importAll(store, 'acme', people({ 'i-1': [] }));
      await importAll(store, 'acme', []);
      await store.authUsers.change(ACT, 'i-1', { decide: ({ user }) => ok(user) });
      await store.authUsers.change(ACT, 'i-1', { decide: () => fail(failure('Conflict', '', 'no')) });
      await store.authProfiles.change(ACT, 'ip', { decide: (profile) => ok({ ...profile }) });
      await store.uiMetadata.change(ACT, { decide: (metadata) => ok({ ...metadata }) });
      expect(await store.clients.delete(ACT, 'c-none')).toMatchObject({ failure: { type: 'NotFound' } });
      expect(await store.clients.create(ACT, { ...CLIENT, identityId: 'i-none' })).toBe('identityGone');
      const broken = store.uiMetadata.change(ACT, {
        decide: () => {
          throw new Error('a bug');
        },
      });
      await expect(broken).rejects.toThrow('a bug');
      const types = (await listAll(store)).map(({ resource }) => resource.type);
      expect(types).toEqual(['ACCESS_MODEL', 'AUTH_PROFILE', 'IDENTITY']);
    });

    test('begins at 1 for each tenant and has no gaps under concurrent writes', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const other = await database.openAnother();
      const writes = Array.from({ length: 40 }, (_, number) =>
        setLabel(number % 2 === 0 ? store : other, `label ${number}`, number % 3 === 0 ? 'globex' : 'acme'),
      );
      const denials = Array.from({ length: 20 }, () => other.audit.recordDenial(ACT, { type: 'AUTH_USER', id: 'i-1' }));
      await Promise.all([...writes, ...denials]);
      for (const [tenant, length] of [
        ['acme', 46],
        ['globex', 14],
      ] as const) {
        const events: AuditEvent[] = [];
        for await (const event of store.audit.export(tenant)) events.push(event);
        expect(events).toHaveLength(length);
        expectWhole(events);
        expect(await other.audit.head(tenant)).toMatchObject({ sequence: length, hash: events.at(-1)?.hash });
      }
      expect(await store.audit.head('nobody')).toEqual(NO_EVENTS);
    });

    test('tells what an import changed, record by record, and nothing about the others', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      const known = (await listAll(store)).length;
      await importAll(store, 'acme', [
        entitlement('e-1', 'renamed'),
        entitlement('e-2'),
        accessProfile('ap-1', ['e-1', 'e-2']),
        role('r-1', { entitlements: ['e-2'] }),
        identityProfile('ip', { authProfile: { offNetwork: true } }),
        identity('i-1', { email: 'i@example.com', access: [...holds('ROLE', 'r-1'), ...holds('ENTITLEMENT', 'e-2')] }),
        identity('i-2', { capabilities: ['ORG_ADMIN'] }),
        sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }, { state: 'NOT_ENFORCED' }),
        sodPolicy('p-2', { left: ['e-1'], right: ['e-2'] }),
        { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'Badge' },
      ]);
      await importAll(store, 'acme', [deletion('sodPolicy', 'p-2'), deletion('identity', 'i-1')]);
      const events = await listAll(store);
      expectWhole(events);
      expect(events.slice(known).map(({ resource, changes }) => [`${resource.type} ${resource.id}`, changes])).toEqual([
        ['ACCESS_MODEL null', [{ field: 'counts', before: null, after: expect.anything() }]],
        ['ENTITLEMENT e-1', [{ field: 'name', before: 'e-1', after: 'renamed' }]],
        ['ACCESS_PROFILE ap-1', [{ field: 'entitlements', before: ['e-1'], after: ['e-1', 'e-2'] }]],
        [
          'ROLE r-1',
          [
            { field: 'accessProfiles', before: ['ap-1'], after: [] },
            { field: 'entitlements', before: [], after: ['e-2'] },
          ],
        ],
        ['AUTH_PROFILE ip', [{ field: 'offNetwork', before: false, after: true }]],
        ['AUTH_USER i-2', [{ field: 'capabilities', before: [], after: ['ORG_ADMIN'] }]],
        [
          'IDENTITY null',
          [
            {
              field: 'i-1',
              before: { email: null },
              after: { email: 'i@example.com' },
              added: holds('ENTITLEMENT', 'e-2'),
              removed: holds('ACCESS_PROFILE', 'ap-1'),
            },
          ],
        ],
        ['SOD_POLICY p-1', [{ field: 'state', before: 'ENFORCED', after: 'NOT_ENFORCED' }]],
        ['SOD_POLICY p-2', expect.arrayContaining([{ field: 'level', before: null, after: 'HIGH' }])],
        ['UI_METADATA tenant', [{ field: 'usernameLabel', before: null, after: 'Badge' }]],
        ['ACCESS_MODEL null', [{ field: 'counts', before: null, after: expect.anything() }]],
        ['IDENTITY null', [{ field: 'i-1', before: expect.anything(), after: null, removed: expect.any(Array) }]],
        ['SOD_POLICY p-2', expect.arrayContaining([{ field: 'level', before: 'HIGH', after: null }])],
      ]);
      for (const event of events) expect(event).toMatchObject({ ...ACT, outcome: 'ALLOWED' });
    });

    test('tells which policies and controls lost an owner with its deletion', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const owner = (id: string) => ({ type: 'IDENTITY' as const, id, name: null });
      const kept = { description: null, type: 'Mitigation', expiration: '20d', justificationRequired: false } as const;
      const control = (id: string, owners: Pick<Control, 'owner' | 'secondaryOwners'>) =>
        ({ kind: 'control', id, name: id, ...kept, ...owners }) as const;
      await importAll(store, 'acme', [
        ...MODEL,
        sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }, { ownerRef: owner('i-1') }),
        control('c-1', { owner: owner('i-1'), secondaryOwners: [owner('i-2'), owner('i-1')] }),
        control('c-2', { owner: owner('i-2'), secondaryOwners: [] }),
      ]);
      await database.execute(`update sod_policy set modifier_id = 'another'`);
      const known = (await listAll(store)).length;
      await importAll(store, 'acme', [deletion('identity', 'i-1')], LATER);
      const events = await listAll(store);
      expectWhole(events);
      const told = events.slice(known).map(({ resource, changes }) => [`${resource.type} ${resource.id}`, changes]);
      expect(told.slice(2)).toEqual([
        ['SOD_POLICY p-1', [{ field: 'ownerRef', before: owner('i-1'), after: null }]],
        [
          'CONTROL c-1',
          [
            { field: 'owner', before: owner('i-1'), after: null },
            { field: 'secondaryOwners', before: [owner('i-2'), owner('i-1')], after: [owner('i-2')] },
          ],
        ],
      ]);
      const modified = await Promise.all(
        ['c-1', 'c-2'].map(async (id) => (await store.controls.find('acme', id))?.modified),
      );
      expect(modified).toEqual([LATER, NOW]);
      const { modifierId } = (await store.policies.find('acme', 'p-1')) ?? {};
      expect(modifierId).toBe(actIn('acme').actor.clientId);
    });

    test('finds what an import changed of each of thousands of identities, in events of at most 1,000', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const ids = Array.from({ length: 2_300 }, (_, at) => `i-${at}`);
      await importAll(store, 'acme', [...MODEL, ...ids.map((id) => identity(id, { access: [] }))]);
      const held = holds('ENTITLEMENT', 'e-1');
      await importAll(
        store,
        'acme',
        ids.slice(0, 1_500).map((id) => identity(id, { access: held })),
      );
      const find = (id: string, more: readonly AuditCondition[] = []) =>
        store.audit.listSequences('acme', [{ field: 'resourceId', operator: 'eq', values: [id] }, ...more], PAGE);
      const events = await listAll(store);
      expectWhole(events);
      const groups = events.filter(({ resource }) => resource.type === 'IDENTITY');
      expect(groups.map(({ changes }) => changes.length)).toEqual([1_000, 1_000, 300, 1_000, 500]);
      for (const id of ['i-0', 'i-999', 'i-1000', 'i-1499', 'i-1500', 'i-2299']) {
        const expected = groups.filter(({ changes }) => changes.some(({ field }) => field === id));
        const sequences = expected.map(({ sequence }) => sequence);
        expect(await find(id)).toEqual(sequences);
        expect(sequences).toHaveLength(Number(id.slice(2)) < 1_500 ? 2 : 1);
        expect(await store.audit.count('acme', [{ field: 'resourceId', operator: 'eq', values: [id] }])).toBe(
          sequences.length,
        );
        expect(await find(id, [{ field: 'resourceType', operator: 'eq', values: ['IDENTITY'] }])).toEqual(sequences);
        expect(await find(id, [{ field: 'resourceId', operator: 'eq', values: ['i-1'] }])).toEqual(
          sequences.filter((sequence) =>
            expected.some((event) => event.sequence === sequence && event.changes.some(({ field }) => field === 'i-1')),
          ),
        );
      }
      expect(await find('i-2300')).toEqual([]);
      expect(
        await store.audit.listSequences('globex', [{ field: 'resourceId', operator: 'eq', values: ['i-0'] }], PAGE),
      ).toEqual([]);
    });

    test('of large events is read and exported completely', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const entitlements = Array.from({ length: 4_000 }, (_, at) => entitlement(`e-${at}`.padEnd(60, 'x')));
      const ids = entitlements.map(({ id }) => id);
      const roles = Array.from({ length: 6 }, (_, at) => role(`r-${at}`, { entitlements: ids.slice(at) }));
      await importAll(store, 'acme', [...entitlements, ...roles]);
      const events = await allOf(store.audit.export('acme'));
      expect(events).toHaveLength(4_007);
      expectWhole(events);
      const sequences = events.map(({ sequence }) => sequence).slice(3_990);
      expect(await allOf(store.audit.read('acme', sequences))).toEqual(events.slice(3_990));
    });

    test('of an import that fails has no event', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const records = asLines(MODEL);
      await store.accessModel.import({ auditContext: ACT, records }, () => fail(failure('Conflict', '', 'no')));
      expect(await listAll(store)).toEqual([]);
      expect(await store.audit.head('acme')).toEqual(NO_EVENTS);
    });

    test('has the creation of a client in another tenant under both tenants, in a chain each', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await setLabel(store, 'x');
      await store.clients.create(ACT, { ...CLIENT, tenant: 'globex' });
      await store.clients.create(ACT, { ...CLIENT, id: 'c-2' });
      const logs = await listAll(store);
      const others = await listAll(store, 'globex');
      expectWhole(logs);
      expectWhole(others);
      expect([logs.length, others.length]).toEqual([3, 1]);
      expect(others[0]?.changes).toContainEqual({ field: 'tenant', before: null, after: 'globex' });
      const { sequence: _, tenant: __, previousHash: ___, hash: ____, ...told } = logs[1] ?? {};
      expect(others[0]).toMatchObject({ ...told, tenant: 'globex', sequence: 1 });
    });

    test('is listed by conditions, page by page', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await setLabel(store, 'x');
      const asIdentity = { ...ACT, actor: { clientId: 'c-2', identityId: 'i-1' }, operation: 'other' };
      await store.audit.recordDenial(
        { ...asIdentity, time: '2026-03-02T00:00:00.000Z' },
        { type: 'AUTH_USER', id: 'i-1' },
      );
      await store.audit.recordDenial({ ...ACT, time: '2026-03-03T00:00:00.000Z' }, { type: 'SOD_CHECK', id: null });
      await setLabel(store, 'x', 'globex');
      const find = async (...conditions: readonly AuditCondition[]) => {
        const sequences = await store.audit.listSequences('acme', conditions, PAGE);
        expect(await store.audit.count('acme', conditions)).toBe(sequences.length);
        return sequences;
      };
      const equal = (field: 'actor' | 'operation' | 'resourceType' | 'resourceId' | 'outcome', value: string) =>
        ({ field, operator: 'eq', values: [value] }) as const;
      expect(await find()).toEqual([1, 2, 3]);
      expect(await find({ field: 'time', operator: 'ge', values: ['2026-03-02T00:00:00.000Z'] })).toEqual([2, 3]);
      expect(await find({ field: 'time', operator: 'le', values: ['2026-03-02T00:00:00.000Z'] })).toEqual([1, 2]);
      expect(await find(equal('actor', 'i-1'))).toEqual([2]);
      expect(await find(equal('actor', 'c-2'))).toEqual([2]);
      expect(await find(equal('actor', ACT.actor.clientId))).toEqual([1, 3]);
      expect(await find(equal('operation', 'other'))).toEqual([2]);
      expect(await find(equal('resourceType', 'SOD_CHECK'))).toEqual([3]);
      expect(await find(equal('resourceId', 'i-1'))).toEqual([2]);
      expect(await find(equal('outcome', 'DENIED'))).toEqual([2, 3]);
      const { clientId } = ACT.actor;
      const since = { field: 'time', operator: 'ge', values: ['2026-03-02T00:00:00.000Z'] } as const;
      expect(await find(equal('outcome', 'DENIED'), equal('actor', 'i-1'))).toEqual([2]);
      expect(await find(equal('actor', clientId), since)).toEqual([3]);
      expect(await find(equal('actor', clientId), equal('actor', 'i-1'))).toEqual([]);
      expect(await find(equal('actor', 'c-2'), equal('actor', 'i-1'))).toEqual([2]);
      expect(await find(equal('resourceId', 'i-1'), equal('actor', 'c-2'), since)).toEqual([2]);
      expect(await find(equal('resourceId', 'i-1'), equal('outcome', 'ALLOWED'))).toEqual([]);
      expect(await find(equal('resourceId', "' or 1=1 --"))).toEqual([]);
      const second = { limit: 1, offset: 1 };
      expect(await store.audit.listSequences('acme', [], second)).toEqual([2]);
      expect(await store.audit.listSequences('acme', [], { limit: 250, offset: 3 })).toEqual([]);
      expect(await store.audit.listSequences('acme', [], { limit: 250, offset: 999_999_999 })).toEqual([]);
      expect(await store.audit.listSequences('none', [], second)).toEqual([]);
      expect(await store.audit.listSequences('acme', [equal('actor', clientId)], second)).toEqual([3]);
    });

    test('records counted denials as one event for each count, as part of the chain', async () => {
      await using database = await openDatabase(engine);
      const { audit } = database.store;
      const resource = { type: 'AUTH_USER', id: 'i-1' } as const;
      await audit.recordDenial(ACT, resource);
      await audit.recordRepeatedDenials('acme', [
        { auditContext: { ...ACT, trackingId: 'last' }, resource, count: 11_999 },
        { auditContext: ACT, resource: { type: 'SOD_CHECK', id: null }, count: 1 },
      ]);
      await audit.recordRepeatedDenials('acme', []);
      const events = await listAll(database.store);
      const told = events.map(({ resource: { type }, outcome, changes, count, trackingId }) => [
        type,
        outcome,
        changes,
        count,
        trackingId,
      ]);
      expect(told).toEqual([
        ['AUTH_USER', 'DENIED', [], undefined, ACT.trackingId],
        ['AUTH_USER', 'DENIED', [], 11_999, 'last'],
        ['SOD_CHECK', 'DENIED', [], 1, ACT.trackingId],
      ]);
      expect(events.map((event) => 'count' in event)).toEqual([false, true, true]);
      expectWhole(events);
      expect(
        findChainBreak({ ...events[1], count: 1 }, events[0] ?? { sequence: 0, hash: null }, sha256),
      ).not.toBeNull();
      expect(await allOf(audit.export('acme'))).toEqual(events);
    });

    test('lists an event once when its client and its identity both match', async () => {
      await using database = await openDatabase(engine);
      const { audit } = database.store;
      const both = { ...ACT, actor: { clientId: 'x', identityId: 'x' } };
      for (const auditContext of [both, ACT, both])
        await audit.recordDenial(auditContext, { type: 'AUDIT_EVENT', id: null });
      const conditions = [{ field: 'actor', operator: 'eq', values: ['x'] }] as const;
      expect(await audit.listSequences('acme', conditions, PAGE)).toEqual([1, 3]);
      expect(await audit.count('acme', conditions)).toBe(2);
    });

    test('is read event by event, for one tenant only', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      for (const tenant of ['acme', 'globex'])
        await Promise.all(Array.from({ length: 30 }, (_, number) => setLabel(store, `label ${number}`, tenant)));
      const sequences = Array.from({ length: 29 }, (_, number) => number + 2);
      const events = await allOf(store.audit.read('acme', [...sequences, 99]));
      expect(events.map(({ sequence, tenant }) => [sequence, tenant])).toEqual(
        sequences.map((sequence) => [sequence, 'acme']),
      );
      expect(await allOf(store.audit.read('acme', []))).toEqual([]);
    });

    test('is exported as of one instant, also when it is long', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await Promise.all(
        Array.from({ length: 1_001 }, () => store.audit.recordDenial(ACT, { type: 'AUDIT_EVENT', id: null })),
      );
      const exported = store.audit.export('acme')[Symbol.asyncIterator]();
      const first = await exported.next();
      await importAll(store, 'acme', [entitlement('e-1')]);
      const rest: AuditEvent[] = [];
      for (let next = await exported.next(); !next.done; next = await exported.next()) rest.push(next.value);
      expectWhole([first.value, ...rest]);
      expect(rest).toHaveLength(1_000);
    });
  });
}
