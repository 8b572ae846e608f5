import { CAPABILITIES, SCOPES } from '@access-admin/domain';
import type { Random } from '../campaign/random.ts';
import type { Callers } from './callers.ts';
import type { Source } from './draw-json.ts';
import { words } from './spoil-json.ts';

const POINTERS = words(
  '/capabilities /capabilities/0 /capabilities/- /offNetwork /untrustedGeography /type /level /description',
  '/applicationId /applicationName /strongAuthLogin /id ',
);
const CAPABILITY_SETS = [['HELPDESK'], [], ['HELPDESK', 'CERT_ADMIN']];
const PATCH_VALUES = [...CAPABILITY_SETS, 'HELPDESK', 'INTERNAL', true, false, 'NON_PTA', 'PTA', null, 'x'];
const PATCH_OPERATIONS = [
  { op: 'replace', path: '/capabilities', value: ['HELPDESK'] },
  { op: 'add', path: '/capabilities/-', value: 'CERT_ADMIN' },
  { op: 'remove', path: '/capabilities' },
  { op: 'replace', path: '/offNetwork', value: true },
  { op: 'test', path: '/offNetwork', value: false },
  { op: 'replace', path: '/type', value: 'PTA' },
  { op: 'remove', path: '/applicationName' },
  { op: 'replace', path: '/level', value: 'LOW' },
];
const REFS = [
  { type: 'ENTITLEMENT', id: 'e-vendor' },
  { type: 'ENTITLEMENT', id: 'e-pay', name: 'AP: release payment' },
  { type: 'ENTITLEMENT', id: 'e-left' },
  { type: 'ROLE', id: 'fuzz-1' },
  { type: 'ACCESS_PROFILE', id: 'fuzz-2' },
  { type: 'ENTITLEMENT', id: 'nothing' },
];
const ENTITLEMENTS = REFS.filter(({ type }) => type === 'ENTITLEMENT').map(({ type, id }) => ({ type, id }));
/** Imported records have ids of their own, so that no caller is deleted. */
const FUZZ_IDS = Array.from({ length: 40 }, (_, number) => `fuzz-${number}`);
const REMEMBERED_MAX = 30;

const LATE_EVENTS = 'time ge "2026-01-01T00:00:00Z" and actor eq "x"';

interface Known extends Pick<Source, 'known'> {
  /** Notes the id of a created resource by the path of its operation, so that later requests use it. */
  readonly remember: (path: string, id: string) => void;
}

/** Values that exist in the service and that its document does not contain. */
export function createKnown({ expendable, asking, own }: Callers, random: Random): Known {
  const ids: Record<string, string[]> = {
    '/auth-users/v1/{id}': ['i-ada', 'i-ben', 'i-ben', 'fuzz-3', 'absent'],
    '/auth-profiles/v1/{id}': ['ip-staff', 'ip-staff', 'fuzz-1'],
    '/oauth-clients/v1/{id}': [...expendable],
    '/oauth-clients/v1/{id}/rotate-secret': [...expendable],
    '/sod-policies/v1/{id}': ['p-vendor', 'fuzz-1'],
    '/sod-exceptions/v1/{id}': ['absent'],
    '/sod-reports/v1/{reportId}': ['absent'],
    '/sod-violations/v1/check/{requestId}': ['absent'],
  };
  const texts = { name: [own, ...FUZZ_IDS], uid: FUZZ_IDS, displayName: [own], email: [own], justification: [own] };
  const credentials = { grant_type: 'client_credentials', client_id: asking.id, client_secret: asking.secret };
  const forms = [credentials, { ...credentials, scope: 'tenants:manage' }, { ...credentials, client_secret: own }];
  return {
    remember: (path, id) => {
      const known = ids[path];
      if (known === undefined) return;
      if (known.length < REMEMBERED_MAX) known.push(id);
      else known[random(known.length)] = id;
    },
    known: {
      ...ids,
      ...texts,
      id: FUZZ_IDS,
      identityProfile: ['ip-staff'],
      'entitlements[]': ['e-vendor', 'e-left', 'e-right'],
      'accessProfiles[]': FUZZ_IDS,
      'criteriaList[]': ENTITLEMENTS,
      'access[]': REFS,
      'capabilities[]': CAPABILITIES,
      'application/json-patch+json[]': PATCH_OPERATIONS,
      identityId: ['i-ben', 'i-ada', 'i-ben', 'absent', 'fuzz-3'],
      policyId: ['p-vendor', 'fuzz-1'],
      'accessRefs[]': REFS,
      accessRefs: [[], [REFS[0]], REFS.slice(0, 3)],
      clientMetadata: [null, {}, { ticket: own }],
      'scopes[]': SCOPES,
      scope: SCOPES,
      client_id: [asking.id],
      'application/x-www-form-urlencoded': forms,
      tenant: ['default', 'tenant-b', 'tenant-z', null],
      path: POINTERS,
      from: POINTERS,
      value: PATCH_VALUES,
      iFrameWhitelist: ['https://a.example.com', 'https://a.example.com *.b.example.com', null, 'null'],
      usernameLabel: ['User', own, null],
      usernameEmptyText: ['Name', own, null],
      'If-Match': ['*', '"x"'],
      filters: [LATE_EVENTS, 'operation eq "x"', 'outcome eq "DENIED"', 'x eq 1', '"', ''],
      Prefer: ['wait=0', 'wait=1', 'respond-async'],
    },
  };
}
