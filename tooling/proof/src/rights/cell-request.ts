import type { HttpCall } from '../http/http-caller.ts';
import { changingPolicy } from '../load/company.ts';
import type { Cell } from './draw-cells.ts';
import type { RightsWorld, TenantResources } from './rights-world.ts';

/** What nobody has. */
export const UNKNOWN: TenantResources = {
  tenant: 'unknown',
  identityId: 'i-unknown',
  profileId: 'ip-unknown',
  requestId: '00000000-0000-4000-8000-000000000000',
  clientId: '00000000-0000-4000-8000-000000000000',
  policyId: 'p-unknown',
  reportId: '00000000-0000-4000-8000-000000000000',
  exceptionId: '00000000-0000-4000-8000-000000000000',
};

/** The request of a cell about these resources. */
export function requestOf(cell: Cell, resources: TenantResources, world: RightsWorld): HttpCall {
  const { operation, actor, scopes, bad } = cell;
  const token = world.sign({ tenant: world.own.tenant, clientId: actor.clientId, scopes });
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (operation.isExperimental && bad === null) headers['x-service-experimental'] = 'true';
  const query = operation.isList && bad !== null ? '?limit=0' : '';
  const path = `${pathOf(cell, resources)}${query}`;
  if (operation.mediaType === null) return { method: operation.method, path, headers, body: null };
  headers['content-type'] = operation.mediaType;
  const good = bodyOf(cell, resources, world);
  if (bad === null) return { method: operation.method, path, headers, body: good };
  return { method: operation.method, path, headers: { ...headers, ...bad.headers }, body: bad.body ?? good };
}

/** The identity that an operation is about, where it is about one by its path. */
export const targetIdOf = (cell: Cell, resources: TenantResources): string | null =>
  cell.target === 'self' ? cell.actor.identityId : resources.identityId;

function pathOf(cell: Cell, resources: TenantResources): string {
  const { path } = cell.operation;
  if (path.startsWith('/auth-users/'))
    return path.replace(/\{\w+\}/, targetIdOf(cell, resources) ?? resources.identityId);
  if (path.startsWith('/auth-profiles/')) return path.replace(/\{\w+\}/, resources.profileId);
  if (path.startsWith('/sod-violations/')) return path.replace(/\{\w+\}/, resources.requestId);
  if (path.startsWith('/oauth-clients/')) return path.replace(/\{\w+\}/, resources.clientId);
  if (path.startsWith('/sod-exceptions/')) return path.replace(/\{\w+\}/, resources.exceptionId);
  if (path.startsWith('/sod-policies/')) return path.replace(/\{\w+\}/, resources.policyId);
  if (path.startsWith('/sod-reports/')) return path.replace(/\{\w+\}/, resources.reportId);
  return path.replaceAll(/\{\w+\}/g, 'unknown');
}

const { kind: _, id: __, ...policyWithoutId } = changingPolicy('p-made', 0) as Readonly<Record<string, unknown>>;

/** A good policy, without an id. */
export const NEW_POLICY: Readonly<Record<string, unknown>> = policyWithoutId;

/** A good request for an exception from the policy, for the identity. */
export const newException = ({ policyId, identityId }: Pick<TenantResources, 'policyId' | 'identityId'>) => ({
  ...{ policyId, identityId, justification: 'made' },
  ...{ start: '9999-01-01T00:00:00.000Z', end: '9999-02-01T00:00:00.000Z' },
});

/** One that changes nothing that another cell is about. */
function bodyOf({ operation: { id }, target, scopes }: Cell, resources: TenantResources, { api }: RightsWorld): string {
  const { identityId, tenant } = resources;
  switch (id) {
    case 'patch-auth-user-v1':
    case 'patch-profile-config-v1':
    case 'patch-sod-policy-v1':
      return '[]';
    case 'create-sod-policy-v1':
    case 'put-sod-policy-v1':
      return JSON.stringify(NEW_POLICY);
    case 'create-sod-exception-v1':
      return JSON.stringify(newException(resources));
    case 'start-predict-sod-violations-v1':
    case 'start-violation-check-v1':
      return JSON.stringify({ identityId, accessRefs: [] });
    case 'start-sod-blast-radius-v1':
      return JSON.stringify({ kind: 'role', id: 'r-any', add: [] });
    case 'create-oauth-client-v1': {
      const lacked = api.scopes.find((scope) => !scopes.includes(scope));
      const held = api.scopes.find((scope) => scopes.includes(scope));
      const asked = (target === 'raising' ? lacked : held) ?? 'auth-users:read';
      return JSON.stringify({ name: 'made', scopes: [asked], tenant });
    }
    case 'import-access-model-v1':
      return '';
    default:
      return '{}';
  }
}
