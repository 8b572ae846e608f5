import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '@access-admin/contract';
import { SCOPES } from '@access-admin/domain';
import { completeOne } from '../complete-check.ts';
import { openViolations } from '../open-violations.ts';
import { bodyOf, sampleIn } from '../operation-calls.ts';
import { openOwnSigner } from '../sign-own-token.ts';
import type { TestApi } from '../test-api.ts';
import { openSession } from '../test-session.ts';
import {
  NEW_CONTROL,
  NEW_LOAD,
  NEW_POLICY,
  NEW_SOURCE,
  NEW_WEBHOOK,
  newBearerToken,
  newException,
  newRecord,
  newReservation,
  type TenantResources,
} from './cell-request.ts';
import { type Actor, capabilitySets, type ServedOperation } from './cells.ts';

/** Two tenants, and callers with every set of capabilities in the first. */
export interface MatrixWorld {
  readonly api: TestApi;
  readonly operations: readonly ServedOperation[];
  /** Method and path of the operations that need no token. */
  readonly open: readonly string[];
  readonly scopes: readonly string[];
  readonly own: TenantResources;
  readonly foreign: TenantResources;
  readonly actors: readonly Actor[];
  /** A token with exactly these scopes, which the token endpoint does not issue for every set. */
  tokenOf(clientId: string, scopes: readonly string[]): Promise<string>;
  /** Resources for one call that is allowed and that may use them up: other calls need the shared ones. */
  createExpendable(operationId: string): Promise<TenantResources>;
}

const OTHER_TENANT = 'other-tenant';
const ASKER = 'i-asker';
/** More than there are calls at the same time. */
const IN_USE = 20;
const CATALOGUE = [
  ...['e-left', 'e-right'].map((id) => ({ kind: 'entitlement', id, name: id })),
  { kind: 'identityProfile', id: 'ip-staff', name: 'Staff' },
  { kind: 'role', id: 'r-any', name: 'Any' },
];

const CONFLICTING_ACCESS = ['e-left', 'e-right'].map((id) => ({ type: 'ENTITLEMENT', id }));

export const identity = (id: string, capabilities: readonly string[], access: readonly object[] = []) => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-staff',
  capabilities,
  access,
});

export async function createMatrixWorld(api: TestApi): Promise<MatrixWorld> {
  const other = await api.clientToken({ tenant: OTHER_TENANT });
  const asker = await registerAsker(api);
  const otherAsker = await registerAsker(api, other);
  const own = await createResources(api, { tenant: 'default', asker: asker.token });
  const foreign = await createResources(api, { tenant: OTHER_TENANT, asker: otherAsker.token, token: other });
  const actors = [...(await createActors(api)), ...(await createDeletedActors(api))];
  const { sign } = await openOwnSigner(api);
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (clientId: string, scopes: readonly string[]) => {
    const key = `${clientId} ${scopes.join(' ')}`;
    const claims = { sub: clientId, client_id: clientId, scope: scopes.join(' ') };
    const token = tokens.get(key) ?? sign(claims);
    tokens.set(key, token);
    return token;
  };
  const deleteEarlierWebhooks = createRemover(api, '/webhooks/v1', own.webhookId);
  const deleteEarlierSources = createRemover(api, '/sources/v1', own.sourceId);
  const createExpendable = async (operationId: string) => {
    let resources = own;
    // Of an identity that no request names: a removal of credentials ends all sessions of its identity.
    if (operationId === 'end-session-v1') return { ...own, sessionId: (await openSession(api, ASKER)).id };
    if (operationId.endsWith('-webhook-v1')) await deleteEarlierWebhooks();
    if (operationId.endsWith('-source-v1') || operationId.endsWith('-source-load-v1')) await deleteEarlierSources();
    // Other calls make sign-in links for the shared subject or remove its credentials, and their callers may not approve for it.
    if (operationId === 'approve-sod-exception-v1') resources = { ...own, identityId: await createSubject(api) };
    for (const [path, as, bodyOf] of EXPENDABLE[operationId] ?? []) {
      const token = as === 'exceptionId' ? asker.token : await api.rootToken();
      const { id, loadId } = await create(api, typeof path === 'string' ? path : path(resources), {
        token,
        body: bodyOf(resources),
      });
      resources = { ...resources, [as]: id ?? loadId };
    }
    return resources;
  };
  return { api, ...(await readOperations(api)), own, foreign, actors, tokenOf, createExpendable };
}

/** Creates an identity with conflicting access, which no other call changes. */
async function createSubject(api: TestApi): Promise<string> {
  const id = `i-subject-${randomUUID()}`;
  await api.importRecords([identity(id, [], CONFLICTING_ACCESS)]);
  return id;
}

const loadsOf = ({ sourceId }: Pick<TenantResources, 'sourceId'>) => `/sources/v1/${sourceId}/loads`;

const bearerTokensOf = ({ clientId }: Pick<TenantResources, 'clientId'>) =>
  `/oauth-clients/v1/${clientId}/bearer-tokens`;

type Step = readonly [
  path: string | ((resources: TenantResources) => string),
  as: keyof TenantResources,
  bodyOf: (resources: TenantResources) => object,
];
const policy: Step = ['/sod-policies/v1', 'policyId', () => NEW_POLICY];
const control: Step = ['/controls/v1', 'controlId', () => NEW_CONTROL];
const exception: Step = ['/sod-exceptions/v1', 'exceptionId', newException];
// An identity has at most 100 live reservations.
const subject: Step = ['/identities/v1', 'identityId', () => newRecord('identity')];
const reservation: Step = ['/sod-reservations/v1', 'reservationId', newReservation];
const client: Step = ['/oauth-clients/v1', 'clientId', () => ({ name: 'victim', scopes: ['auth-users:read'] })];
const bearerToken: Step = [bearerTokensOf, 'bearerTokenId', newBearerToken];
const source: Step = ['/sources/v1', 'sourceId', () => NEW_SOURCE];
const load: Step = [loadsOf, 'loadId', () => NEW_LOAD];
const webhook: Step = ['/webhooks/v1', 'webhookId', () => NEW_WEBHOOK];

/** The resources that an operation uses up, in order of creation. */
const EXPENDABLE: Readonly<Record<string, readonly Step[]>> = {
  'delete-oauth-client-v1': [client],
  // A client has at most two static tokens for a source.
  'create-bearer-token-v1': [client],
  'delete-bearer-token-v1': [client, bearerToken],
  'delete-source-v1': [source],
  // A source has one load at a time that is open or runs.
  'create-source-load-v1': [source],
  'commit-source-load-v1': [source, load],
  'cancel-source-load-v1': [source, load],
  'delete-sod-policy-v1': [policy],
  'delete-control-v1': [control],
  'delete-webhook-v1': [webhook],
  'delete-identity-v1': [subject],
  'delete-entitlement-v1': [['/entitlements/v1', 'entitlementId', () => newRecord('entitlement')]],
  'delete-access-profile-v1': [['/access-profiles/v1', 'accessProfileId', () => newRecord('access-profile')]],
  'delete-role-v1': [['/roles/v1', 'roleId', () => newRecord('role')]],
  'delete-identity-profile-v1': [['/identity-profiles/v1', 'profileId', () => newRecord('identity-profile')]],
  // A webhook may be replayed once a minute.
  'replay-webhook-v1': [webhook],
  'create-sod-exception-v1': [policy],
  'approve-sod-exception-v1': [policy, exception],
  'revoke-sod-exception-v1': [policy, exception],
  'create-sod-reservation-v1': [subject],
  'settle-sod-reservation-v1': [subject, reservation],
  'delete-sod-reservation-v1': [subject, reservation],
};

async function create(api: TestApi, path: string, { token, body }: { readonly token?: string; readonly body: object }) {
  const answer = await api.call('POST', path, { ...(token === undefined ? {} : { token }), body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer.json;
}

/** Deletes what calls that have ended created in a list that is bounded, except for one: what was seen first. */
function createRemover(api: TestApi, path: string, kept: string): () => Promise<void> {
  const seen = new Set([kept]);
  const present = new Set<string>();
  return async () => {
    const listed: readonly { readonly id: string }[] = (await api.call('GET', `${path}?limit=250`)).json;
    for (const { id } of listed.filter((each) => !seen.has(each.id))) {
      seen.add(id);
      present.add(id);
    }
    const ended = [...present].slice(0, -IN_USE);
    for (const id of ended) present.delete(id);
    for (const id of ended) await api.call('DELETE', `${path}/${id}`);
  };
}

interface TenantPlan {
  readonly tenant: string;
  /** The token of an identity that may request exceptions. */
  readonly asker: string;
  /** The token of an application; by default that of the bootstrap client. */
  readonly token?: string;
}

async function createResources(api: TestApi, { tenant, asker, token }: TenantPlan): Promise<TenantResources> {
  const as = token === undefined ? {} : { token };
  const identityId = `i-${tenant}`;
  const profileId = `ip-${tenant}`;
  const policyId = `p-${tenant}`;
  const entitlementId = `e-${tenant}`;
  const accessProfileId = `ap-${tenant}`;
  const roleId = `r-${tenant}`;
  const sourceId = `s-${tenant}`;
  const profile = { kind: 'identityProfile', id: profileId, name: tenant };
  const catalogue = [
    { kind: 'entitlement', id: entitlementId, name: tenant },
    { kind: 'accessProfile', id: accessProfileId, name: tenant, entitlements: [entitlementId] },
    { kind: 'role', id: roleId, name: tenant, accessProfiles: [accessProfileId] },
  ];
  const records = [
    ...sampleIn(OPERATIONS.map(bodyOf)),
    ...catalogue,
    profile,
    identity(identityId, [], CONFLICTING_ACCESS),
    { kind: 'sodPolicy', id: policyId, ...NEW_POLICY },
    { kind: 'source', id: sourceId, ...NEW_SOURCE },
    { kind: 'account', source: sourceId, id: 'of nobody' },
  ];
  await api.importRecords(records, token);
  const check = { identityId, accessRefs: [] };
  const { requestId } = await create(api, '/sod-violations/v1/check', { ...as, body: check });
  // Only completed checks have receipts.
  await completeOne(api);
  const registration = { name: tenant, scopes: ['auth-users:read'] };
  const { id: clientId } = await create(api, '/oauth-clients/v1', { ...as, body: registration });
  const { id: bearerTokenId } = await create(api, bearerTokensOf({ clientId }), {
    ...as,
    body: newBearerToken({ sourceId }),
  });
  const [account] = (await api.call('GET', '/accounts/v1', as)).json;
  const { loadId } = await create(api, loadsOf({ sourceId }), { ...as, body: NEW_LOAD });
  const { reportId } = await create(api, '/sod-violations/v1/scan', { ...as, body: {} });
  const request = { token: asker, body: newException({ policyId, identityId }) };
  const { id: exceptionId } = await create(api, '/sod-exceptions/v1', request);
  const reserved = newReservation({ identityId, entitlementId });
  const { id: reservationId } = await create(api, '/sod-reservations/v1', { ...as, body: reserved });
  const { id: controlId } = await create(api, '/controls/v1', { ...as, body: NEW_CONTROL });
  const { id: webhookId } = await create(api, '/webhooks/v1', { ...as, body: NEW_WEBHOOK });
  const { id: deliveryId } = await create(api, `/webhooks/v1/${webhookId}/test`, { ...as, body: {} });
  const [violationId = ''] = await openViolations(api.store, [{ policyId, identityId }], { tenant });
  const { id: sessionId } = await openSession(api, identityId, { tenant });
  const made = { sessionId, requestId, clientId, reportId, exceptionId, controlId, webhookId, deliveryId, violationId };
  const ofSource = { sourceId, accountKey: account.key, loadId, bearerTokenId, reservationId };
  return { tenant, identityId, profileId, policyId, entitlementId, accessProfileId, roleId, ...made, ...ofSource };
}

/** A client that acts as an administrator outside the set of actors. */
async function registerAsker(api: TestApi, token?: string): Promise<{ readonly id: string; readonly token: string }> {
  await api.importRecords([...CATALOGUE, identity(ASKER, ['ORG_ADMIN'])], token);
  const body = { name: 'asker', scopes: SCOPES, identityId: ASKER };
  const { id, secret } = await create(api, '/oauth-clients/v1', { ...(token === undefined ? {} : { token }), body });
  return { id, token: await api.tokenFor(id, secret) };
}

async function register(api: TestApi, identityId: string | null): Promise<string> {
  return (await create(api, '/oauth-clients/v1', { body: { name: 'actor', scopes: SCOPES, identityId } })).id;
}

/** An application, and an identity with each set of capabilities. */
async function createActors(api: TestApi): Promise<readonly Actor[]> {
  const sets = capabilitySets().map((capabilities, at) => ({ id: `i-actor-${at}`, capabilities }));
  await api.importRecords(sets.map(({ id, capabilities }) => identity(id, capabilities)));
  const common = { isDeleted: false, capabilities: [], identityId: null };
  const actors: Actor[] = [{ ...common, name: 'an application', clientId: await register(api, null) }];
  for (const { id, capabilities } of sets) {
    const what = capabilities.length > 1 ? `${capabilities.length} capabilities` : (capabilities[0] ?? 'no capability');
    const clientId = await register(api, id);
    actors.push({ ...common, name: `an identity with ${what}`, identityId: id, capabilities, clientId });
  }
  return actors;
}

/** Clients with valid tokens whose record, or whose identity, has been deleted. */
async function createDeletedActors(api: TestApi): Promise<readonly Actor[]> {
  const identityId = 'i-deleted';
  await api.importRecords([identity(identityId, ['ORG_ADMIN'])]);
  const withoutIdentity = await register(api, identityId);
  await api.importRecords([{ kind: 'identity', id: identityId, delete: true }]);
  const deleted = await register(api, null);
  await api.call('DELETE', `/oauth-clients/v1/${deleted}`);
  const common = { capabilities: ['ORG_ADMIN'], isDeleted: true };
  return [
    { ...common, name: 'a deleted client', clientId: deleted, identityId: null },
    { ...common, name: 'a client of a deleted identity', clientId: withoutIdentity, identityId },
  ];
}

interface Described {
  readonly operationId?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

/** The operations that /openapi.json describes. */
async function readOperations(api: TestApi): Promise<Pick<MatrixWorld, 'operations' | 'open' | 'scopes'>> {
  const { paths, components } = (await api.call('GET', '/openapi.json', { token: null })).json;
  const described = Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, item]) => ({ path, method: method.toUpperCase(), item })),
  );
  const isOpen = ({ item }: (typeof described)[number]) => item.security?.length === 0;
  return {
    operations: described
      .filter((each) => !isOpen(each))
      .map(({ path, method, item: { operationId, parameters = [], requestBody } }) => ({
        id: operationId ?? `${method} ${path}`,
        method,
        path,
        mediaType: Object.keys(requestBody?.content ?? {})[0] ?? null,
        isExperimental: parameters.some(({ name }) => name.toLowerCase() === 'x-service-experimental'),
        isList: parameters.some(({ name }) => name === 'limit'),
      })),
    open: described.filter(isOpen).map(({ path, method }) => `${method} ${path}`),
    scopes: Object.keys(components.securitySchemes.oauth.flows.clientCredentials.scopes),
  };
}
