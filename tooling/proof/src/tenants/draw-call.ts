import { SCOPES } from '@access-admin/domain';
import { drawOne, type Random } from '../campaign/random.ts';
import type { Source } from '../fuzz/draw-json.ts';
import { drawDraft } from '../fuzz/draw-request.ts';
import type { Draft } from '../fuzz/spoil-request.ts';
import type { ApiOperation } from '../http/api-document.ts';
import { IDS, type MarkedKind, type MarkedTenant, markedRecord } from './marked-tenants.ts';

/** A call of one of two tenants. */
export interface DrawnCall {
  readonly call: Draft;
  /** For a call that names something of the other tenant: a call that does not, and must get the same answer; else null. */
  readonly innocent: Draft | null;
}

/** The tenant of the caller, and the other one. */
export interface Sides {
  readonly own: MarkedTenant;
  readonly other: MarkedTenant;
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Draws a call of an operation, good or bad. Its texts contain the mark of its own tenant. */
export function drawCall(operation: ApiOperation, { own, other }: Sides, random: Random): DrawnCall {
  const { id, isForeign } = drawId(operation, { own, other }, random);
  const known = { ...knownOf(own, random), [operation.path]: [id] };
  const drawn = drawDraft(operation, `Bearer ${drawOne(random, own.callers).token}`, { random, known });
  const wrong = ['{', `"${own.mark}"`, `{"${own.mark}":1}`, `[{"op":"${own.mark}"}]`, ''];
  const call = drawn.body !== null && random(12) === 0 ? { ...drawn, body: drawOne(random, wrong) } : drawn;
  if (isForeign) return { call, innocent: { ...call, target: call.target.replace(id, UNKNOWN) } };
  if (random(6) > 0) return { call, innocent: null };
  // Only a call that changes nothing can be repeated.
  return { call: nameTenant(call, other, random), innocent: operation.method === 'GET' ? call : null };
}

/** Names another tenant in a header or the query; only the token must count. */
function nameTenant(call: Draft, { tenant }: MarkedTenant, random: Random): Draft {
  const name = drawOne(random, ['X-Tenant', 'Tenant', 'X-Tenant-Id', 'X-Forwarded-Host', 'Host', 'X-Org']);
  const value = name.endsWith('Host') ? `${tenant}.example.com` : tenant;
  return { ...call, headers: [...call.headers.filter(([each]) => each !== name), [name, value]] };
}

/** The ids that both tenants use, by the first part of a path. */
const SHARED_IDS: Readonly<Record<string, readonly string[]>> = {
  'auth-users': IDS.identity,
  'auth-profiles': IDS.identityProfile,
  'sod-policies': IDS.sodPolicy,
};

/** Draws an id for the path of an operation, which may be one that only the other tenant has. */
function drawId({ path }: ApiOperation, { own, other }: Sides, random: Random) {
  if (random(12) === 0) return { id: drawOne(random, [own.mark, UNKNOWN, '\0', 'a/b']), isForeign: false };
  const group = path.split('/')[1] ?? '';
  const shared = SHARED_IDS[group];
  if (shared !== undefined) return { id: drawOne(random, shared), isForeign: false };
  const isForeign = path.includes('{') && random(3) === 0;
  const ids = ((isForeign ? other : own).ids[group] ?? []).filter(
    (id) => isForeign || own.callers.every((caller) => caller.id !== id),
  );
  return ids.length === 0 ? { id: UNKNOWN, isForeign: false } : { id: drawOne(random, ids), isForeign };
}

const patch = (op: string, path: string, value: unknown) => [{ op, path, value }];

/** Values with the mark of a tenant, by the name of a property or parameter, or by the id of an operation for its body. */
function knownOf({ mark }: MarkedTenant, random: Random): Source['known'] {
  const text = `${mark} ${random(1_000)}`;
  const { kind: _, id: policyId, ...policy } = markedRecord('sodPolicy', drawOne(random, IDS.sodPolicy), text);
  const refs = [
    ...IDS.entitlement.map((id) => ({ type: 'ENTITLEMENT', id })),
    ...IDS.role.map((id) => ({ type: 'ROLE', id })),
    ...[
      { type: 'ACCESS_PROFILE', id: 'ap-1' },
      { type: 'ROLE', id: text },
    ],
  ];
  return {
    ...{ limit: ['1', '2', '250', '0', mark], filters: filtersWith(mark), policyId: IDS.sodPolicy },
    ...{ 'If-Match': ['*', '"x"', `"${mark}"`], Prefer: ['wait=0', 'wait=1', mark], 'Idempotency-Key': [text] },
    ...{ identityId: [...IDS.identity, text], 'accessRefs[]': refs, clientMetadata: [{ [text]: text }] },
    ...{ name: [text], justification: [text], scopes: [['auth-users:read'], SCOPES.slice(0, 2)] },
    ...{ start: ['9999-01-01T00:00:00Z'], end: ['9999-02-01T00:00:00Z', text] },
    ...{ usernameLabel: [text], usernameEmptyText: [text] },
    iFrameWhitelist: [text, `https://${mark}.example.com`],
    'import-access-model-v1': Array.from({ length: 5 }, () => drawLine(mark, random)),
    'patch-auth-user-v1': [
      ...[['HELPDESK'], ['ORG_ADMIN'], ['ORG_ADMIN', 'CERT_ADMIN'], ['ORG_ADMIN', 'REPORT_ADMIN']].map((capabilities) =>
        patch('replace', '/capabilities', capabilities),
      ),
      ...[patch('test', '/capabilities', [text]), patch('replace', '/displayName', text), []],
    ],
    'patch-profile-config-v1': [
      patch('replace', '/applicationName', text),
      patch('test', '/applicationId', text),
      patch('add', '/type', text),
    ],
    'patch-sod-policy-v1': [
      patch('replace', '/description', text),
      patch('test', '/name', text),
      patch('add', '/tags/-', text),
      patch('replace', '/id', text),
    ],
    'create-sod-policy-v1': [policy],
    'put-sod-policy-v1': [policy],
    'start-sod-dry-run-v1': [{ add: [{ ...policy, id: policyId }] }, { remove: [policyId] }, { remove: [text] }],
    'start-sod-blast-radius-v1': [
      ...IDS.role.map((id) => ({ kind: 'role', id, add: refs.slice(0, 1) })),
      { kind: 'role', id: text, add: [] },
    ],
  };
}

const filtersWith = (mark: string): readonly string[] => [
  'resourceId eq "i-0"',
  'actor eq "i-admin"',
  'outcome eq "DENIED" and operation eq "import-access-model-v1"',
  'resourceType eq "AUTH_USER"',
  'time ge "2020-01-01T00:00:00Z"',
  'state eq "ENFORCED"',
  `name co "${mark}"`,
  `resourceId eq "${mark}"`,
  'state in ("REQUESTED", "VOID")',
  `${mark} eq "x"`,
];

/** A line of an import that changes an existing record, or for which the import is refused. */
function drawLine(mark: string, random: Random): object {
  const kind = drawOne(random, Object.keys(IDS) as MarkedKind[]);
  const ids = IDS[kind].filter((each) => each !== 'fixed' && each !== 'i-admin');
  const id = drawOne(random, ids);
  if (random(12) === 0) return { kind, id, delete: true };
  if (random(16) === 0) return { kind: 'accessProfile', id: 'ap-0', name: mark, entitlements: [`${mark}-none`] };
  return random(16) === 0 ? { kind: mark, id: 'x' } : markedRecord(kind, id, `${mark} ${random(1_000)}`);
}
