import { describe, expect, test } from 'vitest';
import { shareTestApi } from '../share-test-api.ts';
import { openTestApi, type TestApi, WORLD } from '../test-api.ts';
import { refusedPatch } from './refused-patch.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const USER = '/auth-users/v1/i-bob';
const PROFILE = '/auth-profiles/v1/ip-emp';

async function prepare(api: TestApi) {
  await api.importRecords(WORLD);
  return api;
}

const world = shareTestApi(prepare);

const refused = (api: TestApi, path: string, body: unknown) => refusedPatch(api, path, { body });

/** The properties of Object.prototype; a patch must not add to them. */
const everywhere = () => Reflect.ownKeys(Object.prototype).concat(Reflect.ownKeys(Array.prototype));

describe('`__proto__`, `constructor` and `toString` are ordinary names', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

  test.each(NAMES)(
    '%s in any place of a patch is refused, or ignored as RFC 6902 requires, and prototypes do not change',
    async (name) => {
      const api = await prepare(await openTestApi());
      const before = everywhere();
      const send = (path: string, text: string) => refused(api, path, text);
      const add = '"op":"add","path":"/capabilities/-","value":"CERT_ADMIN"';
      expect(await send(USER, `[{"op":"add","path":"/${name}/x","value":1}]`)).toEqual([400, '400.1.1']);
      expect(await send(USER, `[{"op":"add","path":"/capabilities/${name}","value":1}]`)).toEqual([400, '400.1.3']);
      expect(await send(USER, `[{"op":"add","path":"/capabilities/${name}/x","value":1}]`)).toEqual([400, '400.1.3']);
      expect(await send(USER, `[{"op":"copy","path":"/capabilities/-","from":"/capabilities/${name}"}]`)).toEqual([
        400,
        '400.1.3',
      ]);
      expect(await send(USER, `[{"op":"${name}","path":"/capabilities/-","value":1}]`)).toEqual([400, '400.1.3']);
      expect(await send(USER, `[{"op":"add","path":"/capabilities/-","value":{"${name}":{"x":1}}}]`)).toEqual([
        400,
        '400.1.3',
      ]);
      expect(await send(USER, `[{"${name}":{${add}}}]`)).toEqual([400, '400.1.0']);
      expect(await send(USER, `{"${name}":[{${add}}]}`)).toEqual([400, '400.1']);
      expect(await send(PROFILE, `[{"op":"replace","path":"/${name}","value":true}]`)).toEqual([400, '400.1.1']);
      expect(await send(PROFILE, `[{"op":"replace","path":"/type","value":"${name}"}]`)).toEqual([400, '400.1.3']);
      const ignored = await api.call('PATCH', USER, { body: `[{${add},"${name}":{"path":"/uid","x":1}}]` });
      expect([ignored.status, ignored.json.capabilities]).toEqual([200, ['ORG_ADMIN', 'HELPDESK', 'CERT_ADMIN']]);
      const body = [{ op: 'replace', path: '/applicationName', value: name }];
      const named = await api.call('PATCH', PROFILE, { headers: EXPERIMENTAL, body });
      expect([named.status, named.json.applicationName]).toEqual([200, name]);
      expect(everywhere()).toEqual(before);
    },
  );

  test.each(NAMES)(
    '%s is 400.1 as a property of any other body, 404 as an id, and ignored in a query',
    async (name) => {
      const { call, requestToken, importRecords } = world();
      const before = everywhere();
      const property = `"${name}":{"x":1}`;
      for (const [method, path, text] of [
        ['POST', '/sod-violations/v1/predict', `{"identityId":"i-ada","accessRefs":[],${property}}`],
        [
          'POST',
          '/sod-violations/v1/check',
          `{"identityId":"i-ada","accessRefs":[{"type":"ROLE","id":"r-buyer"}],${property}}`,
        ],
        ['PUT', '/ui-metadata/v1/tenant', `{${property}}`],
        ['POST', '/oauth-clients/v1', `{"name":"c","scopes":["auth-users:read"],${property}}`],
      ] as const) {
        const answer = await call(method, path, { headers: EXPERIMENTAL, body: text });
        expect([path, answer.status, answer.json.detailCode]).toEqual([path, 400, '400.1']);
      }
      for (const path of ['/auth-users/v1', '/auth-profiles/v1', '/sod-violations/v1/check', '/oauth-clients/v1'])
        expect([path, (await call('GET', `${path}/${name}`, { headers: EXPERIMENTAL })).status]).toEqual([path, 404]);
      expect((await call('GET', `/oauth-clients/v1?${name}=1`)).status).toBe(200);
      expect((await call('GET', `/oauth-clients/v1?limit=${name}`)).json.detailCode).toBe('400.1.3');
      const filters = encodeURIComponent(`${name} eq "x"`);
      expect((await call('GET', `/audit-events/v1?filters=${filters}`)).json.detailCode).toBe('400.1.3');
      const form = { grant_type: 'client_credentials', client_id: 'root', client_secret: 'root secret%' };
      expect((await requestToken({ ...form, [name]: 'x' })).status).toBe(200);
      expect((await requestToken({ ...form, scope: name })).json.error).toBe('invalid_scope');
      expect((await requestToken({ ...form, grant_type: name })).json.error).toBe('unsupported_grant_type');
      expect((await requestToken({ ...form, client_id: name })).json.error).toBe('invalid_client');
      expect((await importRecords([{ kind: name, id: 'x' }])).json.detailCode).toBe('400.1.3');
      expect(everywhere()).toEqual(before);
    },
  );

  test.each(NAMES)('%s can be the id of any record', async (id) => {
    const { call, importRecords, store, clock } = await openTestApi();
    const before = everywhere();
    const entitlement = { type: 'ENTITLEMENT', id };
    const other = { type: 'ENTITLEMENT', id: 'e-other' };
    const records = [
      { kind: 'entitlement', id, name: id, source: null },
      { kind: 'entitlement', id: 'e-other', name: 'o', source: null },
      { kind: 'accessProfile', id, name: id, entitlements: [id] },
      { kind: 'role', id, name: id, accessProfiles: [id], entitlements: [] },
      { kind: 'identityProfile', id, name: id },
      {
        kind: 'identity',
        id,
        uid: id,
        identityProfile: id,
        capabilities: ['HELPDESK'],
        access: [{ type: 'ROLE', id }],
      },
      {
        kind: 'sodPolicy',
        id,
        name: id,
        conflictingAccessCriteria: {
          leftCriteria: { criteriaList: [entitlement] },
          rightCriteria: { criteriaList: [other] },
        },
      },
    ];
    expect((await importRecords(records)).status).toBe(200);
    expect((await call('GET', `/auth-users/v1/${id}`)).json).toMatchObject({
      id,
      profile: id,
      capabilities: ['HELPDESK'],
    });
    expect((await call('GET', `/auth-profiles/v1/${id}`, { headers: EXPERIMENTAL })).json).toMatchObject({
      id,
      name: id,
    });
    const clientMetadata = JSON.parse(`{"${id}":"kept"}`);
    const body = JSON.stringify({ identityId: id, accessRefs: [other, { type: 'ACCESS_PROFILE', id }] });
    const predicted = await call('POST', '/sod-violations/v1/predict', { body });
    expect(predicted.json.violationContexts).toMatchObject([{ policy: { id, name: id }, preexisting: false }]);
    const checked = await call('POST', '/sod-violations/v1/check', {
      body: `${body.slice(0, -1)},"clientMetadata":{"${id}":"kept"}}`,
    });
    expect(checked.status).toBe(202);
    const [claimed] = await store.checks.claim({ nowMs: clock.nowMs, leaseMs: 1000, limit: 1 });
    expect(JSON.stringify(claimed?.clientMetadata)).toBe(JSON.stringify(clientMetadata));
    const exported = await call('GET', '/access-model/v1/export');
    expect(exported.text.trim().split('\n')).toHaveLength(records.length);
    expect((await importRecords([{ kind: 'sodPolicy', id, delete: true }])).json.counts.sodPolicy.deleted).toBe(1);
    expect(everywhere()).toEqual(before);
  });
});
