import { describe, expect, test } from 'vitest';
import {
  authorize,
  type Caller,
  mayAdminister,
  type OperationRights,
  RIGHTS_TO_READ,
  SCOPES,
  TENANT_NAME,
} from './authorization.ts';
import { CAPABILITIES, type Capability } from './capability.ts';

const caller = (change: Partial<Caller> = {}): Caller => ({
  tenant: 'acme',
  clientId: 'c-1',
  scopes: new Set(SCOPES),
  identityId: null,
  capabilities: [],
  ...change,
});

const USERS: OperationRights = {
  scopes: ['auth-users:read', 'auth-users:manage'],
  capabilities: ['ORG_ADMIN', 'HELPDESK'],
  resource: 'AUTH_USER',
};

/** Rights of every shape, and what an identity needs for its own: scope and capability, the scope alone, or nothing. */
const SHAPES: readonly {
  readonly title: string;
  readonly rights: OperationRights;
  readonly own: 'both' | 'scope' | 'nothing';
  readonly rows?: true;
  readonly applications: boolean;
}[] = [
  { title: 'plain', rights: USERS, own: 'both', applications: true },
  { title: 'the scope for its own', rights: { ...USERS, forOwn: 'SCOPE_ONLY' }, own: 'scope', applications: true },
  { title: 'nothing for its own', rights: { ...USERS, forOwn: 'NOTHING' }, own: 'nothing', applications: true },
  {
    title: 'nothing for its own rows',
    rights: { ...USERS, forOwn: 'NOTHING_FOR_ROWS' },
    own: 'nothing',
    rows: true,
    applications: true,
  },
  { title: 'no capability', rights: { ...USERS, capabilities: [] }, own: 'scope', applications: true },
  { title: 'identities only', rights: { ...USERS, identitiesOnly: true }, own: 'both', applications: false },
  {
    title: 'identities only, without a capability',
    rights: { ...USERS, identitiesOnly: true, capabilities: [] },
    own: 'scope',
    applications: false,
  },
];

const SCOPE_SETS: readonly (readonly string[])[] = [
  [],
  SCOPES,
  ['sp:scopes:all', '*', ''],
  ...SCOPES.map((scope) => [scope]),
  ...SCOPES.map((scope) => SCOPES.filter((other) => other !== scope)),
];
const subsets = <T>([first, ...rest]: readonly T[]): T[][] =>
  first === undefined ? [[]] : subsets(rest).flatMap((set) => [set, [first, ...set]]);
const CAPABILITY_SETS: readonly (readonly Capability[])[] = [
  ...subsets<Capability>(['ORG_ADMIN', 'HELPDESK', 'POLICY_ADMIN', 'das:ui-auditor', 'INTERNAL']),
  ...CAPABILITIES.map((capability) => [capability]),
  CAPABILITIES,
];

test.each(SHAPES)('rights of this shape allow exactly the callers that they name: $title', (shape) => {
  const { rights, own, rows = false, applications } = shape;
  for (const scopes of SCOPE_SETS) {
    const byScope = rights.scopes.some((scope) => scopes.includes(scope));
    for (const targetId of [undefined, 'i-1', 'i-2']) {
      const application = caller({ scopes: new Set(scopes) });
      expect(authorize(rights, application, targetId).ok, `application with ${scopes}`).toBe(byScope && applications);
      for (const capabilities of CAPABILITY_SETS) {
        const byCapability =
          rights.capabilities.length === 0 || capabilities.some((name) => rights.capabilities.includes(name));
        const isOwn = rows || targetId === 'i-1';
        const allowed = isOwn && own === 'nothing' ? true : byScope && (byCapability || (isOwn && own === 'scope'));
        expect(
          authorize(rights, caller({ scopes: new Set(scopes), identityId: 'i-1', capabilities }), targetId).ok,
          `i-1 with ${scopes} and ${capabilities} for ${targetId}`,
        ).toBe(allowed);
      }
    }
  }
});

describe('a refusal names', () => {
  test.each([
    [
      'the missing scope',
      USERS,
      caller({ scopes: new Set() }),
      'the access token needs the scope auth-users:read or auth-users:manage',
    ],
    [
      'the missing capability',
      USERS,
      caller({ identityId: 'i-1' }),
      'the identity of the caller needs the capability ORG_ADMIN or HELPDESK',
    ],
    [
      'that a client must act as an identity',
      { ...USERS, identitiesOnly: true },
      caller(),
      'needs a client that acts as an identity: create one with identityId',
    ],
  ])('%s', (_, rights, by, text) => {
    expect(authorize(rights, by, 'i-2')).toEqual({
      ok: false,
      failure: { type: 'Forbidden', causes: [{ at: '', text }] },
    });
  });
});

test.each<[string, boolean, Partial<Caller>]>([
  ['an application with the scope', true, {}],
  ['an application without it', false, { scopes: new Set(['auth-org:read']) }],
  ['an identity with a capability', true, { identityId: 'i-1', capabilities: ['HELPDESK'] }],
  ['an identity without one', false, { identityId: 'i-1' }],
  ['an identity without the scope', false, { identityId: 'i-1', capabilities: ['ORG_ADMIN'], scopes: new Set() }],
])('whether what belongs to others is administered by %s: %s', (_, expected, change) => {
  expect(mayAdminister({ ...USERS, forOwn: 'NOTHING' }, caller(change))).toBe(expected);
});

test.each(['a', 'acme', 'a-1', '-', '0', 'x'.repeat(63)])('%s is a valid name of a tenant', (name) => {
  expect(TENANT_NAME.test(name)).toBe(true);
});

test.each(['', 'Acme', 'a.b', 'a_b', 'a b', 'acme\n', 'é', 'x'.repeat(64)])(
  '%j is not a valid name of a tenant',
  (name) => {
    expect(TENANT_NAME.test(name)).toBe(false);
  },
);

test('a kind of resource that events tell of is read with the scopes that are named after it', () => {
  const families: Readonly<Record<keyof typeof RIGHTS_TO_READ, string>> = {
    ACCESS_MODEL: 'access-model',
    AUTH_PROFILE: 'auth-profiles',
    AUTH_USER: 'auth-users',
    OAUTH_CLIENT: 'oauth-clients',
    SOD_CHECK: 'sod-violations',
    SOD_EXCEPTION: 'sod-exceptions',
    SOD_POLICY: 'sod-policies',
    SOD_REPORT: 'sod-violations',
    SOD_RESERVATION: 'sod-violations',
    SOD_VIOLATION: 'sod-violations',
    UI_METADATA: 'ui-metadata',
    WEBHOOK: 'webhooks',
  };
  const rightsByKind: Readonly<Record<string, OperationRights>> = RIGHTS_TO_READ;
  for (const [kind, family] of Object.entries(families)) {
    const rights = rightsByKind[kind];
    if (rights === undefined) throw new Error(`There are no rights to read ${kind}.`);
    expect(rights.resource).toBe(kind);
    const admin = { identityId: 'i-1', capabilities: ['ORG_ADMIN' as const] };
    const enough = SCOPES.filter((scope) => authorize(rights, caller({ ...admin, scopes: new Set([scope]) })).ok);
    expect([kind, enough]).toEqual([kind, SCOPES.filter((scope) => scope.startsWith(`${family}:`))]);
  }
});
