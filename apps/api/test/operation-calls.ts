import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCEPTIONS, OPERATIONS, type Operation, type OperationId } from '@access-admin/contract';
import { completeFixPlan } from './complete-fix-plan.ts';
import { openViolations } from './open-violations.ts';
import { ASKED, exceptionsOf, holder } from './sod-exceptions-world.ts';
import { openTestApi, type TestCall } from './test-api.ts';
import { openSession } from './test-session.ts';

const MOMENT = '2026-11-21T09:30:00.000Z';
const side = (id: string) => ({ name: 'a side', criteriaList: [{ type: 'ENTITLEMENT', id }] });
const POLICY = {
  name: 'Vendor and report',
  level: 'HIGH',
  conflictingAccessCriteria: { leftCriteria: side('e-vendor'), rightCriteria: side('e-report') },
};
const CONTROL = { name: 'Second signature', owner: { type: 'IDENTITY', id: 'i-ada' }, expiration: '20d' };
const WEBHOOK = { name: 'w', url: 'https://example.com/', types: ['*'] };
const REQUEST = { identityId: 'i-cleo', accessRefs: [{ type: 'ROLE', id: 'r-buyer', name: 'Buyer', start: MOMENT }] };

/**
 * Ids by the first segment of the paths that contain them, or by the name of a parameter or of a part of a row's path, which
 * takes precedence.
 */
type Ids = Readonly<Record<string, string>>;

interface Row {
  /** With names of `Ids` in braces; by default that of the operation. */
  readonly path?: string;
  /** By default that of the operation's example. */
  readonly body?: unknown;
}

/** What the calls have that their definitions do not show. */
const ROWS: Partial<Record<OperationId, Row>> = {
  'patch-auth-user-v1': { body: [{ op: 'add', path: '/capabilities/-', value: 'HELPDESK' }] },
  'patch-auth-org-network-config-v1': { body: [{ op: 'replace', path: '/range', value: ['10.0.0.0/8'] }] },
  'start-predict-sod-violations-v1': { path: '/sod-violations/v1/predict?include=via,remediation', body: REQUEST },
  'list-sod-fix-steps-v1': { path: '/sod-reports/v1/{fixPlan}/steps' },
  'list-sod-unsolvable-violations-v1': { path: '/sod-reports/v1/{fixPlan}/unsolvable' },
  'hand-over-sod-fix-step-v1': { path: '/sod-reports/v1/{fixPlan}/steps/1/hand-over' },
  'apply-control-v1': { body: { control: { type: 'CONTROL', id: 'c-applied' } } },
  'create-sod-policy-v1': { body: { ...POLICY, id: 'p-2' } },
  'put-sod-policy-v1': { path: '/sod-policies/v1/p-2', body: { ...POLICY, name: 'Another' } },
  'patch-sod-policy-v1': {
    path: '/sod-policies/v1/p-2',
    body: [{ op: 'replace', path: '/level', value: 'LOW' }],
  },
  'delete-sod-policy-v1': { path: '/sod-policies/v1/p-2' },
  'get-sod-policy-history-v1': { path: '/sod-policies/v1/p-2/history' },
  'create-sod-exception-v1': { body: { ...ASKED, identityId: 'i-eve' } },
  'revoke-sod-exception-v1': { path: '/sod-exceptions/v1/{approved}/revoke' },
  'delete-sod-reservation-v1': { path: '/sod-reservations/v1/{released}' },
  'put-control-v1': { body: { ...CONTROL, name: 'Third signature' } },
  'delete-control-v1': { path: '/controls/v1/c-second-signature' },
  'delete-oauth-client-v1': { path: '/oauth-clients/v1/{spareClient}' },
  'create-bearer-token-v1': { body: { source: 'hr' } },
  'delete-tenant-v1': { path: '/tenants/v1/other' },
  'put-identity-v1': { path: '/identities/v1/i-new', body: { uid: 'two', identityProfile: 'ip-emp' } },
  'patch-identity-v1': {
    path: '/identities/v1/i-new',
    body: [{ op: 'replace', path: '/email', value: 'a@example.com' }],
  },
  'delete-identity-v1': { path: '/identities/v1/i-new' },
  'erase-identity-v1': { path: '/identities/v1/{erased}/erasure' },
  'put-entitlement-v1': { path: '/entitlements/v1/crm-export', body: { name: 'Two' } },
  'patch-entitlement-v1': {
    path: '/entitlements/v1/crm-export',
    body: [{ op: 'replace', path: '/source', value: 'ERP' }],
  },
  'delete-entitlement-v1': { path: '/entitlements/v1/crm-export' },
  'put-access-profile-v1': { path: '/access-profiles/v1/ap-new', body: { name: 'Two', entitlements: ['e-pay'] } },
  'patch-access-profile-v1': {
    path: '/access-profiles/v1/ap-new',
    body: [{ op: 'add', path: '/entitlements/-', value: 'e-report' }],
  },
  'delete-access-profile-v1': { path: '/access-profiles/v1/ap-new' },
  'put-role-v1': { path: '/roles/v1/r-new', body: { name: 'Two' } },
  'patch-role-v1': { path: '/roles/v1/r-new', body: [{ op: 'add', path: '/entitlements/-', value: 'e-pay' }] },
  'delete-role-v1': { path: '/roles/v1/r-new' },
  'put-identity-profile-v1': { path: '/identity-profiles/v1/ip-new', body: { name: 'Two' } },
  'patch-identity-profile-v1': { path: '/identity-profiles/v1/ip-new' },
  'delete-identity-profile-v1': { path: '/identity-profiles/v1/ip-new' },
  'delete-source-v1': { path: '/sources/v1/erp' },
  'put-account-identity-v1': { body: { identityId: 'i-hal' } },
  'create-source-load-v1': { path: '/sources/v1/free/loads', body: { mode: 'DELTA', dryRun: true } },
  'cancel-source-load-v1': { path: '/sources/v1/crm/loads/{cancelled}' },
  'delete-webhook-v1': { path: '/webhooks/v1/{spareWebhook}' },
};

const rowOf = ({ id }: Pick<Operation<OperationId>, 'id'>): Row => ROWS[id] ?? {};

/** An API with a resource for each operation. */
export async function openWorld() {
  const world = await exceptionsOf(await openTestApi());
  const { api, ada, hal, approved } = world;
  const { call, store, clock } = api;
  const post = (path: string, body: unknown) => call('POST', path, { body });
  await api.importRecords([
    ...sampleIn(OPERATIONS.map(bodyOf)),
    holder('i-cat', 'e-vendor', 'e-pay'),
    holder('i-dan', 'e-vendor', 'e-pay'),
    holder('i-eve', 'e-vendor', 'e-pay'),
    ...['hr', 'crm', 'free'].map((id) => ({ kind: 'source', id, name: id })),
    { kind: 'account', source: 'hr', id: 'a-1' },
  ]);
  const report: string = (await post('/sod-violations/v1/scan', {})).json.reportId;
  const claimed = await store.reports.claim({ nowMs: clock.nowMs, leaseMs: 1_000 });
  if (claimed === null) throw new Error('There is no report to make.');
  const basis = { policySetVersion: 1, asOf: MOMENT };
  await store.reports.renew(claimed, { progress: 0.5, leaseEndMs: clock.nowMs + 1_000, basis });
  const totals = { identities: 4, new: 0, same: 0, gone: 0, excepted: 0 };
  await store.reports.complete(claimed, { state: 'SUCCESS', completed: MOMENT, totals, message: null }, 50);
  const check = (await post('/sod-violations/v1/check', REQUEST)).json.requestId;
  const [toConclude] = await store.checks.claim({ nowMs: clock.nowMs, leaseMs: 1_000, limit: 1 });
  if (toConclude === undefined) throw new Error('There is no check to conclude.');
  const result = JSON.stringify({
    message: null,
    clientMetadata: null,
    violationContexts: [],
    violatedPolicies: [],
    violationCount: 0,
    omitted: 0,
    ...basis,
  });
  await store.checks.complete([{ ...toConclude, state: 'SUCCESS', completed: MOMENT, result }]);
  const asked = (await call('POST', '/sod-exceptions/v1', { token: ada, body: ASKED })).json.id;
  const exception = await approved({ identityId: 'i-dan' });
  const openClient = async () =>
    (await post('/oauth-clients/v1', { name: 'c', scopes: ['auth-users:read'] })).json.id as string;
  const client = await openClient();
  const bearerToken = (await post(`/oauth-clients/v1/${client}/bearer-tokens`, { source: 'hr' })).json.id;
  await post('/oauth-clients/v1', { name: 'c', scopes: ['auth-users:read'], tenant: 'other' });
  const openWebhook = async () => (await post('/webhooks/v1', WEBHOOK)).json.id as string;
  const webhook = await openWebhook();
  const delivery = (await post(`/webhooks/v1/${webhook}/test`, {})).json.id;
  const [violation = ''] = await openViolations(store, [{ policyId: 'p-1', identityId: 'i-cat' }]);
  await post('/controls/v1', { ...CONTROL, id: 'c-applied' });
  const account = (await call('GET', '/accounts/v1')).json[0].key;
  const load = (await post('/sources/v1/hr/loads', { mode: 'FULL' })).json.loadId;
  const fixPlan = await completeFixPlan(api);
  const cancelled = (await post('/sources/v1/crm/loads', { mode: 'FULL' })).json.loadId;
  const reserved = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-report' }] };
  const reservation = (await post('/sod-reservations/v1', reserved)).json.id;
  const released = (await post('/sod-reservations/v1', reserved)).json.id;
  await post('/identities/v1', { id: 'i-erased', uid: 'i-erased', identityProfile: 'ip-emp' });
  await call('DELETE', '/identities/v1/i-erased');
  const { id: session } = await openSession(api, 'i-ada');
  const actor = { clientId: 'c', identityId: null };
  const setUp = { tenant: 'default', actor, operation: 'set-up', time: MOMENT, trackingId: '0' };
  const password = { hash: 'phc', link: null, usedLink: null, keepSession: null };
  await store.credentials.setPassword(setUp, 'i-cleo', password);
  const ids: Ids = {
    'auth-users': 'i-cleo',
    'auth-profiles': 'ip-emp',
    sessions: session,
    'sod-violations': check,
    'sod-reports': report,
    violations: violation,
    'sod-policies': 'p-1',
    'sod-exceptions': asked,
    'sod-reservations': reservation,
    controls: 'c-applied',
    'oauth-clients': client,
    tenants: 'default',
    identities: 'i-cleo',
    entitlements: 'e-vendor',
    'access-profiles': 'ap-vendor',
    roles: 'r-buyer',
    'identity-profiles': 'ip-emp',
    sources: 'hr',
    accounts: account,
    webhooks: webhook,
    credentialId: 'password',
    deliveryId: delivery,
    loadId: load,
    tokenId: bearerToken,
    n: '1',
    step: '1',
    approved: exception,
    cancelled,
    fixPlan,
    released,
    erased: 'i-erased',
    spareClient: await openClient(),
    spareWebhook: await openWebhook(),
  };
  return { api, ada, hal, ids };
}

/** The path, with an id of `ids` for each parameter. */
export const fillPath = (path: string, ids: Ids): string =>
  path.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => {
    const id = ids[name] ?? ids[path.split('/')[1] ?? ''];
    if (id === undefined)
      throw new Error(`There is no {${name}} for ${path}: \`openWorld\` makes a resource for each path.`);
    return id;
  });

/** A body that the operation accepts, and that changes what it is sent to; undefined without one. */
export function bodyOf(operation: Operation<OperationId>): unknown {
  const { body = operation.example.body } = rowOf(operation);
  if (operation.body?.mediaType !== 'application/x-ndjson' || !Array.isArray(body)) return body;
  return body.map((line) => JSON.stringify(line)).join('\n');
}

const SAMPLE: readonly { readonly id: string; readonly uid?: string }[] = readFileSync(
  join(import.meta.dirname, '../../../tooling/sample/sample.ndjson'),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The records of the sample that a body names, with those that they name. */
export function sampleIn(body: unknown): readonly object[] {
  const names = new Set(JSON.stringify(body)?.match(/[\w.-]+/g));
  const isNamed = ({ id, uid = id }: (typeof SAMPLE)[number]) => names.has(id) || names.has(uid);
  for (let known = -1; known < names.size; ) {
    known = names.size;
    for (const record of SAMPLE.filter(isNamed))
      for (const name of JSON.stringify(record).match(/[\w.-]+/g) ?? []) names.add(name);
  }
  return SAMPLE.filter(isNamed);
}

export type OperationCall = readonly [path: string, options?: TestCall];

type OperationWorld = Awaited<ReturnType<typeof openWorld>>;

/** A successful request for each operation, in order: later ones depend on earlier ones. */
export const callsOf = (world: OperationWorld): readonly (readonly [Operation<OperationId>, OperationCall])[] =>
  OPERATIONS.map((operation) => [operation, callOf(operation, world)]);

/** What the path has in place of its parameter. */
const confirmedIn = ({ path: template }: Operation, path: string): string =>
  path.split('/')[template.split('/').findIndex((part) => part.startsWith('{'))] ?? '';

function callOf(operation: Operation<OperationId>, { ada, hal, ids }: OperationWorld): OperationCall {
  const row = rowOf(operation);
  const path = fillPath(row.path ?? operation.path, ids);
  const body = bodyOf(operation);
  const isRequester = operation.example.as === EXCEPTIONS.create.example.as;
  return [
    operation.list ? `${path}?count=true` : path,
    {
      headers: {
        'x-service-experimental': 'true',
        ...(operation.body === null ? {} : { 'content-type': operation.body.mediaType }),
        ...(operation.confirmation === null ? {} : { [operation.confirmation]: confirmedIn(operation, path) }),
      },
      ...(body === undefined ? {} : { body }),
      ...(operation.rights.identitiesOnly ? { token: isRequester ? ada : hal } : {}),
    },
  ];
}
