import {
  type ApprovalView,
  type Control,
  completeShown,
  concludeWithError,
  makeReservation,
  ok,
  SOURCE_DEFAULTS,
  type SodExceptionRecord,
  type SodPolicy,
  UNSET_POLICY_FIELDS,
} from '@access-admin/domain';
import {
  type AuditStreamClaim,
  type CheckCondition,
  type ErasureClaim,
  type ExpiredAuditLog,
  StorageUnavailable,
  type Store,
} from '../src/index.ts';
import { allOf } from './all-of.ts';
import { LOAD_CALLS } from './call-every-load-method.ts';
import { LOOK_UP_CALLS } from './call-every-look-up-method.ts';
import { REGISTER_CALLS } from './call-every-register-method.ts';
import { REPORT_CALLS } from './call-every-report-method.ts';
import { SCIM_CALLS } from './call-every-scim-method.ts';
import { SIGN_IN_CALLS } from './call-every-sign-in-method.ts';
import { SOURCE_CALLS } from './call-every-source-method.ts';
import { WEBHOOK_CALLS } from './call-every-webhook-method.ts';
import {
  accessProfile,
  actAs,
  actIn,
  deletion,
  entitlement,
  exportAll,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  role,
  sodPolicy,
} from './model-records.ts';
import { newCheck } from './new-check.ts';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOQjZqGFTEMLQkAKQ5DQfBTzsYAAAAASUVORK5CYII=';

const PAGE = { limit: 10, offset: 0 };
const MANY = 100;

const reservation = (id: string) =>
  makeReservation(
    {
      identityId: 'i-1',
      accessRefs: holds('ENTITLEMENT', 'e-1'),
      ttlHours: 1,
      reference: null,
      onConflict: 'REFUSE',
      clientMetadata: null,
    },
    { id, clientId: 'c', requesterId: null, now: NOW },
    { violationContexts: [], policySetVersion: 1, asOf: NOW },
  );

const RESERVATION_QUERY: Parameters<Store['reservations']['list']>[1] = {
  conditions: [
    { field: 'state', operator: 'in', values: ['LIVE', 'EXPIRED', 'SETTLED'] },
    { field: 'identityId', operator: 'eq', values: ['i-1'] },
    { field: 'reference', operator: 'sw', values: ['R'] },
  ],
  sorters: [
    { field: 'created', descends: true },
    { field: 'expires', descends: false },
  ],
  now: NOW,
};

const client = (tenant: string, id: string) => ({
  tenant,
  id,
  name: id,
  scopes: ['auth-users:read'],
  identityId: 'i-1',
  created: NOW,
  secretHash: 'hash',
});

/** A log whose lease has ended already. */
const AUDIT_LOG: ExpiredAuditLog = { tenant: 'acme', firstSequence: 1, previousHash: null, streamed: 0 };

const RELEASE = { availableAtMs: 0, isAttempt: false };

async function claimAuditLog({ auditStream }: Store): Promise<AuditStreamClaim> {
  const [claimed] = await auditStream.claim({ nowMs: 0, leaseMs: 0, limit: 1, tenant: 'acme' });
  if (claimed === undefined) throw new Error('The audit log of acme has nothing to be streamed.');
  return claimed;
}

async function claimErasure({ erasures }: Store): Promise<ErasureClaim> {
  const nowMs = Date.parse(NOW) + 1_000_000;
  await erasures.begin(actIn('acme'), 'i-gone', async () => true);
  const [claimed] = await erasures.claim({ nowMs, leaseMs: 0, limit: 1, tenant: 'acme' });
  if (claimed === undefined) throw new Error('There is nobody to erase.');
  return claimed;
}

const claim = (store: Store, nowMs: number) => store.checks.claim({ nowMs, leaseMs: 1_000, limit: 1 });

async function firstClaim(store: Store, nowMs: number) {
  const [claimed] = await claim(store, nowMs);
  if (claimed === undefined) throw new Error('there is nothing to claim');
  return claimed;
}

const POLICY_CONDITIONS = [
  { field: 'id', operator: 'in', values: ['p', 'p-new'] },
  { field: 'name', operator: 'sw', values: ['p'] },
  { field: 'name', operator: 'co', values: ['new'] },
] as const;

const exception = (id: string, others: number): SodExceptionRecord => ({
  id,
  policyId: 'p',
  identityId: 'i-1',
  start: NOW,
  end: '9999-01-01T00:00:00.000Z',
  justification: `${others} others`,
  requesterId: 'i-3',
  created: NOW,
  approverId: null,
  approved: null,
  revokerId: null,
  revoked: null,
  voided: null,
  approvedConflict: null,
  requestedDigest: null,
  decisions: [],
});

const EXCEPTION_QUERY = {
  conditions: [
    { field: 'policyId', operator: 'in', values: ['p'] },
    { field: 'identityId', operator: 'in', values: ['i-1'] },
    { field: 'state', operator: 'in', values: ['REQUESTED', 'VOID'] },
    { field: 'end', operator: 'ge', values: [NOW] },
  ],
  now: NOW,
} as const;

const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id }] }) as const;

const policy = (id: string): SodPolicy => ({
  id,
  name: id,
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  conflictingAccessCriteria: { leftCriteria: side('e-1'), rightCriteria: side('e-2') },
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  tags: [],
  ownerRef: null,
  ...UNSET_POLICY_FIELDS,
  creatorId: null,
  modifierId: null,
  created: NOW,
  modified: NOW,
});

const control = (id: string): Control => ({
  id,
  name: id,
  description: null,
  type: 'Mitigation',
  expiration: '20d',
  justificationRequired: false,
  owner: { type: 'IDENTITY', id: 'i-1', name: null },
  secondaryOwners: [],
  created: NOW,
  modified: NOW,
});

/** Fills one tenant, and another with the same ids; a third stays empty. */
async function importModel(store: Store): Promise<void> {
  for (const tenant of ['acme', 'other']) {
    await importAll(store, tenant, [
      entitlement('e-1'),
      entitlement('e-2'),
      accessProfile('ap', ['e-1']),
      role('r', { accessProfiles: ['ap'], entitlements: ['e-2'] }),
      identityProfile('ip'),
      { kind: 'source', id: 'hr', name: 'HR', ...SOURCE_DEFAULTS, authoritative: true },
      sodPolicy('p', { left: ['e-1'], right: ['e-2'] }),
      identity('i-1', { capabilities: ['ORG_ADMIN'], access: holds('ROLE', 'r') }),
      identity('i-2', { capabilities: [], access: [] }),
      { kind: 'uiMetadata', id: 'tenant', iFrameWhitelist: null, usernameLabel: 'Name', usernameEmptyText: null },
      { kind: 'branding', id: 'tenant', title: 'Example', logo: PNG, helpText: null },
    ]);
    await importAll(store, tenant, [sodPolicy('p', { left: ['e-2'], right: ['e-1'] })]);
    const kinds = [
      'entitlement',
      'accessProfile',
      'role',
      'identityProfile',
      'identity',
      'sodPolicy',
      'control',
    ] as const;
    await importAll(store, tenant, [deletion('identity', 'i-2'), ...kinds.map((kind) => deletion(kind, 'none'))]);
  }
}

/** A call of each method of the store that reaches all its statements, in this order. */
export const STORE_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  measureStorage: (store) => store.measureStorage(),
  ping: (store) => store.ping(),
  onCommit: async (store) => store.onCommit(() => {})(),
  'clients.hasAny': ({ clients }) => clients.hasAny(),
  'clients.createFirst': ({ clients }) => clients.createFirst(client('acme', 'c-first')),
  'accessModel.import': importModel,
  'accessModel.export': (store) => exportAll(store, 'acme'),
  ...LOOK_UP_CALLS,
  ...SOURCE_CALLS,
  'clients.create': async ({ clients }) => {
    for (const id of ['c-1', 'c-2']) await clients.create(actIn('acme'), client('acme', id));
  },
  'clients.find': ({ clients }) => clients.find('acme', 'c-1'),
  'clients.findForToken': ({ clients }) => clients.findForToken('c-1'),
  'clients.findCaller': async ({ clients }) => clients.findCaller('acme', 'c-1'),
  'clients.findCapabilities': async ({ clients }) => clients.findCapabilities('acme', 'i-1'),
  'clients.list': ({ clients }) => clients.list('acme', PAGE),
  'clients.count': ({ clients }) => clients.count('acme'),
  'clients.change': ({ clients }) =>
    clients.change(actIn('acme'), 'c-2', { decide: ({ client }) => ok({ ...client, name: 'changed' }) }),
  'clients.replaceSecret': ({ clients }) =>
    clients.replaceSecret(actIn('acme'), 'c-2', {
      hash: 'new',
      previousEndsMs: Date.parse(NOW),
      decide: () => ok(null),
    }),
  'bearerTokens.create': ({ bearerTokens }) =>
    bearerTokens.create(actIn('acme'), 'c-2', {
      token: { id: 't-1', source: 'hr', expires: '9999-01-01T00:00:00.000Z', secretHash: 'h' },
      decide: () => ok(null),
    }),
  'bearerTokens.list': ({ bearerTokens }) => bearerTokens.list('acme', 'c-2', { ...PAGE, now: new Date(NOW) }),
  'bearerTokens.count': ({ bearerTokens }) => bearerTokens.count('acme', 'c-2', new Date(NOW)),
  'bearerTokens.find': ({ bearerTokens }) => bearerTokens.find('acme', 'c-2', 'h'),
  ...SCIM_CALLS,
  'bearerTokens.delete': ({ bearerTokens }) =>
    bearerTokens.delete(actIn('acme'), 'c-2', { id: 't-1', decide: () => ok(null) }),
  'clients.createBootstrap': ({ clients }) => clients.createBootstrap(actIn('acme'), client('acme', 'c-bootstrap')),
  'clients.findBootstrapIds': ({ clients }) => clients.findBootstrapIds('acme'),
  'clients.delete': ({ clients }) => clients.delete(actIn('acme'), 'c-2'),
  'events.removeExpired': ({ events }) =>
    events.removeExpired({ before: '9998-01-01T00:00:00.000Z', now: '9999-01-01T00:00:00.000Z' }),
  'events.head': ({ events }) => events.head('acme'),
  'events.lastOf': ({ events }) => events.lastOf(['acme']),
  'events.find': ({ events }) => events.find('acme', { types: ['sod.policy.created'], limit: 1 }),
  'events.readAt': ({ events }) =>
    allOf(events.readAt('acme', [{ sequence: 1, type: 'sod.policy.created', bytes: 1 }])),
  'events.read': ({ events }) => events.read('acme', { types: ['sod.policy.created'], limit: 1 }),
  'signingKeys.createFor': ({ signingKeys }) =>
    signingKeys.createFor({ kid: 'k', issuer: 'https://a.example', privateJwk: '{}', created: NOW }),
  'signingKeys.list': ({ signingKeys }) => signingKeys.list(),
  'signingKeys.replace': ({ signingKeys }) =>
    signingKeys.replace(
      actIn('acme'),
      { kid: 'k-2', issuer: 'https://a.example', privateJwk: '{}', created: NOW },
      { kid: 'k', issuer: 'https://a.example', publicJwk: '{}', created: NOW, retired: NOW, tokensEnd: NOW },
    ),
  'signingKeys.listRetired': ({ signingKeys }) => signingKeys.listRetired(),
  'authUsers.find': ({ authUsers }) => authUsers.find('acme', 'i-1'),
  'authUsers.change': ({ authUsers }) =>
    authUsers.change(actIn('acme'), 'i-1', { decide: ({ user }) => ok({ ...user, capabilities: ['HELPDESK'] }) }),
  'authProfiles.list': ({ authProfiles }) => authProfiles.list('acme', PAGE),
  'authProfiles.count': ({ authProfiles }) => authProfiles.count('acme'),
  'authProfiles.find': ({ authProfiles }) => authProfiles.find('acme', 'ip'),
  'authProfiles.findView': ({ authProfiles }) => authProfiles.findView('acme', 'ip', 'i-1'),
  'authProfiles.change': ({ authProfiles }) =>
    authProfiles.change(actIn('acme'), 'ip', { decide: (profile) => ok({ ...profile, offNetwork: true }) }),
  'uiMetadata.read': ({ uiMetadata }) => uiMetadata.read('acme'),
  'uiMetadata.change': ({ uiMetadata }) =>
    Promise.allSettled([
      uiMetadata.change(actIn('acme'), { decide: (metadata) => ok({ ...metadata, usernameLabel: 'Badge' }) }),
      // The reads by which the rights of callers are verified.
      ...[{ clientCreated: NOW }, { sessionId: 's-1' }, { identityId: 'i-1' }].map((caller) =>
        uiMetadata.change(actAs(caller), { decide: ok }),
      ),
    ]),
  'branding.read': ({ branding }) => branding.read('acme'),
  'branding.readShown': ({ branding }) => branding.readShown('acme'),
  'branding.readLogo': ({ branding }) => branding.readLogo('acme', 'none'),
  'branding.change': ({ branding }) =>
    branding.change(actIn('acme'), { decide: (before) => ok({ ...before, title: 'Example' }) }),
  'signInSettings.read': async ({ signInSettings }) => signInSettings.read('acme'),
  'signInSettings.readLatest': ({ signInSettings }) => signInSettings.readLatest('acme'),
  'signInSettings.change': ({ signInSettings }) =>
    signInSettings.change(actIn('acme'), 'session', { decide: (session) => ok({ ...session, rememberMe: true }) }),
  'policies.create': ({ policies }) => policies.create(actIn('acme'), policy('p-new')),
  'policies.find': ({ policies }) => policies.find('acme', 'p-new'),
  'policies.list': ({ policies }) =>
    policies.list('acme', { conditions: POLICY_CONDITIONS, sorters: [{ field: 'name', descends: true }] }, PAGE),
  'policies.count': ({ policies }) => policies.count('acme', POLICY_CONDITIONS),
  'policies.change': ({ policies }) =>
    policies.change(actIn('acme'), 'p-new', { decide: (shown) => ok({ ...completeShown(shown), name: 'Renamed' }) }),
  'policies.delete': ({ policies }) => policies.delete(actIn('acme'), 'p-new', ok),
  'exceptions.create': async (store) => {
    await importAll(store, 'acme', [identity('i-1', { access: holds('ROLE', 'r') }), identity('i-3', { access: [] })]);
    const decide = ({ others }: { readonly others: readonly unknown[] }) => ok(exception('x-1', others.length));
    return store.exceptions.create(actIn('acme'), exception('x-1', 0), decide);
  },
  'exceptions.find': ({ exceptions }) => exceptions.find('acme', 'x-1', NOW),
  'exceptions.list': ({ exceptions }) => exceptions.list('acme', EXCEPTION_QUERY, PAGE),
  'exceptions.count': ({ exceptions }) => exceptions.count('acme', EXCEPTION_QUERY),
  'reservations.create': async ({ sod, reservations }) => {
    const version = await sod.readVersion('acme', 'i-1');
    await reservations.create(actIn('acme'), { reservation: reservation('r-1'), version, pending: [] });
    const pending = (await reservations.readPending('acme', { identityId: 'i-1', version, now: NOW })) ?? [];
    return reservations.create(actIn('acme'), { reservation: reservation('r-2'), version, pending });
  },
  'reservations.readPending': async ({ sod, reservations }) =>
    reservations.readPending('acme', {
      identityId: 'i-1',
      version: await sod.readVersion('acme', 'i-1'),
      now: NOW,
    }),
  'reservations.list': async ({ reservations }) => {
    await reservations.list('acme', RESERVATION_QUERY, { ...PAGE, after: null });
    return reservations.list('acme', RESERVATION_QUERY, { ...PAGE, after: [NOW, NOW, 'r-1'] });
  },
  'reservations.count': ({ reservations }) => reservations.count('acme', RESERVATION_QUERY),
  'reservations.read': ({ reservations }) => reservations.read('acme', ['r-1'], NOW),
  'reservations.end': ({ reservations }) => reservations.end(actIn('acme'), 'r-1', { state: 'SETTLED' }),
  'reservations.expireSome': async ({ reservations }) => {
    for (const time of ['9998-01-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z'])
      while (await reservations.expireSome(Date.parse(time)));
  },
  'exceptions.change': async (store) => {
    const approve = {
      decide: ({ exception: before, conflict }: ApprovalView & { readonly exception: SodExceptionRecord }) =>
        ok({ ...before, approved: NOW, approvedConflict: conflict }),
      admit: ok,
    };
    // Two makers of one identity, so that all ties are read.
    for (const identityId of ['i-7', 'i-8']) {
      const asMaker = { ...actIn('acme'), actor: { clientId: 'c', identityId } };
      await store.credentials.removeAll(asMaker, 'i-1', { decide: () => ok(null) });
    }
    await store.exceptions.change(actIn('acme'), 'x-1', approve);
    // A change of access voids it; the changes of policies and bundles before do not.
    await importAll(store, 'acme', [sodPolicy('p', { left: ['e-1'], right: ['e-2'] }), accessProfile('ap-2', ['e-1'])]);
    await importAll(store, 'acme', [identity('i-1', { access: [] })]);
  },
  'controls.create': async ({ controls }) => {
    await controls.create(actIn('acme'), control('c-1'));
    await controls.create(actIn('acme'), control('c-2'));
  },
  'controls.find': ({ controls }) => controls.find('acme', 'c-1'),
  'controls.list': ({ controls }) => controls.list('acme', [{ field: 'name', operator: 'co', values: ['c'] }], PAGE),
  'controls.count': ({ controls }) => controls.count('acme', []),
  'controls.change': ({ controls }) =>
    controls.change(actIn('acme'), 'c-1', { decide: (shown) => ok({ ...shown, name: 'Renamed' }) }),
  'controls.delete': ({ controls }) => controls.delete(actIn('acme'), 'c-2', ok),
  'sod.readVersion': async ({ sod }) => sod.readVersion('acme', 'i-1'),
  'sod.readAssignments': ({ sod }) => sod.readAssignments('acme', 'i-1'),
  'sod.readExplanation': async ({ sod }) => {
    const version = await sod.readVersion('acme', 'i-1');
    const accessRefs = holds('ACCESS_PROFILE', 'ap-1');
    const explanation = await sod.readExplanation('acme', { identityId: 'i-1', accessRefs, policyIds: ['p'], version });
    if (explanation === null) throw new Error('there is nothing to explain');
  },
  'sod.loadRulebook': ({ sod }) => sod.loadRulebook('acme'),
  'sod.readPolicyChanges': async (store) => {
    const since = await store.sod.readVersion('acme', 'i-1');
    await importAll(store, 'acme', [sodPolicy('p', { left: ['e-1'], right: ['e-2'] })]);
    return store.sod.readPolicyChanges('acme', since);
  },
  'sod.warn': async ({ sod }) => sod.warn(new StorageUnavailable('nothing to report')),
  'checks.enqueue': async ({ checks }) => {
    for (const id of ['r-1', 'r-2', 'r-3']) await checks.enqueue(newCheck(id), MANY);
  },
  'checks.find': ({ checks }) => checks.find('acme', 'r-1'),
  'checks.findRequest': ({ checks }) => checks.findRequest('acme', 'r-1'),
  'checks.readResult': ({ checks }) => checks.readResult('acme', 'r-1'),
  'checks.list': async ({ checks }) => {
    const conditions: readonly CheckCondition[] = [{ field: 'identityId', operator: 'eq', values: ['i-1'] }];
    const { next } = await checks.list('acme', conditions, { limit: 1, offset: 0, after: null });
    return checks.list('acme', [], { limit: 1, offset: 0, after: next });
  },
  'checks.count': ({ checks }) => checks.count('acme', [{ field: 'state', operator: 'eq', values: ['PENDING'] }]),
  'checks.measureBacklog': ({ checks }) => checks.measureBacklog(),
  'checks.claim': (store) => claim(store, 1),
  'checks.renew': async (store) => store.checks.renew([await firstClaim(store, 3_000)], 4_000),
  'checks.release': async (store) =>
    store.checks.release([await firstClaim(store, 5_000)], { availableAtMs: 6_000, isAttempt: false }),
  'checks.complete': async (store) => {
    const { result } = concludeWithError({ clientMetadata: null }, '');
    const { tenant, requestId, created, fence } = await firstClaim(store, 10_000);
    return store.checks.complete([{ tenant, requestId, created, fence, state: 'SUCCESS', completed: NOW, result }]);
  },
  'checks.removeExpired': ({ checks }) => checks.removeExpired('9998-01-01T00:00:00.000Z'),
  ...LOAD_CALLS,
  ...REPORT_CALLS,
  ...REGISTER_CALLS,
  ...WEBHOOK_CALLS,
  ...SIGN_IN_CALLS,
  'audit.listSequences': async ({ audit }) => {
    await audit.listSequences('acme', [], PAGE);
    const fields = ['actor', 'operation', 'resourceType', 'resourceId', 'outcome'] as const;
    const conditions = fields.map((field) => ({ field, operator: 'eq' as const, values: ['x'] }));
    for (const condition of conditions) {
      await audit.listSequences('acme', [condition], PAGE);
      await audit.listSequences('acme', [condition, { ...condition }], PAGE);
    }
    return audit.listSequences('acme', [{ field: 'time', operator: 'ge', values: [NOW] }, ...conditions], PAGE);
  },
  'audit.read': async ({ audit }) => {
    for await (const _ of audit.read('acme', [1, 2]));
  },
  'audit.count': ({ audit }) => audit.count('acme', [{ field: 'actor', operator: 'eq', values: ['c-1'] }]),
  'audit.head': ({ audit }) => audit.head('acme'),
  'audit.export': async ({ audit }) => {
    for await (const _ of audit.export('acme'));
  },
  'audit.recordDenial': ({ audit }) => audit.recordDenial(actIn('acme'), { type: 'AUTH_USER', id: 'i-1' }),
  'audit.recordRepeatedDenials': ({ audit }) =>
    audit.recordRepeatedDenials('acme', [
      { auditContext: actIn('acme'), resource: { type: 'AUTH_USER', id: 'i-1' }, count: 2 },
    ]),
  'clients.noteUse': ({ clients }) => clients.noteUse('acme', 'c-bootstrap', NOW),
  'tenants.exists': ({ tenants }) => Promise.all(['acme', 'globex', 'initech'].map(tenants.exists)),
  'tenants.isClosedToIssuers': async ({ tenants }) => tenants.isClosedToIssuers('acme', Date.parse(NOW)),
  'tenants.find': ({ tenants }) => tenants.find('acme'),
  'tenants.list': ({ tenants }) => tenants.list(PAGE),
  'tenants.count': ({ tenants }) => tenants.count(),
  'tenantRemovals.begin': async (store) => {
    await importAll(store, 'leaving', [identityProfile('ip')]);
    await store.tenantRemovals.begin(actIn('acme'), 'leaving', async () => 'signature');
  },
  'auditStream.claim': ({ auditStream }) => auditStream.claim({ nowMs: 0, leaseMs: 0, limit: 100 }),
  'auditStream.renew': async (store) => store.auditStream.renew([await claimAuditLog(store)], 0),
  'auditStream.release': async (store) => store.auditStream.release(await claimAuditLog(store), RELEASE),
  'auditStream.read': async (store) => {
    for await (const _ of store.auditStream.read(await claimAuditLog(store)));
  },
  'persons.read': async ({ persons }) => {
    const records = await persons.read('acme', 'i-1', () => {});
    if (records !== null) await allOf(records);
  },
  'erasures.begin': async (store) => {
    await store.erasures.begin(actIn('acme'), 'i-nobody', async () => false);
    return store.erasures.begin(actIn('acme'), 'i-gone', async () => true);
  },
  'erasures.claim': ({ erasures }) => erasures.claim({ nowMs: 0, leaseMs: 0, limit: 100 }),
  'erasures.renew': async (store) => store.erasures.renew([await claimErasure(store)], 0),
  'erasures.release': async (store) => store.erasures.release(await claimErasure(store), RELEASE),
  'erasures.erase': async (store) =>
    store.erasures.erase(await claimErasure(store), { nowMs: Date.parse(NOW), pause: () => {} }),
  'auditRetention.listExpired': ({ auditRetention }) => auditRetention.listExpired(NOW),
  'auditRetention.read': async ({ auditRetention }) => {
    for await (const _ of auditRetention.read(AUDIT_LOG));
  },
  'auditRetention.begin': ({ auditRetention }) => auditRetention.begin(AUDIT_LOG, { sequence: 0, hash: null }),
  'auditRetention.removeArchived': ({ auditRetention }) => auditRetention.removeArchived(),
  'auditStream.advance': async (store) => store.auditStream.advance(await claimAuditLog(store), 0),
  'tenantRemovals.claim': ({ tenantRemovals }) => tenantRemovals.claim({ nowMs: 0, leaseMs: 1_000, limit: 0 }),
  'tenantRemovals.release': async ({ tenantRemovals }) => {
    const [claim] = await tenantRemovals.claim({ nowMs: 0, leaseMs: 1_000, limit: 1, tenant: 'leaving' });
    if (claim !== undefined) await tenantRemovals.release(claim, 0);
  },
  'tenantRemovals.removeSome': async ({ tenantRemovals }) => {
    const [claim] = await tenantRemovals.claim({ nowMs: 0, leaseMs: 1_000, limit: 1 });
    if (claim !== undefined) await tenantRemovals.removeSome(claim, 0, 0);
  },
  'tenantRemovals.finish': async ({ tenantRemovals }) => {
    const [claim] = await tenantRemovals.claim({ nowMs: 0, leaseMs: 1_000, limit: 1 });
    if (claim !== undefined) await tenantRemovals.finish(claim);
  },
};

/** The names of all methods of a store, except those that close it, as in the calls. */
export const methodsOf = (store: Store): readonly string[] =>
  Object.entries(store)
    .flatMap(([name, value]) => {
      if (typeof value === 'function') return name === 'close' ? [] : [name];
      if (typeof value !== 'object') return [];
      return Object.entries(value).flatMap(([method, each]) =>
        typeof each === 'function' ? [`${name}.${method}`] : [],
      );
    })
    .toSorted();
