import { CAPABILITIES, SCOPES } from '@access-admin/domain';
import { drawOne, type Random } from '../campaign/random.ts';
import type { Callers } from './callers.ts';
import type { RequestSource } from './draw-request.ts';

const POINTERS = [
  ...['/capabilities', '/capabilities/0', '/capabilities/-', '/offNetwork', '/untrustedGeography', '/type'],
  ...['/applicationId', '/applicationName', '/strongAuthLogin', '/id', ''],
];
const PATCH_VALUES = [
  ...[['HELPDESK'], [], ['HELPDESK', 'CERT_ADMIN'], 'HELPDESK', 'INTERNAL'],
  ...[true, false, 'NON_PTA', 'PTA', null, 'x'],
];
const PATCH_TYPE = [{ op: 'replace', path: '/type', value: 'PTA' }];
const PATCHES = [
  [{ op: 'replace', path: '/capabilities', value: ['HELPDESK'] }],
  [{ op: 'add', path: '/capabilities/-', value: 'CERT_ADMIN' }],
  [{ op: 'remove', path: '/capabilities' }],
  [{ op: 'replace', path: '/offNetwork', value: true }],
  [{ op: 'test', path: '/offNetwork', value: false }, ...PATCH_TYPE],
  [{ op: 'remove', path: '/applicationName' }],
  [],
];
const REFS = [
  { type: 'ENTITLEMENT', id: 'e-vendor' },
  { type: 'ENTITLEMENT', id: 'e-pay', name: 'AP: release payment' },
  { type: 'ENTITLEMENT', id: 'e-left' },
  { type: 'ROLE', id: 'fuzz-1' },
  { type: 'ACCESS_PROFILE', id: 'fuzz-2' },
  { type: 'ENTITLEMENT', id: 'nothing' },
];
/** Imported records have ids of their own, so that no caller is deleted. */
const FUZZ_IDS = 40;
const REMEMBERED_MAX = 30;

const FILTERS = [
  ...['operation eq "x"', 'outcome eq "DENIED"', 'x eq 1', '"', ''],
  'time ge "2026-01-01T00:00:00Z" and actor eq "x"',
];

interface Known extends Pick<RequestSource, 'known' | 'drawLines' | 'drawForm'> {
  /** Notes the id of a created resource by the path of its operation, so that later requests use it. */
  readonly remember: (path: string, id: string) => void;
}

/** Values that exist in the service and that its document does not contain. */
export function createKnown({ expendable, asking, own }: Callers, random: Random): Known {
  const ids: Record<string, string[]> = {
    '/auth-users/v1/{id}': ['i-ada', 'i-ben', 'i-ben', 'fuzz-3', 'nobody'],
    '/auth-profiles/v1/{id}': ['ip-staff', 'ip-staff', 'fuzz-1'],
    '/oauth-clients/v1/{id}': [...expendable],
    '/sod-policies/v1/{id}': ['p-vendor', 'fuzz-1'],
    '/sod-violations/v1/check/{requestId}': ['nothing'],
  };
  return {
    remember: (path, id) => {
      const known = ids[path];
      if (known === undefined) return;
      if (known.length < REMEMBERED_MAX) known.push(id);
      else known[random(known.length)] = id;
    },
    known: {
      ...ids,
      'application/json-patch+json': PATCHES,
      identityId: ['i-ben', 'i-ada', 'i-ben', 'nobody', 'fuzz-3'],
      'accessRefs[]': REFS,
      accessRefs: [[], [REFS[0]], REFS.slice(0, 3)],
      clientMetadata: [null, {}, { ticket: own }],
      'scopes[]': SCOPES,
      tenant: ['default', 'tenant-b', 'tenant-z', null],
      path: POINTERS,
      from: POINTERS,
      value: PATCH_VALUES,
      iFrameWhitelist: ['https://a.example.com', 'https://a.example.com *.b.example.com', null, 'null'],
      usernameLabel: ['User', own, null],
      usernameEmptyText: ['Name', own, null],
      'If-Match': ['*', '"x"'],
      filters: FILTERS,
      Prefer: ['wait=0', 'wait=1', 'respond-async'],
    },
    drawLines: (random) => Array.from({ length: random(5) }, () => JSON.stringify(drawRecord(random, own))).join('\n'),
    drawForm: (random) => {
      const credentials = { client_id: asking.id, client_secret: random(2) === 0 ? asking.secret : own };
      const scope = random(3) === 0 ? { scope: drawOne(random, SCOPES) } : {};
      return new URLSearchParams({ grant_type: 'client_credentials', ...credentials, ...scope }).toString();
    },
  };
}

function drawRecord(random: Random, own: string): unknown {
  const id = `fuzz-${random(FUZZ_IDS)}`;
  const side = (at: string) => ({ name: own, criteriaList: [{ type: 'ENTITLEMENT', id: at }] });
  const criteria = { leftCriteria: side(`fuzz-${random(FUZZ_IDS)}`), rightCriteria: side('e-pay') };
  return drawOne<unknown>(random, [
    { kind: 'entitlement', id, name: own, source: 'ERP' },
    { kind: 'entitlement', id, delete: true },
    { kind: 'accessProfile', id, name: own, entitlements: ['e-vendor'] },
    { kind: 'role', id, name: own, accessProfiles: [], entitlements: ['e-left', 'e-right'] },
    { kind: 'identityProfile', id, name: own, authProfile: { type: 'PTA', applicationId: null } },
    {
      ...{ kind: 'identity', id, uid: own, identityProfile: 'ip-staff', displayName: own },
      ...{ access: [REFS[0]], capabilities: [drawOne(random, CAPABILITIES)] },
    },
    { kind: 'identity', id, uid: id, identityProfile: 'ip-staff', email: own, lastLoginTimestamp: random(2 ** 31) },
    { kind: drawOne(random, ['identity', 'role', 'accessProfile', 'identityProfile', 'sodPolicy']), id, delete: true },
    { kind: 'sodPolicy', id, name: own, level: 'LOW', tags: ['a'], conflictingAccessCriteria: criteria },
    { kind: 'uiMetadata', id: 'tenant', usernameLabel: own },
  ]);
}
