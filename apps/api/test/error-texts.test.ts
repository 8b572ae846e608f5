import { expect, test } from 'vitest';
import { shareTestApi } from './share-test-api.ts';
import { type TestAnswer, type TestCall, WORLD } from './test-api.ts';

const shared = shareTestApi(async (api) => {
  await api.importRecords(WORLD);
  return api;
});

const PREDICT = '/sod-violations/v1/predict';
const BODY = { identityId: 'i-cleo', accessRefs: [] };
const policies = (filters: string) => `/sod-policies/v1?filters=${encodeURIComponent(filters)}`;
const client = (scope: string) => ({ body: { name: 'c', scopes: [scope] } });

test.each<[string, string, TestCall, string]>([
  ['GET', '/nothing', {}, 'There is no such path: /docs lists all operations.'],
  ['GET', '/sod-policies', { token: null }, 'There is no such path: /docs lists all operations.'],
  ['POST', PREDICT, { body: '' }, 'The body is empty: send a JSON document.'],
  ['POST', PREDICT, { body: ' \r\n' }, 'The body is empty: send a JSON document.'],
  ['POST', PREDICT, { body: '{' }, 'The body is not valid JSON.'],
  ['POST', PREDICT, { body: { identityId: 7, accessRefs: [] } }, 'identityId: must be a string'],
  ['POST', PREDICT, { body: { ...BODY, accessRefs: 7 } }, 'accessRefs: must be an array'],
  ['POST', PREDICT, { body: { ...BODY, acessRefs: [] } }, 'acessRefs: unknown property: remove it'],
  [
    'POST',
    PREDICT,
    { body: { ...BODY, accessRefs: [{ type: 'GROUP', id: 'g' }] } },
    'accessRefs[0].type: must be ENTITLEMENT, ACCESS_PROFILE or ROLE',
  ],
  [
    'POST',
    `${PREDICT}?include=why`,
    { body: BODY },
    'include: must be given once, with one or more of via, remediation, pending, joined by commas',
  ],
  [
    'GET',
    policies('nam eq "x"'),
    {},
    'filters: the name of a field must be one of id, name, description, type, state, level, ownerId, ownerRef.name, externalId, attributes.*: is name meant?',
  ],
  [
    'GET',
    policies('name like "x"'),
    {},
    'filters: the operator after name must be one of eq, in, sw, co, such as name eq "a"',
  ],
  ['GET', policies('level eq "HIHG"'), {}, 'filters: the value of level must be one of CRITICAL, HIGH, MEDIUM, LOW'],
  ['GET', policies('name eq x'), {}, 'filters: after eq there must be one value in double quotes, such as "a"'],
  [
    'GET',
    policies("name eq 'x'"),
    {},
    'filters: must have its values in double quotes, such as name eq "AP"; within them write \\" for " and \\\\ for \\',
  ],
  [
    'GET',
    policies('name eq "x" or name eq "y"'),
    {},
    'filters: must have and between two comparisons: nothing else can follow a comparison',
  ],
  ['POST', '/oauth-clients/v1', client('sod-policy:read'), 'is sod-policies:read meant?'],
  ['POST', '/oauth-clients/v1', client('everything'), 'scopes[0]: must be one of access-model:manage, '],
  [
    'PATCH',
    '/auth-users/v1/i-cleo',
    { body: [{ op: 'replace', path: '/capabilities', value: ['HELP_DESK'] }] },
    'is HELPDESK meant?',
  ],
  [
    'GET',
    '/auth-profiles/v1',
    {},
    'X-Service-Experimental: must be true, because this operation is experimental: send the header X-Service-Experimental: true, or start the service with EXPERIMENTAL_HEADER=optional for clients that cannot, such as current SDKs of SailPoint',
  ],
])('%s %s says what is wrong and what to do', async (method, path, options, text) => {
  const { json } = await shared().call(method, path, options);
  expect(json.causes[0].text).toContain(text);
});

test.each<[Record<string, string>, string, string]>([
  [{}, 'invalid_request', 'The grant_type is missing: send grant_type=client_credentials.'],
  [{ grant_type: 'password' }, 'unsupported_grant_type', 'The grant_type must be client_credentials.'],
  [{ grant_type: 'client_credentials', scope: 'auth-users:reed' }, 'invalid_scope', 'leave it out to get all scopes'],
  [{ grant_type: 'client_credentials', scope: 'a"b' }, 'invalid_scope', 'leave it out to get all scopes'],
  [{ grant_type: 'client credentials"' }, 'invalid_request', 'A parameter has characters'],
  [{ client_secret: 'wrong' }, 'invalid_client', 'check client_id and client_secret'],
])('the token endpoint answers %j with %s and says what to do', async (form, error, description) => {
  const answer = await shared().requestToken({ client_id: 'root', client_secret: 'root secret%', ...form });
  expect([answer.status, answer.json.error]).toEqual([error === 'invalid_client' ? 401 : 400, error]);
  expect(answer.json.error_description).toContain(description);
  // RFC 6749, 5.2
  expect(answer.json.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
});

test('every refusal has sentences as its messages', async () => {
  const { call } = shared();
  const answers: readonly TestAnswer[] = [
    await call('GET', '/nothing'),
    await call('GET', '/auth-users/v1/i-cleo', { token: null }),
    await call('DELETE', '/healthz'),
    await call('POST', PREDICT, { body: '{}' }),
  ];
  for (const { json } of answers) expect(json.messages[0].text).toMatch(/^[A-Z].*\.$/);
});
