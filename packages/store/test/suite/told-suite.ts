import {
  type AccessModelRecord,
  type AuthUser,
  approveException,
  type Capability,
  completeShown,
  concludeWithError,
  EVENT_CONTEXTS_MAX,
  EVENT_TYPE_NAMES,
  ok,
  requestException,
  revokeException,
  type SodPolicy,
  showSodException,
} from '@access-admin/domain';
import { runs } from '@access-admin/test-depth';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Store, type StoredEvent, showUsedClient } from '../../src/index.ts';
import {
  actIn,
  deletion,
  entitlement,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  people,
  sodPolicy,
} from '../model-records.ts';
import { newCheck } from '../new-check.ts';
import { newScan } from '../new-report.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';
import { voidExceptions } from '../void-exceptions.ts';

const PAGE = { limit: 250, offset: 0 };
const IDS = ['1', '2'];
const LATER = '2026-03-01T13:00:00.000Z';
const ORDERED = ['HELPDESK', 'POLICY_ADMIN'] as const;
const BASE = [
  ...['e-1', 'e-2', 'e-3'].map((id) => entitlement(id)),
  identityProfile('ip'),
  identity('i-admin', { capabilities: ['ORG_ADMIN'], access: [] }),
];

/** What a tenant has, as answers show it, by event types and ids. */
type Shown = Readonly<
  Record<'policy' | 'profile' | 'capabilities' | 'exception' | 'client' | 'check' | 'metadata', object>
>;
type Resource = keyof Shown;

const byId = <T extends { readonly id: string }>(all: readonly T[]) =>
  Object.fromEntries(all.map((one) => [one.id, one]));

async function readShown(store: Store, now: string): Promise<Shown> {
  const exceptions = await store.exceptions.list('acme', { conditions: [], now }, PAGE);
  const profiles = await store.authProfiles.list('acme', PAGE);
  const users = await Promise.all(['i-1', 'i-2', 'i-admin'].map((id) => store.authUsers.find('acme', id)));
  const checks = await Promise.all(Array.from({ length: 30 }, (_, at) => store.checks.find('acme', `r-${at}`)));
  const capabilities = users.flatMap((user) => (user === null || user.capabilities.length === 0 ? [] : [user]));
  const done = checks.flatMap((check) => (check === null || check.state === 'PENDING' ? [] : [check]));
  return {
    policy: byId(await store.policies.list('acme', { conditions: [], sorters: [] }, PAGE)),
    profile: byId(
      await Promise.all(profiles.map(async ({ id }) => ({ id, ...(await store.authProfiles.find('acme', id)) }))),
    ),
    capabilities: Object.fromEntries(capabilities.map((user) => [user.id, user.capabilities])),
    exception: byId(exceptions.map(({ exception }) => showSodException(exception, now))),
    client: byId((await store.clients.list('acme', PAGE)).map(showUsedClient)),
    check: Object.fromEntries(
      done.map(({ requestId, created, state, completed, result }) => {
        const shown = { requestId, created, state, completed, violationCheckResult: JSON.parse(result ?? 'null') };
        return [requestId, shown];
      }),
    ),
    metadata: { tenant: await store.uiMetadata.read('acme') },
  };
}

/** Brings a tenant's resources to the state after an event. */
function replay(shown: Shown, { type, resourceId, data: text }: StoredEvent): Shown {
  const id = resourceId ?? '';
  const data = JSON.parse(text);
  const put = (resource: Resource, value: unknown): Shown => {
    const { [id]: before, ...others }: Record<string, unknown> = { ...shown[resource] };
    // Nothing is told that changes nothing.
    expect(value).not.toEqual(before);
    return { ...shown, [resource]: value === undefined ? others : { ...others, [id]: value } };
  };
  if (type === 'auth-user.capabilities-changed') {
    const had: Record<string, unknown> = { ...shown.capabilities };
    expect(data.before).toEqual(had[id] ?? []);
    return put('capabilities', data.after.length === 0 ? undefined : data.after);
  }
  if (type === 'access-model.imported') return shown;
  const resource = RESOURCES[type.slice(0, type.lastIndexOf('.'))];
  if (resource === undefined) throw new Error(`An unexpected event: ${type}`);
  const isCreation = type.endsWith('.created') || type.endsWith('.requested') || type.endsWith('.completed');
  if (isCreation) expect(Object.keys(shown[resource])).not.toContain(id);
  // The terms of a request are those of its moment, and are not stored.
  const told = type === 'sod.exception.requested' ? { ...data, terms: null } : data;
  return put(resource, type.endsWith('.deleted') ? undefined : told);
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  'sod.policy': 'policy',
  'sod.exception': 'exception',
  'sod.check': 'check',
  'auth-profile': 'profile',
  'ui-metadata': 'metadata',
  'oauth-client': 'client',
};

/** A world in motion: each step has a time of its own, and ids that were not used before. */
interface Moving {
  readonly store: Store;
  readonly now: string;
  readonly step: number;
}

const pick = <T>(...of: readonly T[]) => fc.constantFrom(...of);
const anyId = (prefix: string) => pick(...IDS).map((id) => `${prefix}-${id}`);
const capabilities = fc.subarray(['HELPDESK', 'POLICY_ADMIN'] as const);
const items = fc.shuffledSubarray(['e-1', 'e-2', 'e-3'], { minLength: 2, maxLength: 3 });

const anyRecord: fc.Arbitrary<AccessModelRecord> = fc.oneof(
  fc
    .record({
      id: anyId('p'),
      ids: items,
      name: pick('a', 'b'),
      state: pick('ENFORCED' as const, 'NOT_ENFORCED' as const),
      owner: fc.option(anyId('i'), { nil: null }),
    })
    .map(({ id, ids: [left = '', ...right], name, state, owner }) => {
      const ownerRef = owner === null ? null : { type: 'IDENTITY' as const, id: owner, name: null };
      return sodPolicy(id, { left: [left], right }, { name, state, ownerRef });
    }),
  fc
    .tuple(anyId('i'), fc.option(capabilities, { nil: undefined }), fc.subarray(['e-1', 'e-2', 'e-3']))
    .map(([id, held, access]) =>
      identity(id, { access: holds('ENTITLEMENT', ...access), ...(held === undefined ? {} : { capabilities: held }) }),
    ),
  fc
    .tuple(pick('ip', 'ip-2'), pick('x', 'y'), fc.boolean())
    .map(([id, name, offNetwork]) => identityProfile(id, { name, authProfile: { offNetwork } })),
  pick('l', 'm').map((usernameLabel): AccessModelRecord => ({ kind: 'uiMetadata', id: 'tenant', usernameLabel })),
  anyId('p').map((id) => deletion('sodPolicy', id)),
  anyId('i').map((id) => deletion('identity', id)),
);

const policyIn = ({ now }: Moving, id: string, name: string): SodPolicy => {
  const { kind: _, ...fields } = sodPolicy(id, { left: ['e-1'], right: ['e-2'] }, { name });
  return { ...(fields as unknown as SodPolicy), creatorId: 'c', modifierId: 'c', created: now, modified: now };
};

const actOf = ({ now }: Moving) => ({ ...actIn('acme', now), actor: { clientId: 'c', identityId: 'i-admin' } });

async function approve(moving: Moving, move: 'approve' | 'revoke'): Promise<void> {
  const { store, now } = moving;
  const all = await store.exceptions.list('acme', { conditions: [], now }, PAGE);
  const id = all.at(-1)?.exception.id ?? 'none';
  await store.exceptions.change(actOf(moving), id, {
    decide: ({ exception, ...view }) =>
      move === 'approve'
        ? approveException(exception, view, { identityId: 'i-admin', now, comment: null })
        : revokeException(exception, view, { identityId: 'i-admin', now, comment: 'Ended.' }),
  });
}

const OPERATIONS: Readonly<Record<string, fc.Arbitrary<(moving: Moving) => Promise<unknown>>>> = {
  import: fc.array(anyRecord, { maxLength: 6 }).map(
    (records) =>
      async ({ store, now }) =>
        importAll(store, 'acme', records, now).catch(() => null),
  ),
  createPolicy: fc.tuple(anyId('p'), pick('a', 'b')).map(
    ([id, name]) =>
      (moving) =>
        moving.store.policies.create(actOf(moving), policyIn(moving, id, name)),
  ),
  changePolicy: fc.tuple(anyId('p'), pick('a', 'b')).map(
    ([id, name]) =>
      (moving) =>
        moving.store.policies.change(actOf(moving), id, {
          decide: (shown) => ok({ ...completeShown(shown), name, modified: moving.now }),
        }),
  ),
  deletePolicy: anyId('p').map((id) => (moving) => moving.store.policies.delete(actOf(moving), id, ok)),
  setCapabilities: fc.tuple(anyId('i'), capabilities).map(
    ([id, held]) =>
      (moving) =>
        moving.store.authUsers.change(actOf(moving), id, { decide: ({ user }) => ok({ ...user, capabilities: held }) }),
  ),
  setProfile: fc
    .boolean()
    .map(
      (offNetwork) => (moving) =>
        moving.store.authProfiles.change(actOf(moving), 'ip', { decide: (profile) => ok({ ...profile, offNetwork }) }),
    ),
  setMetadata: pick('l', 'm', null).map(
    (usernameLabel) => (moving) =>
      moving.store.uiMetadata.change(actOf(moving), { decide: (metadata) => ok({ ...metadata, usernameLabel }) }),
  ),
  requestException: fc.tuple(anyId('p'), anyId('i')).map(([policyId, identityId]) => (moving) => {
    const { store, now, step } = moving;
    const end = new Date(Date.parse(now) + 5_000).toISOString();
    const requested = { policyId, identityId, start: now, end, justification: 'why' };
    return store.exceptions.create(actOf(moving), requested, (view) =>
      requestException(requested, view, { id: `x-${step}`, identityId: 'i-asker', now }),
    );
  }),
  approveException: fc.constant((moving) => approve(moving, 'approve')),
  revokeException: fc.constant((moving) => approve(moving, 'revoke')),
  client: pick('create', 'delete').map((what) => async (moving) => {
    const { store, now, step } = moving;
    const client = { tenant: 'acme', name: 'n', scopes: ['events:read'], identityId: null, created: now };
    if (what === 'create')
      return store.clients.create(actOf(moving), { ...client, id: `c-${step}`, secretHash: 'a secret hash' });
    const [first] = await store.clients.list('acme', PAGE);
    return store.clients.delete(actOf(moving), first?.id ?? 'none');
  }),
  check: fc.boolean().map((again) => async ({ store, now, step }) => {
    await store.checks.enqueue(newCheck(`r-${step}`, { created: now }), 100);
    const claims = await store.checks.claim({ nowMs: step * 10_000, leaseMs: 1, limit: 2 });
    const { result } = concludeWithError({ clientMetadata: { k: 'v' } }, 'no data');
    const completions = claims.map((claim) => ({ ...claim, state: 'ERROR' as const, completed: now, result }));
    await store.checks.complete(again ? [...completions, ...completions] : []);
  }),
};

const anyOperations = fc.array(fc.oneof(...Object.values(OPERATIONS)), { minLength: 5, maxLength: 30 });

async function readAll({ events }: Store): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let after = 0; ; ) {
    const page = await events.read('acme', { after, types: EVENT_TYPE_NAMES, limit: 1_000 });
    all.push(...page.events);
    after = page.through;
    if (after === page.range.last) return all;
  }
}

const EMPTY: Shown = {
  policy: {},
  profile: {},
  capabilities: {},
  exception: {},
  client: {},
  check: {},
  metadata: { tenant: { iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null } },
};

export function describeTold(engine: StoreEngine): void {
  describe('what happens is told', () => {
    test('once for each change: replayed after each of random operations, events lead to what is stored', async () => {
      await fc.assert(
        fc.asyncProperty(anyOperations, async (operations) => {
          await using opened = await openDatabase(engine);
          const { store } = opened;
          let replayed = EMPTY;
          let seen = 0;
          for (const [step, operate] of [importBase, ...operations].entries()) {
            const now = new Date(Date.UTC(2026, 2, 1, 12, 0, step)).toISOString();
            await operate({ store, now, step });
            await voidExceptions(store, 'acme', now);
            const events = (await readAll(store)).slice(seen);
            seen += events.length;
            expect(events.map(({ time }) => time)).toEqual(events.map(() => now));
            replayed = events.reduce(replay, replayed);
            expect(replayed).toEqual(await readShown(store, now).then((shown) => withoutExpired(shown, replayed)));
          }
        }),
        runs(20),
      );
    });

    test.each([
      ['few', 2],
      ['many', 150],
      ['very many', 3_000],
    ])('a check with %s violations is told with the result that its event is to show', async (_, count) => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const shown = Math.min(count, EVENT_CONTEXTS_MAX);
      const outcome = await completeCheck(store, violations(count, 'plain'), shown);
      const violationCheckResult = {
        ...outcome,
        violationContexts: outcome.violationContexts.slice(0, shown),
        omitted: count - shown,
      };
      const [event] = await readAll(store);
      const check = { requestId: 'r-1', created: NOW, state: 'SUCCESS', completed: NOW };
      expect(event).toMatchObject({ type: 'sod.check.completed', resourceId: 'r-1', time: NOW });
      expect(JSON.parse(event?.data ?? '')).toEqual({ ...check, violationCheckResult });
    });

    test('a check that is too large for an event is a reference', async () => {
      await using database = await openDatabase(engine);
      await completeCheck(database.store, violations(EVENT_CONTEXTS_MAX, 'x'.repeat(3_000)));
      const [event] = await readAll(database.store);
      expect(event?.data).toBe('{"type":"SOD_CHECK","id":"r-1"}');
    });

    test('a check that is no longer in the database is a reference, and the events after it are read', async () => {
      await using database = await openDatabase(engine);
      await completeCheck(database.store, violations(1, 'plain'));
      await database.execute("delete from sod_check where tenant = 'acme'");
      await importAll(database.store, 'acme', people({ 'i-1': [] }));
      const events = await readAll(database.store);
      expect(events[0]?.data).toBe('{"type":"SOD_CHECK","id":"r-1"}');
      expect(events.map(({ type }) => type)).toContain('access-model.imported');
    });

    test('checks of several tenants that are completed together are told once each, to their tenant', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      for (const tenant of ['b', 'a'])
        for (const id of ['r-1', 'r-2', 'r-3']) await store.checks.enqueue(newCheck(id, { tenant }), 100);
      const claims = await store.checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 10 });
      const { result } = concludeWithError({ clientMetadata: null }, 'why');
      const completions = claims.map((claim) => ({ ...claim, state: 'ERROR' as const, completed: NOW, result }));
      expect(await store.checks.complete(completions)).toBe(6);
      expect(await store.checks.complete(completions)).toBe(0);
      for (const tenant of ['a', 'b']) {
        const { events } = await store.events.read(tenant, { types: EVENT_TYPE_NAMES, limit: 10 });
        expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
        const told = events.map(({ resourceId }) => resourceId?.slice(-3)).toSorted();
        expect(told).toEqual(['r-1', 'r-2', 'r-3']);
      }
    });

    test('a report that is done is told as it is shown, and as a reference when it is large', async () => {
      await using database = await openDatabase(engine);
      const { reports } = database.store;
      const policies = Array.from({ length: 5_000 }, (_, number) => ({
        number,
        policyId: `p-${number}`,
        name: 'Policy',
        level: 'HIGH' as const,
        before: null,
        after: null,
        new: 0,
        same: 1,
        gone: 0,
        excepted: { new: 0, same: 0, gone: 0 },
      }));
      const totals = { identities: 7, new: 0, same: 2, gone: 0, excepted: 0 };
      for (const [reportId, count] of [
        ['few', 2],
        ['many', 5_000],
      ] as const) {
        await reports.enqueue(newScan(reportId), 10);
        const claim = await reports.claim({ nowMs: 0, leaseMs: 1_000 });
        if (claim === null) throw new Error('there is nothing to claim');
        await reports.savePolicies(claim, policies.slice(0, count), 1);
        await reports.complete(claim, { state: 'SUCCESS', completed: NOW, totals, message: null }, 10);
        expect(await reports.complete(claim, { state: 'ERROR', completed: NOW, totals: null, message: '' }, 10)).toBe(
          false,
        );
      }
      const [few, many] = await readAll(database.store);
      const told = policies
        .slice(0, 2)
        .map(({ number: _, before: __, after: ___, ...policy }) => ({ ...policy, excepted: 0 }));
      const shown = { reportId: 'few', kind: 'SCAN', state: 'SUCCESS', progress: 1, created: NOW, completed: NOW };
      expect(JSON.parse(few?.data ?? '')).toEqual({
        ...shown,
        requestedBy: { clientId: 'c', identityId: null, displayName: null },
        question: {},
        policySetVersion: null,
        asOf: null,
        summary: { ...totals, byPolicy: told },
      });
      expect(many?.data).toBe('{"type":"SOD_REPORT","id":"many"}');
    });

    test('capabilities in another order are stored, and tell nothing', async () => {
      await using opened = await openDatabase(engine);
      const { store } = opened;
      const helper = (...capabilities: readonly Capability[]) => identity('i-1', { capabilities, access: [] });
      await importAll(store, 'acme', [...BASE, helper('HELPDESK', 'POLICY_ADMIN')]);
      const told = async () =>
        (await readAll(store)).filter(({ type }) => type === 'auth-user.capabilities-changed').length;
      expect(await told()).toBe(2);
      await importAll(store, 'acme', [helper('POLICY_ADMIN', 'HELPDESK')]);
      expect((await store.authUsers.find('acme', 'i-1'))?.capabilities).toEqual(['POLICY_ADMIN', 'HELPDESK']);
      const reorder = { decide: ({ user }: { readonly user: AuthUser }) => ok({ ...user, capabilities: ORDERED }) };
      await store.authUsers.change(actIn('acme'), 'i-1', reorder);
      expect((await store.authUsers.find('acme', 'i-1'))?.capabilities).toEqual(ORDERED);
      expect(await told()).toBe(2);
      await importAll(store, 'acme', [helper('HELPDESK')]);
      expect(await told()).toBe(3);
    });

    test('policies that lose their owner with its deletion are told without it, and no others', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const ownerRef = { type: 'IDENTITY' as const, id: 'i-1', name: null };
      const owned = (id: string) => sodPolicy(id, { left: ['e-1'], right: ['e-2'] }, { ownerRef });
      const many = Array.from({ length: 120 }, (_, at) => owned(`p-${100 + at}`));
      const other = sodPolicy('p-other', { left: ['e-1'], right: ['e-3'] });
      await importAll(
        store,
        'acme',
        [...BASE, identity('i-1', { access: [] }), ...many, owned('p-deleted'), other],
        NOW,
      );
      const before = (await readAll(store)).length;
      await importAll(store, 'acme', [deletion('identity', 'i-1'), deletion('sodPolicy', 'p-deleted')], LATER);
      const [imported, deleted, ...updated] = (await readAll(store)).slice(before);
      expect([imported?.type, deleted?.type]).toEqual(['access-model.imported', 'sod.policy.deleted']);
      expect(updated.map(({ type, data }) => [type, JSON.parse(data)])).toEqual(
        await Promise.all(many.map(async ({ id }) => ['sod.policy.updated', await store.policies.find('acme', id)])),
      );
      const shown = { created: NOW, modified: LATER };
      for (const { data } of updated) expect(JSON.parse(data)).not.toHaveProperty('ownerRef');
      expect(updated.map(({ data }) => JSON.parse(data))).toMatchObject(many.map(() => shown));
    });

    test('a client is told without its secret, in its own tenant, and the first client is not told', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const client = { name: 'n', identityId: null, created: NOW, scopes: ['events:read'], secretHash: 'the hash' };
      await store.clients.createFirst({ ...client, tenant: 'acme', id: 'c-first' });
      await store.clients.create(actIn('acme'), { ...client, tenant: 'other', id: 'c-1' });
      expect(await readAll(store)).toEqual([]);
      const { events } = await store.events.read('other', { types: EVENT_TYPE_NAMES, limit: 10 });
      expect(events.map(({ type }) => type)).toEqual(['oauth-client.created']);
      expect(JSON.stringify(events)).not.toContain('hash');
    });
  });
}

const violations = (count: number, name: string) => {
  const item = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT', id, name: `"[{\\${name}`, existing: true }] });
  const conflictingAccessCriteria = { leftCriteria: item('e-1'), rightCriteria: item('e-2') };
  return Array.from({ length: count }, (_, at) => {
    const policy = { type: 'SOD_POLICY', id: `p-${at}`, name: 'a, "b"]' };
    return { policy, preexisting: false, conflictingAccessCriteria };
  });
};

/** Completes a check whose event shows so many of its violations. */
async function completeCheck(
  store: Store,
  violationContexts: ReturnType<typeof violations>,
  shown = violationContexts.length,
) {
  await store.checks.enqueue(newCheck('r-1', { created: NOW }), 10);
  const [claim] = await store.checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 1 });
  if (claim === undefined) throw new Error('there is nothing to claim');
  const outcome = {
    message: null,
    clientMetadata: { violationContexts: '],"violatedPolicies":[' },
    violationContexts,
    violatedPolicies: violationContexts.slice(0, 500).map(({ policy }) => policy),
    violationCount: violationContexts.length,
    omitted: 0,
    policySetVersion: 3,
    asOf: NOW,
  };
  const omitted = violationContexts.length - shown;
  const few = { ...outcome, violationContexts: violationContexts.slice(0, shown), omitted };
  const result = JSON.stringify(outcome);
  const ofEvent = omitted === 0 ? {} : { eventResult: JSON.stringify(few) };
  await store.checks.complete([{ ...claim, state: 'SUCCESS', completed: NOW, result, ...ofEvent }]);
  return outcome;
}

const importBase = ({ store, now }: Moving) => importAll(store, 'acme', BASE, now);

/** What the clock alone does is told by the worker of the register. */
function withoutExpired(shown: Shown, replayed: Shown): Shown {
  const known: Record<string, unknown> = { ...replayed.exception };
  const exceptions = Object.entries(shown.exception).map(([id, exception]) => [
    id,
    exception.state === 'EXPIRED' ? known[id] : exception,
  ]);
  return { ...shown, exception: Object.fromEntries(exceptions) };
}
