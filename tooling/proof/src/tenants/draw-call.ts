import { drawOne, type Random } from '../campaign/random.ts';
import type { ApiOperation } from '../http/api-document.ts';
import { IDS, type MarkedKind, type MarkedTenant, markedRecord, textsOf } from './marked-tenants.ts';
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
const CAPABILITY_LISTS = [['HELPDESK'], ['ORG_ADMIN'], ['ORG_ADMIN', 'CERT_ADMIN'], ['ORG_ADMIN', 'REPORT_ADMIN']];

/** Draws a call of an operation, good or bad. Its texts contain the mark of its own tenant. */
export function drawCall(operation: ApiOperation, { own, other }: Sides, random: Random): DrawnCall {
  const { path, isForeign } = drawPath(operation, { own, other }, random);
  const query = drawQuery(operation, { own, other }, random);
  const headers: Record<string, string> = { authorization: `Bearer ${drawOne(random, own.tokens)}` };
  if (random(20) > 0) headers['x-service-experimental'] = 'true';
  const mediaType = operation.body?.mediaType ?? null;
  if (mediaType !== null) headers['content-type'] = random(30) === 0 ? 'text/plain' : mediaType;
  if (random(8) === 0) headers['if-match'] = drawOne(random, ['*', '"x"', `"${own.mark}"`]);
  if (random(8) === 0) headers['prefer'] = drawOne(random, ['wait=0', 'wait=1', own.mark]);
  const body = mediaType === null ? null : drawBody(operation, own, random);
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

function drawPath({ path }: ApiOperation, { own, other }: Sides, random: Random) {
  const given = (id: string, isForeign = false) => ({ path: path.replace(/\{\w+\}/, id), isForeign });
  if (!path.includes('{')) return given('');
  if (random(12) === 0) return given(drawOne(random, [own.mark, UNKNOWN, '%00', 'a%2fb']));
  if (path.startsWith('/auth-users/')) return given(drawOne(random, IDS.identity));
  if (path.startsWith('/auth-profiles/')) return given(drawOne(random, IDS.identityProfile));
  if (path.startsWith('/sod-policies/')) return given(drawOne(random, IDS.sodPolicy));
  const kind = ownIdsOf(path);
  const isForeign = random(3) === 0;
  const ids = isForeign ? other[kind] : own[kind].filter((id) => !own.callers.includes(id));
  return ids.length === 0 ? given(UNKNOWN) : given(drawOne(random, ids), isForeign);
}

/** The kind of ids that belong to one tenant alone. */
function ownIdsOf(path: string) {
  if (path.startsWith('/sod-violations/')) return 'requestIds';
  if (path.startsWith('/sod-reports/')) return 'reportIds';
  return path.startsWith('/sod-exceptions/') ? 'exceptionIds' : 'clientIds';
}

function drawQuery({ isList }: ApiOperation, { own: { mark }, other }: Sides, random: Random): string {
  const parts: string[] = [];
  if (isList && random(2) === 0) parts.push(`limit=${drawOne(random, ['1', '2', '250', '0', mark])}`);
  if (isList && random(2) === 0) parts.push(`offset=${random(3)}`, 'count=true');
  if (isList && random(2) === 0) parts.push(`filters=${encodeURIComponent(drawFilter(mark, random))}`);
  if (random(20) === 0) parts.push(drawOne(random, [`tenant=${other.tenant}`, `q=${mark}`]));
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const drawFilter = (mark: string, random: Random): string =>
  drawOne(random, [
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
  ]);

function drawBody({ id }: ApiOperation, own: MarkedTenant, random: Random): string {
  const text = () => `${own.mark} ${random(1_000)}`;
  if (random(12) === 0)
    return drawOne(random, ['{', `"${own.mark}"`, `{"${own.mark}":1}`, `[{"op":"${own.mark}"}]`, '']);
  if (id === 'import-access-model-v1') return drawImport(own, random);
  return JSON.stringify(BODIES[id]?.(text, random) ?? { text: text() });
}

type Text = () => string;
type DrawBody = (text: Text, random: Random) => unknown;

const policyOf = (id: string, text: Text) => markedRecord('sodPolicy', id, (field) => `${text()} ${field}`);

const drawPolicy: DrawBody = (text) => {
  const { kind: _, id: __, ...fields } = policyOf('', text);
  return fields;
};

const drawDryRun: DrawBody = (text, random) => {
  const { kind: _, ...policy } = policyOf(drawOne(random, IDS.sodPolicy), text);
  return drawOne<unknown>(random, [{ add: [policy] }, { remove: [policy['id']] }, { remove: [text()] }]);
};

const patch = (op: string, path: string, value: unknown) => [{ op, path, value }];

/** Bodies by the id of the operation. */
const BODIES: Readonly<Record<string, DrawBody>> = {
  'patch-auth-user-v1': (text, random) =>
    drawOne(random, [
      patch('replace', '/capabilities', drawOne(random, CAPABILITY_LISTS)),
      patch('test', '/capabilities', [text()]),
      patch('replace', '/displayName', text()),
      [],
    ]),
  'patch-profile-config-v1': (text, random) =>
    drawOne(random, [
      patch('replace', '/applicationName', text()),
      patch('test', '/applicationId', text()),
      patch('add', '/type', text()),
    ]),
  'set-tenant-ui-metadata-v1': (text, random) =>
    drawOne(random, [
      { usernameLabel: text() },
      { usernameEmptyText: text(), iFrameWhitelist: `https://${text().replace(' ', '')}.example.com` },
      { iFrameWhitelist: text() },
    ]),
  'create-oauth-client-v1': (text, random) => {
    const identityId = drawOne(random, [null, 'i-0', text()]);
    return { name: text(), scopes: ['auth-users:read'], identityId };
  },
  'create-sod-policy-v1': drawPolicy,
  'put-sod-policy-v1': drawPolicy,
  'patch-sod-policy-v1': (text, random) =>
    drawOne(random, [
      patch('replace', '/description', text()),
      patch('test', '/name', text()),
      patch('add', '/tags/-', text()),
      patch('replace', '/id', text()),
    ]),
  'start-sod-scan-v1': () => ({}),
  'start-sod-dry-run-v1': drawDryRun,
  'start-sod-blast-radius-v1': (text, random) => {
    const add = [{ type: 'ENTITLEMENT', id: drawOne(random, IDS.entitlement) }];
    return drawOne(random, [
      { kind: 'role', id: drawOne(random, IDS.role), add },
      { kind: 'role', id: text(), add: [] },
    ]);
  },
  'create-sod-exception-v1': (text, random) => ({
    ...{ policyId: drawOne(random, IDS.sodPolicy), identityId: drawOne(random, IDS.identity), justification: text() },
    ...{ start: '9999-01-01T00:00:00Z', end: drawOne(random, ['9999-02-01T00:00:00Z', text()]) },
  }),
  'approve-sod-exception-v1': () => ({}),
  'revoke-sod-exception-v1': () => ({}),
  'start-predict-sod-violations-v1': drawGrant,
  'start-violation-check-v1': drawGrant,
};

function drawGrant(text: () => string, random: Random): unknown {
  const refs = [
    ...IDS.entitlement.map((id) => ({ type: 'ENTITLEMENT', id })),
    ...IDS.role.map((id) => ({ type: 'ROLE', id })),
    { type: 'ACCESS_PROFILE', id: 'ap-1' },
  ];
  const accessRefs = Array.from({ length: random(4) }, () => drawOne(random, refs));
  if (random(8) === 0) accessRefs.push({ type: 'ROLE', id: text() });
  const identityId = random(10) === 0 ? text() : drawOne(random, IDS.identity);
  return { identityId, accessRefs, clientMetadata: { [text()]: text() } };
}

/** Changes existing records, or is refused because of one line. */
function drawImport({ mark }: MarkedTenant, random: Random): string {
  const kinds = Object.keys(IDS) as MarkedKind[];
  const lines = Array.from({ length: 1 + random(5) }, (): object => {
    const kind = drawOne(random, kinds);
    const id = drawOne(
      random,
      IDS[kind].filter((each) => each !== 'fixed' && each !== 'i-admin'),
    );
    return random(12) === 0 ? { kind, id, delete: true } : markedRecord(kind, id, textsOf(mark, random(1_000)));
  });
  if (random(8) === 0) lines.push({ kind: 'accessProfile', id: 'ap-0', name: mark, entitlements: [`${mark}-none`] });
  if (random(8) === 0) lines.push({ kind: mark, id: 'x' });
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  return random(12) === 0 ? `${text}\n{"${mark}` : text;
}
