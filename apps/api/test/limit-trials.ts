import type { PUBLISHED_LIMITS } from '@access-admin/contract';
import { openOwnSigner } from './sign-own-token.ts';
import { type TestAnswer, type TestApi, WORLD } from './test-api.ts';

/** The name of a published limit. */
export type Limit = keyof typeof PUBLISHED_LIMITS;

/** Sends something of a given size: accepted up to the limit, refused as published above it. */
export interface Trial {
  readonly name: string;
  readonly limit: Limit;
  readonly most: number;
  readonly send: (api: TestApi, size: number) => Promise<TestAnswer>;
  /** Where no request of the size can succeed: the refusal that shows that the size was accepted. */
  readonly atTheLine?: readonly [number, string];
}

const KIB = 1024;
const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const NDJSON = { 'content-type': 'application/x-ndjson' };
const USER = '/auth-users/v1/i-cleo';
const PROFILE = '/auth-profiles/v1/ip-emp';
const UI = '/ui-metadata/v1/tenant';
const BRANDING = '/branding/v1/tenant';
const grant = { resourceType: 'record', resourceId: 'record-1', action: 'read' };
/** The beginning of a PNG with this size in its header, as a logo. */
function pngOf(width: number, height: number, length = 64): string {
  const bytes = Buffer.alloc(length);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
const NETWORK = '/auth-org/v1/network-config';
const PREDICT = '/sod-violations/v1/predict';
const CHECK = '/sod-violations/v1/check';
const CLIENTS = '/oauth-clients/v1';
const DRY_RUN = '/sod-policies/v1/dry-run';
const SOURCES = '/sources/v1';
const WEBHOOKS = '/webhooks/v1';
const WEBHOOK = { name: 'w', url: 'https://hooks.example.com/', types: ['*'] };

/** Characters of two code units and four bytes each: lengths count characters. */
/** Origins of so many bytes, with the spaces between them; the last one is a little longer than the others. */
function originsOf(bytes: number): string {
  const origins = Array(Math.floor((bytes + 1) / 40))
    .fill(`${'a'.repeat(31)}.example`)
    .join(' ');
  return `${origins.slice(0, -'.example'.length)}${'b'.repeat(bytes - origins.length)}.example`;
}

const characters = (count: number) => '\u{1f600}'.repeat(count);
/** An existing entitlement. */
export const ref = { type: 'ENTITLEMENT', id: 'e-pay' };
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const padded = (text: string, size: number) => text + ' '.repeat(size - Buffer.byteLength(text));

const send =
  (method: string, path: string, bodyOf: (size: number) => unknown, headers: Record<string, string> = {}) =>
  ({ call }: TestApi, size: number) =>
    call(method, path, { headers: { ...EXPERIMENTAL, ...headers }, body: bodyOf(size) });

const imports =
  (...recordsOf: readonly ((size: number) => object)[]) =>
  ({ importRecords }: TestApi, size: number) =>
    importRecords(recordsOf.map((recordOf) => recordOf(size)));

const asks = (bodyOf: (size: number) => object) => ({
  predict: send('POST', PREDICT, bodyOf),
  check: send('POST', CHECK, bodyOf),
});

const entitlement = { kind: 'entitlement', id: 'e-new', name: 'E' };
const identity = { kind: 'identity', id: 'i-new', uid: 'new', identityProfile: 'ip-emp' };
const control = { kind: 'control', id: 'c-new', name: 'C', expiration: '20d' };
const newSource = { id: 's-0', name: 'S' };
const source = { kind: 'source', ...newSource };
const sources = (count: number) => Array.from({ length: count }, (_, at) => ({ ...source, id: `s-${at}` }));
const rules = (count: number) => Array(count).fill({ account: 'id', identity: 'id' });
const ofSource =
  (method: string, bodyOf: (size: number) => unknown): Trial['send'] =>
  async ({ call, importRecords }, size) => {
    await importRecords([source]);
    return call(method, `${SOURCES}/${source.id}`, { body: bodyOf(size) });
  };
const provision =
  (path: string, bodyOf: (size: number) => unknown): Trial['send'] =>
  async ({ call, importRecords }, size) => {
    await importRecords([source]);
    const headers = { 'content-type': 'application/scim+json' };
    return call('POST', `/scim/v2/${source.id}${path}`, { headers, body: bodyOf(size) });
  };
/** The path of the static tokens of a new client. */
async function openBearerTokens({ call, importRecords }: TestApi): Promise<string> {
  await importRecords([source]);
  const { json } = await call('POST', CLIENTS, { body: { name: 'c', scopes: ['scim:manage'] } });
  return `${CLIENTS}/${json.id}/bearer-tokens`;
}
const policy = { ...WORLD[10], id: 'p-new' };
/** A policy with existing items and without an id. */
const { kind: _, id: __, ...newPolicy } = WORLD[10];
/** A policy with these sides. */
export const criteria = (left: object, right: object) => ({
  ...policy,
  conflictingAccessCriteria: { leftCriteria: left, rightCriteria: right },
});
/** The given number of unknown entitlements. */
export const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ type: 'ENTITLEMENT', id: `x-${at}` }));
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
const request = { identityId: 'i-cleo', accessRefs: [ref] };

/** Requested access of which a window ends on each of so many days. */
const endingInTurn = (size: number) => ({
  identityId: 'i-cleo',
  accessRefs: Array.from({ length: size }, (_, at) => ({
    ...ref,
    end: new Date(Date.UTC(2027, 0, 1 + at)).toISOString(),
  })),
});

/** Nests the capabilities to this depth, counted with the object and the list around them. */
const deepened = (depth: number) => [
  { op: 'replace', path: '/capabilities', value: [[]] },
  ...Array(depth - 3)
    .fill([
      { op: 'add', path: '/capabilities/0', value: [] },
      { op: 'move', from: '/capabilities/1', path: '/capabilities/0/-' },
    ])
    .flat(),
];

/** A token of exactly this length, in the form of our own. */
async function tokenOfLength(api: TestApi, length: number): Promise<string> {
  const { sign } = await openOwnSigner(api);
  for (const extra of ['', 'y', 'yy']) {
    const bare = (await sign({ pad: '' }, { pad: extra })).length;
    const about = Math.floor(((length - bare) * 3) / 4);
    for (const pad of [about - 1, about, about + 1, about + 2]) {
      const token = await sign({ pad: 'x'.repeat(pad) }, { pad: extra });
      if (token.length === length) return token;
    }
  }
  throw new Error(`no token of ${length} characters`);
}

const trial = (
  limit: Limit,
  most: number,
  sends: Readonly<Record<string, Trial['send']>>,
  atTheLine?: Trial['atTheLine'],
): Trial[] =>
  Object.entries(sends).map(([name, sending]) => ({
    name,
    limit,
    most,
    send: sending,
    ...(atTheLine === undefined ? {} : { atTheLine }),
  }));

export const TRIALS: readonly Trial[] = [
  {
    name: 'key of a check',
    limit: 'idempotencyKey',
    most: 255,
    send: ({ call }, size) =>
      call('POST', CHECK, {
        headers: { 'idempotency-key': 'k'.repeat(size) },
        body: { identityId: 'i-cleo', accessRefs: [ref] },
      }),
  },
  ...trial(
    'webhookTypes',
    50,
    // Repeated patterns are refused after they were counted.
    { 'a new webhook': send('POST', WEBHOOKS, (size) => ({ ...WEBHOOK, types: Array(size).fill('*') })) },
    [400, '400.1.3'],
  ),
  ...trial('eventsLimit', 1000, {
    'a page of events': ({ call }, size) => call('GET', `/events/v1?limit=${size}`),
  }),
  ...trial('webhookUrl', 2048, {
    'a new webhook': send('POST', WEBHOOKS, (size) => ({ ...WEBHOOK, url: WEBHOOK.url.padEnd(size, 'a') })),
  }),
  ...trial('token', 32_768, {
    'a signed token': async (api, size) => api.call('GET', CLIENTS, { token: await tokenOfLength(api, size) }),
  }),
  ...trial('smallBody', 64 * KIB, {
    'PATCH of an auth user': send('PATCH', USER, (size) => padded('[]', size)),
    'PATCH of an auth profile': send('PATCH', PROFILE, (size) => padded('[]', size)),
    'PUT of UI metadata': send('PUT', UI, (size) => padded('{}', size)),
    'a new client': send('POST', CLIENTS, (size) => padded('{"name":"c","scopes":["auth-users:read"]}', size)),
  }),
  ...trial('tokenBody', 64 * KIB, {
    'a form': ({ requestToken }, size) => {
      const form = { grant_type: 'client_credentials', client_id: 'root', client_secret: 'root secret%' };
      return requestToken({ ...form, pad: 'x'.repeat(size - `${new URLSearchParams({ ...form, pad: '' })}`.length) });
    },
  }),
  ...trial('sodBody', 256 * KIB, {
    predict: send('POST', PREDICT, (size) => padded(JSON.stringify(request), size)),
    check: send('POST', CHECK, (size) => padded(JSON.stringify(request), size)),
    branding: send('PUT', BRANDING, (size) => padded('{"title":"Example"}', size)),
  }),
  ...trial('importBody', 16 * KIB * KIB, {
    'lines that are blank': send(
      'POST',
      '/access-model/v1/import',
      (size) => `${`${' '.repeat(KIB * KIB - 1)}\n`.repeat(15)}${' '.repeat(size - 15 * KIB * KIB)}`,
      NDJSON,
    ),
  }),
  ...trial('dryRunBody', 16 * KIB * KIB, {
    'with space around it': send('POST', DRY_RUN, (size) => padded('{"remove":[]}', size)),
  }),
  ...trial('scimBody', 8 * KIB * KIB, {
    'a new user': provision('/Users', (size) => padded('{"userName":"x"}', size)),
  }),
  ...trial('scimSearchBody', 64 * KIB, {
    'of all resources': provision('/.search', (size) => padded('{}', size)),
    'of users': provision('/Users/.search', (size) => padded('{}', size)),
  }),
  ...trial('scimBulkBody', KIB * KIB, {
    'no operations': provision('/Bulk', (size) => padded('{"Operations":[]}', size)),
  }),
  ...trial('scimBulkOperations', 1000, {
    'of nobody': provision('/Bulk', (size) => ({
      Operations: Array(size).fill({ method: 'DELETE', path: '/Users/none' }),
    })),
  }),
  ...trial('dryRunPolicy', KIB * KIB, {
    'with space in it': send('POST', DRY_RUN, (size) => {
      const text = JSON.stringify(newPolicy);
      return `{"add":[${text.slice(0, -1)}${' '.repeat(size - text.length)}}]}`;
    }),
  }),
  ...trial(
    'dryRunPolicies',
    10_000,
    {
      'ids of all three kinds': send('POST', DRY_RUN, (size) => ({
        add: [newPolicy],
        change: [{ ...newPolicy, id: 'p-none' }],
        remove: Array.from({ length: size - 2 }, (_, at) => `p-${at + 2}`),
      })),
    },
    // None of the policies to be removed exists.
    [400, '400.1.404'],
  ),
  ...trial('importLine', KIB * KIB, {
    'a line among others': send(
      'POST',
      '/access-model/v1/import',
      (size) =>
        `\n${JSON.stringify(entitlement).replace(/}$/, ' '.repeat(size - JSON.stringify(entitlement).length))}}\n`,
      NDJSON,
    ),
  }),
  ...trial('jsonDepth', 32, {
    'a patch': send(
      'PATCH',
      USER,
      (size) => `[{"op":"test","path":"/capabilities","value":[],"note":${nested(size - 2)}}]`,
    ),
  }),
  ...trial(
    'jsonDepth',
    32,
    asks((size) => JSON.parse(`{"identityId":"i-cleo","accessRefs":${nested(size - 1)}}`)),
    [400, '400.1.3'],
  ),
  ...trial('jsonDepth', 32, { 'a line': imports((size) => ({ ...entitlement, name: JSON.parse(nested(size - 1)) })) }, [
    400,
    '400.1.3',
  ]),
  ...trial('patchOperations', 100, {
    'of an auth user': send('PATCH', USER, (size) =>
      Array(size).fill({ op: 'test', path: '/capabilities', value: [] }),
    ),
    'of an auth profile': send('PATCH', PROFILE, (size) =>
      Array(size).fill({ op: 'test', path: '/offNetwork', value: false }),
    ),
  }),
  ...trial('patchCopies', 1000, {
    'of an auth user': send('PATCH', USER, (size) => [
      { op: 'add', path: '/capabilities', value: Array(size - 1).fill(0) },
      { op: 'copy', from: '/capabilities', path: '/capabilities/-' },
      { op: 'replace', path: '/capabilities', value: [] },
    ]),
  }),
  ...trial('patchDepth', 32, { 'of an auth user': send('PATCH', USER, deepened) }, [400, '400.1.3']),
  ...trial(
    'accessRefs',
    500,
    asks((size) => ({ identityId: 'i-cleo', accessRefs: Array(size).fill(ref) })),
  ),
  ...trial('explainedInstants', 64, {
    'predict with reasons': send('POST', `${PREDICT}?include=via`, endingInTurn),
    'check with remediation': send('POST', `${CHECK}?include=remediation`, endingInTurn),
  }),
  ...trial('assignments', 10_000, {
    'an import': imports((size) => ({ ...identity, access: Array(size).fill(ref) })),
  }),
  ...trial('timedAssignments', 1000, {
    'an import': imports((size) => ({ ...identity, access: endingInTurn(size).accessRefs })),
  }),
  ...trial(
    'metadataKeys',
    50,
    asks((size) => ({ ...request, clientMetadata: names(size) })),
  ),
  ...trial(
    'metadataKey',
    64,
    asks((size) => ({ ...request, clientMetadata: { [characters(size)]: '' } })),
  ),
  ...trial(
    'metadataValue',
    512,
    asks((size) => ({ ...request, clientMetadata: { k: characters(size) } })),
  ),
  ...trial(
    'capabilities',
    64,
    {
      'a patch': send('PATCH', USER, (size) => [
        { op: 'add', path: '/capabilities', value: Array(size).fill('HELPDESK') },
      ]),
      'an import': imports((size) => ({ ...identity, capabilities: Array(size).fill('HELPDESK') })),
    },
    // Fewer capabilities exist than the limit allows, so some are repeated.
    [400, '400.1.3'],
  ),
  ...trial('origins', 100, {
    'an update': send('PUT', UI, (size) => ({ iFrameWhitelist: Array(size).fill('a.example').join(' ') })),
    'the foreign spelling': send('PUT', UI, (size) => ({ iframeWhiteList: Array(size).fill('a.example').join(' ') })),
    'an import': imports((size) => ({
      kind: 'uiMetadata',
      id: 'tenant',
      iFrameWhitelist: Array(size).fill('a.example').join(' '),
    })),
  }),
  ...trial('originsLength', 3_200, {
    'an update': send('PUT', UI, (size) => ({ iFrameWhitelist: originsOf(size) })),
    'the foreign spelling': send('PUT', UI, (size) => ({ iframeWhiteList: originsOf(size) })),
    'an import': imports((size) => ({ kind: 'uiMetadata', id: 'tenant', iFrameWhitelist: originsOf(size) })),
  }),
  ...trial('uiText', 200, {
    'a label': send('PUT', UI, (size) => ({ usernameLabel: characters(size) })),
    'a placeholder': send('PUT', UI, (size) => ({ usernameEmptyText: characters(size) })),
    'an import': imports((size) => ({ kind: 'uiMetadata', id: 'tenant', usernameLabel: characters(size) })),
  }),
  ...trial('brandingTitle', 100, {
    'an update': send('PUT', BRANDING, (size) => ({ title: characters(size) })),
    'an import': imports((size) => ({ kind: 'branding', id: 'tenant', title: characters(size) })),
  }),
  ...trial('brandingHelpText', 500, {
    'an update': send('PUT', BRANDING, (size) => ({ helpText: characters(size) })),
  }),
  ...trial('logo', 64 * KIB, {
    'a PNG': send('PUT', BRANDING, (size) => ({
      logo: pngOf(8, 8, size),
    })),
    'an import': imports((size) => ({ kind: 'branding', id: 'tenant', logo: pngOf(8, 8, size) })),
  }),
  ...trial('logoPixels', 1024, {
    'a width': send('PUT', BRANDING, (size) => ({ logo: pngOf(size, 1) })),
    'a height': send('PUT', BRANDING, (size) => ({ logo: pngOf(1, size) })),
    'an import': imports((size) => ({ kind: 'branding', id: 'tenant', logo: pngOf(size, size) })),
  }),
  ...trial('networkRanges', 500, {
    'a new config': send('POST', NETWORK, (size) => ({ range: Array(size).fill('10.0.0.0/8') })),
    'a patch': send('PATCH', NETWORK, (size) => [
      { op: 'replace', path: '/range', value: Array(size).fill('2001:db8::/32') },
    ]),
    'an import': imports((size) => ({ kind: 'networkConfig', id: 'tenant', range: Array(size).fill('10.0.0.1') })),
  }),
  ...trial('networkCountries', 676, {
    'a new config': send('POST', NETWORK, (size) => ({ geolocation: Array(size).fill('CH') })),
    'an import': imports((size) => ({ kind: 'networkConfig', id: 'tenant', geolocation: Array(size).fill('CH') })),
  }),
  ...trial('signInLinkHours', 24, {
    'a new link': send('POST', '/auth-users/v1/i-cleo/sign-in-link', (hours) => ({ hours })),
  }),
  ...trial('secretOverlapHours', 168, {
    'a rotation': async ({ call }, overlapHours) => {
      const { json } = await call('POST', CLIENTS, { body: { name: 'c', scopes: ['auth-users:read'] } });
      return call('POST', `${CLIENTS}/${json.id}/rotate-secret`, { body: { overlapHours } });
    },
  }),
  ...trial('bearerTokenDays', 366, {
    'a new token': async (api, expiresDays) => {
      const path = await openBearerTokens(api);
      return api.call('POST', path, { body: { source: source.id, expiresDays } });
    },
  }),
  ...trial('bearerTokens', 2, {
    'new tokens': async (api, size) => {
      const path = await openBearerTokens(api);
      const ask = () => api.call('POST', path, { body: { source: source.id } });
      for (let made = 1; made < size; made++) await ask();
      return ask();
    },
  }),
  ...trial('policyItems', 50, {
    'the left side': imports((size) => criteria({ criteriaList: items(size) }, { criteriaList: [ref] })),
    'the right side': imports((size) => criteria({ criteriaList: [ref] }, { criteriaList: items(size) })),
  }),
  ...trial('policySides', 10, {
    'an import': imports((size) => {
      const sides = items(size).map((item) => ({ criteriaList: [item] }));
      return { ...policy, conflictingAccessCriteria: { criteria: sides, atLeast: 2 } };
    }),
  }),
  ...trial('keptRefs', 50, {
    'allowed controls': imports(
      () => ({ kind: 'control', id: 'c', name: 'c', expiration: '1d' }),
      (size) => ({ ...policy, allowedControls: Array(size).fill({ id: 'c' }) }),
    ),
    'secondary owners': imports((size) => ({ ...policy, secondaryOwnerRefs: Array(size).fill({ id: 'i' }) })),
  }),
  ...trial('attributes', 32, {
    'an import': imports((size) => ({
      ...policy,
      attributes: Object.fromEntries(Array.from({ length: size }, (_, at) => [`a${at}`, ''])),
    })),
  }),
  ...trial('attributeValue', 256, {
    'an import': imports((size) => ({ ...policy, attributes: { department: characters(size) } })),
  }),
  ...trial('grants', 10, {
    'an import': imports((size) => ({
      ...entitlement,
      grants: Array.from({ length: size }, (_, at) => ({ ...grant, action: `${at}` })),
    })),
  }),
  ...trial('grantText', 128, {
    'an import': imports((size) => ({ ...entitlement, grants: [{ ...grant, resourceId: characters(size) }] })),
  }),
  ...trial('evaluations', 1_000, {
    evaluations: ({ call }, size) =>
      call('POST', '/access/v1/evaluations', { body: { evaluations: Array(size).fill({}) } }),
  }),
  ...trial('searchLimit', 1_000, {
    'a search': ({ call }, limit) =>
      call('POST', '/access/v1/search/subject', {
        body: {
          subject: { type: 'user' },
          action: { name: 'use' },
          resource: { type: 'capability', id: 'HELPDESK' },
          page: { limit },
        },
      }),
  }),
  ...trial('externalId', 512, { 'an import': imports((size) => ({ ...policy, externalId: characters(size) })) }),
  ...trial('policyTags', 50, { 'an import': imports((size) => ({ ...policy, tags: Array(size).fill('t') })) }),
  ...trial('sources', 100, {
    'a new source': async ({ call, importRecords }, size) => {
      await importRecords(sources(size - 1));
      return call('POST', SOURCES, { body: { ...newSource, id: `s-${size - 1}` } });
    },
    'an import': ({ importRecords }, size) => importRecords(sources(size)),
  }),
  ...trial('correlation', 10, {
    'an update': ofSource('PUT', (size) => ({ name: 'S', correlation: rules(size) })),
    'a patch': ofSource('PATCH', (size) => [{ op: 'replace', path: '/correlation', value: rules(size) }]),
    'an import': imports((size) => ({ ...source, correlation: rules(size) })),
  }),
  ...trial('sourceName', 128, {
    'an update': ofSource('PUT', (size) => ({ name: characters(size) })),
    'a patch': ofSource('PATCH', (size) => [{ op: 'replace', path: '/name', value: characters(size) }]),
    'an import': imports((size) => ({ ...source, name: characters(size) })),
  }),
  ...trial('sourceDescription', 1024, {
    'an update': ofSource('PUT', (size) => ({ name: 'S', description: characters(size) })),
    'a patch': ofSource('PATCH', (size) => [{ op: 'replace', path: '/description', value: characters(size) }]),
    'an import': imports((size) => ({ ...source, description: characters(size) })),
  }),
  ...trial('controlOwners', 10, {
    'an import': imports((size) => ({
      ...control,
      secondaryOwners: Array(size).fill({ type: 'IDENTITY', id: 'i-ada' }),
    })),
  }),
  ...trial('controlName', 128, { 'an import': imports((size) => ({ ...control, name: 'x'.repeat(size) })) }),
  ...trial('controlDescription', 1024, {
    'an import': imports((size) => ({ ...control, description: 'x'.repeat(size) })),
  }),
  ...trial('controlExpiration', 366, { 'an import': imports((size) => ({ ...control, expiration: `${size}d` })) }),
  ...trial('recordId', 128, {
    'an entitlement': imports((size) => ({ ...entitlement, id: 'x'.repeat(size) })),
    'an identity': imports((size) => ({ ...identity, uid: 'long id', id: 'x'.repeat(size) })),
    'an item of a policy': imports((size) =>
      criteria({ criteriaList: [{ ...ref, id: 'x'.repeat(size) }] }, { criteriaList: [ref] }),
    ),
    'a deletion': imports((size) => ({ kind: 'role', id: 'x'.repeat(size), delete: true })),
  }),
  ...trial('pathId', 128, {
    'an auth user': async ({ call, importRecords }, size) => {
      await importRecords([{ ...identity, uid: 'long id', id: 'x'.repeat(128) }]);
      return call('GET', `/auth-users/v1/${'x'.repeat(size)}`);
    },
  }),
  ...trial('tenantName', 63, {
    'a new client': send('POST', CLIENTS, (size) => ({
      name: 'c',
      scopes: ['auth-users:read'],
      tenant: 't'.repeat(size),
    })),
  }),
  ...trial('name', 256, {
    'an entitlement': imports((size) => ({ ...entitlement, name: characters(size) })),
    'an identity': imports((size) => ({ ...identity, uid: characters(size) })),
    'a tag': imports((size) => ({ ...policy, tags: [characters(size)] })),
    'a new client': send('POST', CLIENTS, (size) => ({ name: characters(size), scopes: ['auth-users:read'] })),
  }),
  ...trial('displayName', 256, {
    displayName: imports((size) => ({ ...identity, displayName: characters(size) })),
    alias: imports((size) => ({ ...identity, alias: characters(size) })),
    'a side of a policy': imports((size) =>
      criteria({ name: characters(size), criteriaList: [ref] }, { criteriaList: items(1) }),
    ),
    ...asks((size) => ({ ...request, accessRefs: [{ ...ref, name: characters(size) }] })),
  }),
  ...trial('attribute', 512, {
    source: imports((size) => ({ ...entitlement, source: characters(size) })),
    email: imports((size) => ({ ...identity, email: characters(size) })),
    externalPolicyReference: imports((size) => ({ ...policy, externalPolicyReference: characters(size) })),
  }),
  ...trial('longText', 4000, {
    description: imports((size) => ({ ...policy, description: characters(size) })),
    compensatingControls: imports((size) => ({ ...policy, compensatingControls: characters(size) })),
    correctionAdvice: imports((size) => ({ ...policy, correctionAdvice: characters(size) })),
  }),
  ...trial('applicationId', 128, {
    'a patch': send('PATCH', PROFILE, (size) => [{ op: 'add', path: '/applicationId', value: characters(size) }]),
    'an import': imports((size) => ({
      kind: 'identityProfile',
      id: 'ip-new',
      name: 'N',
      authProfile: { applicationId: characters(size) },
    })),
  }),
  ...trial('applicationName', 256, {
    'a patch': send('PATCH', PROFILE, (size) => [{ op: 'add', path: '/applicationName', value: characters(size) }]),
    'an import': imports((size) => ({
      kind: 'identityProfile',
      id: 'ip-new',
      name: 'N',
      authProfile: { applicationName: characters(size) },
    })),
  }),
  ...trial('summaryDays', 400, { violations: ({ call }, size) => call('GET', `/violations/v1/summary?days=${size}`) }),
  ...trial('cursorListOffset', 10_000, {
    'a look-up': ({ call }, size) => call('GET', `/identities/v1?offset=${size}`),
    holders: ({ call }, size) => call('GET', `/entitlements/v1/e-pay/holders?offset=${size}`),
    violations: ({ call }, size) => call('GET', `/violations/v1?offset=${size}`),
    checks: ({ call }, size) => call('GET', `/sod-violations/v1/checks?offset=${size}`),
  }),
  ...trial('pageOffset', 999_999_999, { clients: ({ call }, size) => call('GET', `${CLIENTS}?offset=${size}`) }),
];
