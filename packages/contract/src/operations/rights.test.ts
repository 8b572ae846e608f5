import { authorize, type Caller, type OperationRights, SCOPES } from '@access-admin/domain';
import { expect, test } from 'vitest';
import type { Operation } from './define-operation.ts';
import { OPERATIONS, type OperationId } from './table.ts';

/**
 * The rights that the service promises for what is below a path: any one scope to read and to change, and any one capability.
 * It states the rights apart from the definitions, so that a slip in one of them is found.
 */
const PROMISED: readonly {
  readonly path: string;
  readonly read: string;
  readonly readBy: string;
  readonly change?: string;
  readonly changeBy?: string;
}[] = `
  /auth-users        | auth-users:read auth-users:manage         | ORG_ADMIN HELPDESK das:ui-auditor              | auth-users:manage     | ORG_ADMIN HELPDESK
  /sessions          | sessions:read sessions:manage             | ORG_ADMIN                                      | sessions:manage       | ORG_ADMIN
  /auth-profiles     | auth-profiles:read auth-profiles:manage   | ORG_ADMIN das:ui-auditor                       | auth-profiles:manage  | ORG_ADMIN
  /auth-org          | auth-org:read auth-org:manage             | ORG_ADMIN HELPDESK                             | auth-org:manage       | ORG_ADMIN
  /sod-violations    | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN                         |                       |
  /sod-reservations  | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN                         | sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  /access            | authzen:evaluate                          | ORG_ADMIN POLICY_ADMIN das:ui-auditor          |                       |
  /sod-reports       | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor          | sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  /violations        | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor          | sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  /sod-policies      | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN das:ui-auditor          | sod-policies:manage   | ORG_ADMIN POLICY_ADMIN
  /sod-exceptions    | sod-exceptions:read sod-exceptions:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor          | sod-exceptions:manage | ORG_ADMIN POLICY_ADMIN
  /controls          | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN das:ui-auditor          | sod-policies:manage   | ORG_ADMIN POLICY_ADMIN
  /ui-metadata       | ui-metadata:read ui-metadata:manage       | ORG_ADMIN                                      | ui-metadata:manage    | ORG_ADMIN
  /branding          | ui-metadata:read ui-metadata:manage       | ORG_ADMIN                                      | ui-metadata:manage    | ORG_ADMIN
  /oauth-clients     | oauth-clients:manage                      | ORG_ADMIN                                      | oauth-clients:manage  | ORG_ADMIN
  /access-model      | access-model:read access-model:manage     | ORG_ADMIN                                      | access-model:manage   | ORG_ADMIN
  /identities        | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor | access-model:manage   | ORG_ADMIN
  /entitlements      | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor | access-model:manage   | ORG_ADMIN
  /access-profiles   | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor | access-model:manage   | ORG_ADMIN
  /roles             | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor | access-model:manage   | ORG_ADMIN
  /identity-profiles | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor | access-model:manage   | ORG_ADMIN
  /sources           | access-model:read access-model:manage     | ORG_ADMIN                                      | access-model:manage   | ORG_ADMIN
  /accounts          | access-model:read access-model:manage     | ORG_ADMIN                                      | access-model:manage   | ORG_ADMIN
  /audit-events      | audit-events:read                         | ORG_ADMIN das:ui-auditor                       |                       |
  /events            | events:read                               | ORG_ADMIN POLICY_ADMIN das:ui-auditor          |                       |
  /tenants           | tenants:manage                            |                                                | tenants:manage        |
  /webhooks          | webhooks:manage                           | ORG_ADMIN                                      | webhooks:manage       | ORG_ADMIN
`
  .trim()
  .split('\n')
  .map((row) => {
    const [path = '', read = '', readBy = '', change = '', changeBy = ''] = row.split('|').map((cell) => cell.trim());
    return { path, read, readBy, change, changeBy };
  });

/** Operations with other rights than what is below their path. */
const OTHERS: Partial<Readonly<Record<OperationId, Pick<OperationRights, 'scopes' | 'capabilities'>>>> = {
  // Only administrators give capabilities.
  'patch-auth-user-v1': { scopes: ['auth-users:manage'], capabilities: ['ORG_ADMIN'] },
  // What somebody signs in with is nobody's to read who may not change it.
  'get-credentials-v1': { scopes: ['auth-users:manage'], capabilities: ['ORG_ADMIN', 'HELPDESK'] },
  // An export of a person needs the right to manage people, not only to read them.
  'export-personal-data-v1': { scopes: ['access-model:manage'], capabilities: ['ORG_ADMIN'] },
  'decide-sign-in-v1': {
    scopes: ['auth-profiles:read', 'auth-profiles:manage'],
    capabilities: ['ORG_ADMIN', 'HELPDESK'],
  },
  // They start with the right to read: nothing that is stored changes.
  'start-sod-dry-run-v1': {
    scopes: ['sod-policies:read', 'sod-policies:manage'],
    capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  },
  'get-sod-policy-history-v1': { scopes: ['audit-events:read'], capabilities: ['ORG_ADMIN', 'das:ui-auditor'] },
  'list-my-violations-v1': { scopes: ['sod-violations:read', 'sod-violations:manage'], capabilities: [] },
};

/** What identities need for their own, and what is for identities alone. */
const OWN: Partial<Readonly<Record<OperationId, OperationRights['forOwn']>>> = {
  'get-auth-user-v1': 'SCOPE_ONLY',
  'get-identity-v1': 'SCOPE_ONLY',
  'get-violation-v1': 'SCOPE_ONLY',
  'reassign-violation-v1': 'SCOPE_ONLY',
  'end-session-v1': 'NOTHING',
  'list-sessions-v1': 'NOTHING_FOR_ROWS',
};
const isForIdentities = ({ id, path }: Operation): boolean =>
  path.startsWith('/sod-exceptions') || id === 'list-my-violations-v1' || id === 'apply-control-v1';

const namesOf = (text = '') => text.split(' ').filter((name) => name !== '');

const isReading = ({ method, path }: Operation): boolean =>
  method === 'GET' || path.startsWith('/sod-violations') || path.startsWith('/access/');

test.each(OPERATIONS)('$id needs the rights that are promised', (operation) => {
  const { id, path, rights } = operation;
  const promised = PROMISED.find((each) => path.startsWith(`${each.path}/`));
  const byPath = isReading(operation)
    ? { scopes: promised?.read.split(' '), capabilities: namesOf(promised?.readBy) }
    : { scopes: promised?.change?.split(' '), capabilities: namesOf(promised?.changeBy) };
  const { scopes, capabilities } = OTHERS[id] ?? byPath;
  expect({
    scopes: rights.scopes,
    capabilities: [...rights.capabilities].toSorted(),
    forOwn: rights.forOwn,
    identitiesOnly: rights.identitiesOnly ?? false,
    applicationsOnly: rights.applicationsOnly ?? false,
  }).toEqual({
    scopes,
    capabilities: [...(capabilities ?? [])].toSorted(),
    forOwn: OWN[id],
    identitiesOnly: isForIdentities(operation),
    applicationsOnly: path.startsWith('/tenants'),
  });
});

test('an auditor changes and starts nothing', () => {
  const auditor: Caller = {
    tenant: 'acme',
    clientId: 'c-1',
    scopes: new Set(SCOPES),
    identityId: 'i-1',
    capabilities: ['das:ui-auditor'],
  };
  const allowed = OPERATIONS.filter(({ rights }) => authorize(rights, auditor).ok);
  const changing = allowed.filter(({ method, hasNoEffect }) => method !== 'GET' && !hasNoEffect);
  expect(changing.map(({ id }) => id)).toEqual([]);
});

test('an owner is looked up only where something is owned by other identities than itself', () => {
  const looked = OPERATIONS.filter(({ owner }) => owner !== null).map(({ id, owner }) => [id, owner]);
  expect(looked).toEqual([
    ['end-session-v1', 'SESSION'],
    ['get-violation-v1', 'VIOLATION'],
    ['reassign-violation-v1', 'VIOLATION'],
  ]);
});
