import type { Operation } from '@access-admin/contract';
import { SCOPES } from '@access-admin/domain';
import { drawOne, type Random } from '../campaign/random.ts';
import type { Call } from '../http/caller.ts';
import { collectionOf, IDS, type MarkedKind, type MarkedTenant, markedRecord } from './marked-tenants.ts';

/** A call of one of two tenants. */
export interface DrawnCall {
  readonly call: Call;
  /** For a call that names something of the other tenant: a call that does not, and must get the same answer; else null. */
  readonly innocent: Call | null;
}

/** The tenant of the caller, and the other one. */
export interface Sides {
  readonly own: MarkedTenant;
  readonly other: MarkedTenant;
}

type Known = Readonly<Record<string, readonly unknown[]>>;

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Draws a call of an operation, good or bad. Its texts contain the mark of its own tenant. */
export function drawCall(operation: Operation, { own, other }: Sides, random: Random): DrawnCall {
  const { path, innocentPath } = drawPath(operation, { own, other }, random);
  const known = knownOf(own, random);
  const query = drawQuery(operation, known, random);
  const body = drawBody(operation, { known, mark: own.mark }, random);
  const headers = {
    authorization: `Bearer ${drawOne(random, own.callers).token}`,
    ...drawHeaders(operation, known, random),
  };
  const call: Call = {
    method: operation.method,
    path: `${path}${query}`,
    headers: { ...headers, ...confirmationOf(operation, path) },
    ...(body === null ? {} : { body, type: operation.body?.mediaType ?? 'application/json' }),
  };
  if (path !== innocentPath) {
    const confirmed = { ...headers, ...confirmationOf(operation, innocentPath) };
    return { call, innocent: { ...call, path: `${innocentPath}${query}`, headers: confirmed } };
  }
  if (random(6) > 0) return { call, innocent: null };
  // Only a call that changes nothing can be repeated.
  return { call: nameTenant(call, other, random), innocent: operation.method === 'GET' ? call : null };
}

/** Names another tenant in a header; only the token must count. */
function nameTenant(call: Call, { tenant }: MarkedTenant, random: Random): Call {
  const name = drawOne(random, ['X-Tenant', 'Tenant', 'X-Tenant-Id', 'X-Forwarded-Host', 'Host', 'X-Org']);
  const value = name.endsWith('Host') ? `${tenant}.example.com` : tenant;
  return { ...call, headers: { ...call.headers, [name]: value } };
}

function drawQuery({ list, filters, query, includes }: Operation, known: Known, random: Random): string {
  const names = [
    ...(list ? ['limit', 'count'] : []),
    ...(Object.keys(filters).length > 0 ? ['filters'] : []),
    ...(includes.length > 0 ? ['include'] : []),
    ...Object.keys(query),
  ].filter(() => random(3) === 0);
  const drawnValue = (name: string) =>
    name === 'include' ? includes.join(',') : drawOne(random, known[name] ?? ['1', 'true']);
  const drawn = Object.fromEntries(names.map((name) => [name, String(drawnValue(name))]));
  const text = new URLSearchParams(drawn).toString();
  return text === '' ? '' : `?${text}`;
}

function drawHeaders({ method, etag, waits, idempotencyKey, experimental }: Operation, known: Known, random: Random) {
  const names = [
    ...(etag && method !== 'GET' ? ['If-Match'] : []),
    ...(waits ? ['Prefer'] : []),
    ...(idempotencyKey ? ['Idempotency-Key'] : []),
  ].filter(() => random(3) === 0);
  const drawn = names.map((name) => [name, String(drawOne(random, known[name] ?? ['x']))]);
  return { ...Object.fromEntries(drawn), ...(experimental ? { 'X-Service-Experimental': 'true' } : {}) };
}

/** What the path has in place of its parameter, where it must be repeated. */
function confirmationOf({ confirmation, path: template }: Operation, path: string): Readonly<Record<string, string>> {
  const place = template.split('/').findIndex((part) => part.startsWith('{'));
  return confirmation === null ? {} : { [confirmation]: path.split('/')[place] ?? '' };
}

/** A known body, or the documented one with texts of the tenant; at times a wrong one. Null without one. */
function drawBody(
  { id, body, example }: Operation,
  { known, mark }: { readonly known: Known; readonly mark: string },
  random: Random,
): string | null {
  if (body === null) return null;
  if (random(12) === 0) return drawOne(random, ['{', `"${mark}"`, `{"${mark}":1}`, `[{"op":"${mark}"}]`, '']);
  const draw = () =>
    JSON.stringify(known[id] === undefined ? marked(example.body, known, random) : drawOne(random, known[id]));
  return body.mediaType === 'application/x-ndjson' ? Array.from({ length: random(5) }, draw).join('\n') : draw();
}

/** A value, with known values in place of its members of that name. */
function marked(value: unknown, known: Known, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => marked(item, known, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const values = known[name];
      return [name, values !== undefined && random(10) < 9 ? drawOne(random, values) : marked(member, known, random)];
    }),
  );
}

/** The ids that both tenants use, by the collection in a path. */
const SHARED_IDS: Readonly<Record<string, readonly string[]>> = {
  'auth-users': IDS.identity,
  'auth-profiles': IDS.identityProfile,
  'sod-policies': IDS.sodPolicy,
  sources: IDS.source,
  parts: ['1', '2'],
};

/** Draws the path of an operation. It may have ids that only the other tenant has: the innocent path has unknown ones instead. */
function drawPath({ path }: Operation, sides: Sides, random: Random) {
  const drawn = [...path.matchAll(/\{\w+\}/g)].map(([parameter]) => ({
    parameter,
    ...drawId(collectionOf(path.slice(0, path.indexOf(parameter))), sides, random),
  }));
  const filled = (idOf: (each: (typeof drawn)[number]) => string) =>
    drawn.reduce((text, each) => text.replace(each.parameter, () => encodeURIComponent(idOf(each))), path);
  return {
    path: filled(({ id }) => id),
    innocentPath: filled(({ id, isForeign }) => (isForeign ? UNKNOWN : id)),
  };
}

/** Draws an id of a collection. */
function drawId(collection: string, { own, other }: Sides, random: Random) {
  if (random(12) === 0) return { id: drawOne(random, [own.mark, UNKNOWN, '\0', 'a/b']), isForeign: false };
  const shared = SHARED_IDS[collection];
  if (shared !== undefined) return { id: drawOne(random, shared), isForeign: false };
  const isForeign = random(3) === 0;
  const ownIds = own.ids[collection] ?? [];
  const ids = isForeign
    ? (other.ids[collection] ?? []).filter((id) => !ownIds.includes(id))
    : ownIds.filter((id) => own.callers.every((caller) => caller.id !== id));
  return ids.length === 0 ? { id: UNKNOWN, isForeign: false } : { id: drawOne(random, ids), isForeign };
}

/** The body of a record that the other tenant does not have: its id is drawn, and does not hold the mark. */
function newRecord(kind: MarkedKind, text: string, random: Random): object {
  const { kind: _, ...record } = markedRecord(kind, `new-${random(1_000_000_000)}`, text);
  return record;
}

const patch = (op: string, path: string, value: unknown) => [{ op, path, value }];

/** Values with the mark of a tenant, by the name of a property or parameter, or by the id of an operation for its body. */
function knownOf({ mark }: MarkedTenant, random: Random): Known {
  const text = `${mark} ${random(1_000)}`;
  const { kind: _, id: policyId, ...policy } = markedRecord('sodPolicy', drawOne(random, IDS.sodPolicy), text);
  const refs = [
    ...IDS.entitlement.map((id) => ({ type: 'ENTITLEMENT', id })),
    ...IDS.role.map((id) => ({ type: 'ROLE', id })),
    { type: 'ACCESS_PROFILE', id: 'ap-1' },
    { type: 'ROLE', id: text },
  ];
  return {
    limit: ['1', '2', '250', '0', mark],
    filters: filtersWith(mark),
    policyId: IDS.sodPolicy,
    'If-Match': ['*', '"x"', `"${mark}"`],
    Prefer: ['wait=0', 'wait=1', mark],
    'Idempotency-Key': [text],
    identityId: [...IDS.identity, text],
    'accessRefs[]': refs,
    clientMetadata: [{ [text]: text }],
    name: [text],
    justification: [text],
    scopes: [['auth-users:read'], SCOPES.slice(0, 2)],
    start: ['9999-01-01T00:00:00Z'],
    end: ['9999-02-01T00:00:00Z', text],
    usernameLabel: [text],
    usernameEmptyText: [text],
    iFrameWhitelist: [text, `https://${mark}.example.com`],
    'import-access-model-v1': Array.from({ length: 5 }, () => drawLine(mark, random)),
    'patch-auth-user-v1': [
      ...[['HELPDESK'], ['ORG_ADMIN'], ['ORG_ADMIN', 'CERT_ADMIN'], ['ORG_ADMIN', 'REPORT_ADMIN']].map((capabilities) =>
        patch('replace', '/capabilities', capabilities),
      ),
      patch('test', '/capabilities', [text]),
      patch('replace', '/displayName', text),
      [],
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
    'create-entitlement-v1': [newRecord('entitlement', text, random)],
    'create-access-profile-v1': [newRecord('accessProfile', text, random)],
    'create-role-v1': [newRecord('role', text, random)],
    'create-identity-profile-v1': [newRecord('identityProfile', text, random)],
    'create-identity-v1': [newRecord('identity', text, random)],
    'create-sod-policy-v1': [policy],
    'put-sod-policy-v1': [policy],
    'start-sod-dry-run-v1': [{ add: [{ ...policy, id: policyId }] }, { remove: [policyId] }, { remove: [text] }],
    'start-sod-fix-plan-v1': [{}, { identityIds: [text] }, { protect: refs.slice(0, 1) }],
    'hand-over-sod-fix-step-v1': [{ comment: text }],
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
