import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '@access-admin/contract';
import { bodyOf } from '../operation-calls.ts';
import type { Cell, ServedOperation } from './cells.ts';
import { IDENTITY_GROUPS } from './identity-groups.ts';

/** One of each kind of resource of a tenant. */
export interface TenantResources {
  readonly tenant: string;
  readonly identityId: string;
  readonly profileId: string;
  readonly entitlementId: string;
  readonly accessProfileId: string;
  readonly roleId: string;
  readonly requestId: string;
  readonly clientId: string;
  readonly bearerTokenId: string;
  readonly sourceId: string;
  readonly accountKey: string;
  readonly loadId: string;
  readonly policyId: string;
  readonly reportId: string;
  readonly exceptionId: string;
  readonly reservationId: string;
  readonly controlId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly violationId: string;
  readonly sessionId: string;
}

export interface CellRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Ids that no tenant has. */
export const UNKNOWN: TenantResources = {
  tenant: 'unknown',
  identityId: 'i-unknown',
  profileId: 'ip-unknown',
  entitlementId: 'e-unknown',
  accessProfileId: 'ap-unknown',
  roleId: 'r-unknown',
  policyId: 'p-unknown',
  controlId: 'c-unknown',
  sourceId: 's-unknown',
  requestId: '00000000-0000-4000-8000-000000000000',
  clientId: '00000000-0000-4000-8000-000000000000',
  bearerTokenId: '00000000-0000-4000-8000-000000000000',
  accountKey: '00000000-0000-4000-8000-000000000000',
  loadId: '00000000-0000-4000-8000-000000000000',
  reportId: '00000000-0000-4000-8000-000000000000',
  exceptionId: '00000000-0000-4000-8000-000000000000',
  reservationId: '00000000-0000-4000-8000-000000000000',
  webhookId: '00000000-0000-4000-8000-000000000000',
  deliveryId: '00000000-0000-4000-8000-000000000000',
  violationId: '00000000-0000-4000-8000-000000000000',
  sessionId: '00000000-0000-4000-8000-000000000000',
};

const side = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT', id }] });

/** A valid policy without an id. */
export const NEW_POLICY = {
  name: 'made',
  description: '0',
  conflictingAccessCriteria: { leftCriteria: side('e-left'), rightCriteria: side('e-right') },
};

/** A valid source without an id. */
export const NEW_SOURCE = { name: 'made' };

/** A valid request that opens a load. */
export const NEW_LOAD = { mode: 'FULL' };

/** A valid request for a static token. */
export const newBearerToken = ({ sourceId }: Pick<TenantResources, 'sourceId'>) => ({ source: sourceId });

/** A valid control without an id. */
export const NEW_CONTROL = { name: 'made', expiration: '20d' };

/** A valid request for an exception. */
export const newException = ({ policyId, identityId }: Pick<TenantResources, 'policyId' | 'identityId'>) => ({
  policyId,
  identityId,
  justification: 'made',
  start: '9999-01-01T00:00:00.000Z',
  end: '9999-02-01T00:00:00.000Z',
});

/** A valid request for a reservation. */
export const newReservation = ({
  identityId,
  entitlementId,
}: Pick<TenantResources, 'identityId' | 'entitlementId'>) => ({
  identityId,
  accessRefs: [{ type: 'ENTITLEMENT', id: entitlementId }],
});

/** A valid webhook, whose events every caller may read. */
export const NEW_WEBHOOK = { name: 'made', url: 'https://hooks.example.com/', types: ['*'] };

/** The request of a cell about these resources, without its token. */
export function requestOf(cell: Cell, resources: TenantResources, allScopes: readonly string[]): CellRequest {
  const { operation, bad } = cell;
  const { method, mediaType } = operation;
  const path = `${pathOf(cell, resources)}${operation.isList && bad !== null ? '?limit=0' : ''}`;
  const headers = operation.isExperimental && bad === null ? { 'x-service-experimental': 'true' } : {};
  if (mediaType === null) return { method, path, headers, body: null };
  const body = bad?.body ?? bodyOfCell(cell, resources, allScopes);
  return { method, path, headers: { ...headers, 'content-type': mediaType, ...bad?.headers }, body };
}

/** The identity that the path of an operation names. */
export const targetIdOf = (cell: Cell, resources: TenantResources): string | null =>
  cell.target === 'self' ? cell.actor.identityId : resources.identityId;

const ID_BY_GROUP: Readonly<Record<string, keyof TenantResources>> = {
  'auth-profiles': 'profileId',
  'identity-profiles': 'profileId',
  entitlements: 'entitlementId',
  'access-profiles': 'accessProfileId',
  roles: 'roleId',
  'sod-violations': 'requestId',
  'oauth-clients': 'clientId',
  'sod-exceptions': 'exceptionId',
  'sod-reservations': 'reservationId',
  'sod-policies': 'policyId',
  'sod-reports': 'reportId',
  sources: 'sourceId',
  accounts: 'accountKey',
  controls: 'controlId',
  webhooks: 'webhookId',
  violations: 'violationId',
  sessions: 'sessionId',
};

function pathOf(cell: Cell, resources: TenantResources): string {
  const { path } = cell.operation;
  const group = path.split('/')[1] ?? '';
  const ofIdentity = targetIdOf(cell, resources) ?? resources.identityId;
  const id = IDENTITY_GROUPS.includes(group) ? ofIdentity : resources[ID_BY_GROUP[group] ?? 'tenant'];
  return path
    .replace('{deliveryId}', resources.deliveryId)
    .replace('{credentialId}', 'password')
    .replace('{tokenId}', resources.bearerTokenId)
    .replace('{loadId}', resources.loadId)
    .replace('{n}', '1')
    .replace(/\{\w+\}/, id);
}

const SINGLE = ['identity', 'entitlement', 'access-profile', 'role', 'identity-profile'] as const;

/** A valid record of the access model, with an id that no other has. */
export function newRecord(name: (typeof SINGLE)[number]): object {
  const id = `made-${randomUUID()}`;
  if (name === 'identity') return { id, uid: id, identityProfile: 'ip-staff' };
  return { id, name: 'made', ...(name === 'access-profile' ? { entitlements: [] } : {}) };
}

/** The body that every suite sends, where it may not be left out. */
function commonBody(id: string): unknown {
  const operation = OPERATIONS.find((each) => each.id === id);
  return operation === undefined || operation.body?.isOptional ? {} : bodyOf(operation);
}

/** A valid body that changes no resource of another cell. */
function bodyOfCell(cell: Cell, resources: TenantResources, allScopes: readonly string[]): string {
  const { operation, target, scopes } = cell;
  const { identityId, tenant } = resources;
  const ofIdentity = targetIdOf(cell, resources) ?? identityId;
  if (operation.id === 'create-oauth-client-v1') {
    const lacked = allScopes.find((scope) => !scopes.includes(scope));
    const held = allScopes.find((scope) => scopes.includes(scope));
    const requested = (target === 'raising' ? lacked : held) ?? 'auth-users:read';
    return JSON.stringify({ name: 'made', scopes: [requested], tenant });
  }
  if (operation.id === 'import-access-model-v1') return '';
  if (operation.mediaType === 'application/json-patch+json') return '[]';
  const question = {
    subject: { type: 'identity', id: identityId },
    action: { name: 'use' },
    resource: { type: 'capability', id: 'HELPDESK' },
  };
  const bodies: Readonly<Record<ServedOperation['id'], unknown>> = {
    'create-bearer-token-v1': newBearerToken(resources),
    'create-source-v1': NEW_SOURCE,
    'put-source-v1': NEW_SOURCE,
    'create-source-load-v1': NEW_LOAD,
    'put-account-identity-v1': { identityId: null },
    'create-control-v1': NEW_CONTROL,
    'put-control-v1': NEW_CONTROL,
    'create-webhook-v1': NEW_WEBHOOK,
    'reassign-violation-v1': { assigneeId: 'i-asker' },
    'apply-control-v1': { control: { id: resources.controlId } },
    'create-sod-policy-v1': NEW_POLICY,
    'put-sod-policy-v1': NEW_POLICY,
    'create-sod-exception-v1': newException(resources),
    'create-sod-reservation-v1': newReservation(resources),
    'create-identity-v1': newRecord('identity'),
    'create-entitlement-v1': newRecord('entitlement'),
    'create-access-profile-v1': newRecord('access-profile'),
    'create-role-v1': newRecord('role'),
    'create-identity-profile-v1': newRecord('identity-profile'),
    // As they are: other cells use them.
    'put-identity-v1': { uid: ofIdentity, identityProfile: 'ip-staff' },
    'put-entitlement-v1': { name: tenant },
    'put-access-profile-v1': { name: tenant, entitlements: [resources.entitlementId] },
    'put-role-v1': { name: tenant, accessProfiles: [resources.accessProfileId] },
    'put-identity-profile-v1': { name: tenant },
    'start-predict-sod-violations-v1': { identityId, accessRefs: [] },
    'evaluate-access-v1': question,
    'evaluate-accesses-v1': question,
    'search-access-subjects-v1': question,
    'search-access-resources-v1': question,
    'search-access-actions-v1': question,
    'decide-sign-in-v1': { identityId, ip: '10.0.0.1' },
    'start-violation-check-v1': { identityId, accessRefs: [] },
    'start-sod-blast-radius-v1': { kind: 'role', id: 'r-any', add: [] },
  };
  const body = bodies[operation.id] ?? commonBody(operation.id);
  return typeof body === 'string' ? body : JSON.stringify(body);
}
