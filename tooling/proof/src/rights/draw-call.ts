import { type Dice, drawOne } from '../rules/dice.ts';
import type { HttpCall } from './http-caller.ts';
import { IDS, type MarkedKind, type MarkedTenant, markedRecord, textsOf } from './marked-tenants.ts';
import type { ServedOperation } from './read-operations.ts';

/** A call as one of two tenants, and what must be answered alike. */
export interface DrawnCall extends HttpCall {
  /** A call that names nothing of the other tenant, where this one does; null where it names nothing. */
  readonly innocent: HttpCall | null;
}

/** Who calls, and who has nothing to do with it. */
export interface Sides {
  readonly own: MarkedTenant;
  readonly other: MarkedTenant;
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const CAPABILITY_LISTS = [['HELPDESK'], ['ORG_ADMIN'], ['ORG_ADMIN', 'CERT_ADMIN'], ['ORG_ADMIN', 'REPORT_ADMIN']];

/** A call of an operation, good or bad. Texts that it brings along bear the mark of its own tenant. */
export function drawCall(operation: ServedOperation, { own, other }: Sides, dice: Dice): DrawnCall {
  const { path, isForeign } = drawPath(operation, { own, other }, dice);
  const query = drawQuery(operation, { own, other }, dice);
  const headers: Record<string, string> = { authorization: `Bearer ${drawOne(dice, own.tokens)}` };
  if (dice(20) > 0) headers['x-service-experimental'] = 'true';
  if (operation.mediaType !== null) headers['content-type'] = dice(30) === 0 ? 'text/plain' : operation.mediaType;
  if (dice(8) === 0) headers['if-match'] = drawOne(dice, ['*', '"x"', `"${own.mark}"`]);
  if (dice(8) === 0) headers['prefer'] = drawOne(dice, ['wait=0', 'wait=1', own.mark]);
  const body = operation.mediaType === null ? null : drawBody(operation, own, dice);
  const call: HttpCall = { method: operation.method, path: `${path}${query}`, headers, body };
  if (isForeign)
    return { ...call, innocent: { ...call, path: `${operation.path.replace(/\{\w+\}/, UNKNOWN)}${query}` } };
  if (dice(6) > 0) return { ...call, innocent: null };
  const named = nameTenant(call, other, dice);
  // Only what changes nothing can be asked for twice.
  return { ...named, innocent: operation.method === 'GET' ? call : null };
}

/** Says everywhere but in the token that it is about another tenant. */
function nameTenant(call: HttpCall, { tenant }: MarkedTenant, dice: Dice): HttpCall {
  const name = drawOne(dice, ['x-tenant', 'tenant', 'x-tenant-id', 'x-forwarded-host', 'host', 'x-org']);
  const value = name.endsWith('host') ? `${tenant}.example.com` : tenant;
  return { ...call, headers: { ...call.headers, [name]: value } };
}

function drawPath({ path }: ServedOperation, { own, other }: Sides, dice: Dice) {
  const given = (id: string, isForeign = false) => ({ path: path.replace(/\{\w+\}/, id), isForeign });
  if (!path.includes('{')) return given('');
  if (dice(12) === 0) return given(drawOne(dice, [own.mark, UNKNOWN, '%00', 'a%2fb']));
  if (path.startsWith('/auth-users/')) return given(drawOne(dice, IDS.identity));
  if (path.startsWith('/auth-profiles/')) return given(drawOne(dice, IDS.identityProfile));
  if (path.startsWith('/sod-policies/')) return given(drawOne(dice, IDS.sodPolicy));
  const kind = ownIdsOf(path);
  const isForeign = dice(3) === 0;
  const ids = isForeign ? other[kind] : own[kind].filter((id) => !own.callers.includes(id));
  return ids.length === 0 ? given(UNKNOWN) : given(drawOne(dice, ids), isForeign);
}

/** The ids that a tenant shares with nobody. */
function ownIdsOf(path: string) {
  if (path.startsWith('/sod-violations/')) return 'requestIds';
  if (path.startsWith('/sod-reports/')) return 'reportIds';
  return path.startsWith('/sod-exceptions/') ? 'exceptionIds' : 'clientIds';
}

function drawQuery({ isList }: ServedOperation, { own: { mark }, other }: Sides, dice: Dice): string {
  const parts: string[] = [];
  if (isList && dice(2) === 0) parts.push(`limit=${drawOne(dice, ['1', '2', '250', '0', mark])}`);
  if (isList && dice(2) === 0) parts.push(`offset=${dice(3)}`, 'count=true');
  if (isList && dice(2) === 0) parts.push(`filters=${encodeURIComponent(drawFilter(mark, dice))}`);
  if (dice(20) === 0) parts.push(drawOne(dice, [`tenant=${other.tenant}`, `q=${mark}`]));
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const drawFilter = (mark: string, dice: Dice): string =>
  drawOne(dice, [
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

function drawBody({ id }: ServedOperation, own: MarkedTenant, dice: Dice): string {
  const text = () => `${own.mark} ${dice(1_000)}`;
  if (dice(12) === 0) return drawOne(dice, ['{', `"${own.mark}"`, `{"${own.mark}":1}`, `[{"op":"${own.mark}"}]`, '']);
  if (id === 'import-access-model-v1') return drawImport(own, dice);
  return JSON.stringify(drawJson(id, text, dice));
}

function drawGain(text: () => string, dice: Dice) {
  const add = [{ type: 'ENTITLEMENT', id: drawOne(dice, IDS.entitlement) }];
  return drawOne(dice, [
    { kind: 'role', id: drawOne(dice, IDS.role), add },
    { kind: 'role', id: text(), add: [] },
  ]);
}

function drawJson(id: string, text: () => string, dice: Dice): unknown {
  switch (id) {
    case 'patch-auth-user-v1':
      return drawOne(dice, [
        [{ op: 'replace', path: '/capabilities', value: drawOne(dice, CAPABILITY_LISTS) }],
        [{ op: 'test', path: '/capabilities', value: [text()] }],
        [{ op: 'replace', path: '/displayName', value: text() }],
        [],
      ]);
    case 'patch-profile-config-v1':
      return drawOne(dice, [
        [{ op: 'replace', path: '/applicationName', value: text() }],
        [{ op: 'test', path: '/applicationId', value: text() }],
        [{ op: 'add', path: '/type', value: text() }],
      ]);
    case 'set-tenant-ui-metadata-v1':
      return drawOne(dice, [
        { usernameLabel: text() },
        { usernameEmptyText: text(), iFrameWhitelist: `https://${text().replace(' ', '')}.example.com` },
        { iFrameWhitelist: text() },
      ]);
    case 'create-oauth-client-v1':
      return { name: text(), scopes: ['auth-users:read'], identityId: drawOne(dice, [null, 'i-0', text()]) };
    case 'create-sod-policy-v1':
    case 'put-sod-policy-v1': {
      const { kind: _, id: __, ...fields } = markedRecord('sodPolicy', '', (field) => `${text()} ${field}`);
      return fields;
    }
    case 'patch-sod-policy-v1':
      return drawOne(dice, [
        [{ op: 'replace', path: '/description', value: text() }],
        [{ op: 'test', path: '/name', value: text() }],
        [{ op: 'add', path: '/tags/-', value: text() }],
        [{ op: 'replace', path: '/id', value: text() }],
      ]);
    case 'start-sod-scan-v1':
      return {};
    case 'start-sod-dry-run-v1':
      return drawDryRun(text, dice);
    case 'start-sod-blast-radius-v1':
      return drawGain(text, dice);
    case 'create-sod-exception-v1':
      return {
        ...{ policyId: drawOne(dice, IDS.sodPolicy), identityId: drawOne(dice, IDS.identity), justification: text() },
        ...{ start: '9999-01-01T00:00:00Z', end: drawOne(dice, ['9999-02-01T00:00:00Z', text()]) },
      };
    case 'approve-sod-exception-v1':
    case 'revoke-sod-exception-v1':
      return {};
    case 'start-predict-sod-violations-v1':
    case 'start-violation-check-v1':
      return drawGrant(text, dice);
    default:
      return { text: text() };
  }
}

function drawDryRun(text: () => string, dice: Dice): unknown {
  const { kind: _, ...policy } = markedRecord(
    'sodPolicy',
    drawOne(dice, IDS.sodPolicy),
    (field) => `${text()} ${field}`,
  );
  return drawOne<unknown>(dice, [
    { change: [policy] },
    { add: [policy] },
    { remove: [policy['id']] },
    { remove: [text()] },
  ]);
}

function drawGrant(text: () => string, dice: Dice): unknown {
  const refs = [
    ...IDS.entitlement.map((id) => ({ type: 'ENTITLEMENT', id })),
    ...IDS.role.map((id) => ({ type: 'ROLE', id })),
    { type: 'ACCESS_PROFILE', id: 'ap-1' },
  ];
  const accessRefs = Array.from({ length: dice(4) }, () => drawOne(dice, refs));
  if (dice(8) === 0) accessRefs.push({ type: 'ROLE', id: text() });
  const identityId = dice(10) === 0 ? text() : drawOne(dice, IDS.identity);
  return { identityId, accessRefs, clientMetadata: { [text()]: text() } };
}

/** Changes some of what there is, or is refused for one line of it. */
function drawImport({ mark }: MarkedTenant, dice: Dice): string {
  const kinds = Object.keys(IDS) as MarkedKind[];
  const lines = Array.from({ length: 1 + dice(5) }, (): object => {
    const kind = drawOne(dice, kinds);
    const id = drawOne(
      dice,
      IDS[kind].filter((each) => each !== 'fixed' && each !== 'i-admin'),
    );
    return dice(12) === 0 ? { kind, id, delete: true } : markedRecord(kind, id, textsOf(mark, dice(1_000)));
  });
  if (dice(8) === 0) lines.push({ kind: 'accessProfile', id: 'ap-0', name: mark, entitlements: [`${mark}-none`] });
  if (dice(8) === 0) lines.push({ kind: mark, id: 'x' });
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  return dice(12) === 0 ? `${text}\n{"${mark}` : text;
}
