import { SCOPES } from '@access-admin/domain';
import { drawOne, type Random } from '../campaign/random.ts';
import { drawJson, type Source } from '../fuzz/draw-json.ts';
import type { ApiOperation, ApiParameter } from '../http/api-document.ts';
import { IDS, type MarkedKind, type MarkedTenant, markedRecord } from './marked-tenants.ts';
import type { Call } from './send-call.ts';

/** A call of one of two tenants. */
export interface DrawnCall extends Call {
  /** For a call that names something of the other tenant: a call that does not, and must get the same answer; else null. */
  readonly innocent: Call | null;
}

/** The tenant of the caller, and the other one. */
export interface Sides {
  readonly own: MarkedTenant;
  readonly other: MarkedTenant;
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Draws a call of an operation, good or bad. Its texts contain the mark of its own tenant. */
export function drawCall(operation: ApiOperation, { own, other }: Sides, random: Random): DrawnCall {
  const { path, isForeign } = drawPath(operation, { own, other }, random);
  const source = { random, known: knownOf(own, random) };
  const query = drawQuery(operation, { own, other }, source);
  const headers: Record<string, string> = { authorization: `Bearer ${drawOne(random, own.tokens)}` };
  for (const each of operation.parameters.filter((parameter) => parameter.in === 'header')) {
    const isSent = each.required ? random(20) > 0 : random(8) === 0;
    if (isSent) headers[each.name] = drawParameter(each, source);
  }
  const mediaType = operation.body?.mediaType ?? null;
  if (mediaType !== null) headers['content-type'] = random(30) === 0 ? 'text/plain' : mediaType;
  const body = mediaType === null ? null : drawBody(operation, own, source);
  const call: Call = { method: operation.method, path: `${path}${query}`, headers, body };
  if (isForeign)
    return { ...call, innocent: { ...call, path: `${operation.path.replace(/\{\w+\}/, UNKNOWN)}${query}` } };
  if (random(6) > 0) return { ...call, innocent: null };
  const named = nameTenant(call, other, random);
  // Only a call that changes nothing can be repeated.
  return { ...named, innocent: operation.method === 'GET' ? call : null };
}

/** Names another tenant in a header; only the token must count. */
function nameTenant(call: Call, { tenant }: MarkedTenant, random: Random): Call {
  const name = drawOne(random, ['x-tenant', 'tenant', 'x-tenant-id', 'x-forwarded-host', 'host', 'x-org']);
  const value = name.endsWith('host') ? `${tenant}.example.com` : tenant;
  return { ...call, headers: { ...call.headers, [name]: value } };
}

/** The ids that both tenants use, by the first part of a path. */
const SHARED_IDS: Readonly<Record<string, readonly string[]>> = {
  'auth-users': IDS.identity,
  'auth-profiles': IDS.identityProfile,
  'sod-policies': IDS.sodPolicy,
};

function drawPath({ path }: ApiOperation, { own, other }: Sides, random: Random) {
  const given = (id: string, isForeign = false) => ({ path: path.replace(/\{\w+\}/, id), isForeign });
  if (!path.includes('{')) return given('');
  if (random(12) === 0) return given(drawOne(random, [own.mark, UNKNOWN, '%00', 'a%2fb']));
  const group = path.split('/')[1] ?? '';
  const shared = SHARED_IDS[group];
  if (shared !== undefined) return given(drawOne(random, shared));
  const isForeign = random(3) === 0;
  const ids = (isForeign ? other : own).ids[group] ?? [];
  const unused = ids.filter((id) => isForeign || !own.callers.includes(id));
  return unused.length === 0 ? given(UNKNOWN) : given(drawOne(random, unused), isForeign);
}

const drawParameter = ({ schema, name }: ApiParameter, source: Source): string =>
  String(drawJson(schema, source, name));

function drawQuery({ parameters }: ApiOperation, { own, other }: Sides, source: Source): string {
  const { random } = source;
  const parts = parameters
    .filter((each) => each.in === 'query' && random(2) === 0)
    .map((each) => `${each.name}=${encodeURIComponent(drawParameter(each, source))}`);
  if (random(20) === 0) parts.push(drawOne(random, [`tenant=${other.tenant}`, `q=${own.mark}`]));
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function drawBody({ id, body }: ApiOperation, own: MarkedTenant, source: Source): string {
  const { random } = source;
  if (random(12) === 0)
    return drawOne(random, ['{', `"${own.mark}"`, `{"${own.mark}":1}`, `[{"op":"${own.mark}"}]`, '']);
  if (id === 'import-access-model-v1') return drawImport(own, random);
  return JSON.stringify(drawJson(body?.schema ?? {}, source, id));
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

/** Changes existing records, or is refused because of one line. */
function drawImport({ mark }: MarkedTenant, random: Random): string {
  const kinds = Object.keys(IDS) as MarkedKind[];
  const lines = Array.from({ length: 1 + random(5) }, (): object => {
    const kind = drawOne(random, kinds);
    const ids = IDS[kind].filter((each) => each !== 'fixed' && each !== 'i-admin');
    const id = drawOne(random, ids);
    return random(12) === 0 ? { kind, id, delete: true } : markedRecord(kind, id, `${mark} ${random(1_000)}`);
  });
  if (random(8) === 0) lines.push({ kind: 'accessProfile', id: 'ap-0', name: mark, entitlements: [`${mark}-none`] });
  if (random(8) === 0) lines.push({ kind: mark, id: 'x' });
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  return random(12) === 0 ? `${text}\n{"${mark}` : text;
}
