import { createLocalJWKSet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApi, openTestApi, WORLD } from './test-api.ts';

const EVALUATION = '/access/v1/evaluation';
const grants = [
  { resourceType: 'invoice', resourceId: 'all', action: 'approve' },
  { resourceType: 'invoice', resourceId: '7', action: 'read' },
];
const MORE = [
  { kind: 'entitlement', id: 'e-invoice', name: 'Invoices', grants },
  {
    kind: 'identity',
    id: 'i-dora',
    uid: 'Dora',
    identityProfile: 'ip-emp',
    access: [
      { type: 'ENTITLEMENT', id: 'e-pay' },
      { type: 'ENTITLEMENT', id: 'e-invoice', start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' },
    ],
  },
  { kind: 'role', id: 'r-toxic', name: 'Toxic', entitlements: ['e-vendor', 'e-pay'] },
  {
    kind: 'sodPolicy',
    id: 'p-low',
    name: 'Report and payment',
    level: 'LOW',
    conflictingAccessCriteria: {
      leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-report' }] },
      rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay' }] },
    },
  },
];

const open = async () => worldOf(await openTestApi());

/** The API with the records that are asked about. */
async function worldOf(api: Awaited<ReturnType<typeof openTestApi>>) {
  expect((await api.importRecords([...WORLD, ...MORE])).status).toBe(200);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', path, { body, headers });
  const ask = async (subject: string, action: string, resource: string, rest: object = {}) => {
    const [type, id] = subject.split(' ');
    const [resourceType, resourceId] = resource.split(' ');
    const question = {
      subject: { type, id },
      action: { name: action },
      resource: { type: resourceType, id: resourceId },
      ...rest,
    };
    const answer = await post(EVALUATION, question);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.json;
  };
  return { ...api, post, ask };
}

describe('an evaluation', () => {
  // For the tests that change nothing.
  let world: Awaited<ReturnType<typeof worldOf>>;

  beforeAll(async () => {
    const { api, close } = await openApi();
    world = await worldOf(api);
    return close;
  });

  test.each([
    // What is requested.
    ['identity i-cleo', 'request', 'entitlement e-vendor', true, 'OK'],
    ['user cleo', 'request', 'entitlement e-pay', false, 'SOD_VIOLATION'],
    ['user CLEO', 'request', 'entitlement e-pay', false, 'SOD_VIOLATION'],
    ['identity i-ada', 'request', 'role r-toxic', false, 'SOD_VIOLATION'],
    ['identity i-ada', 'request', 'access_profile ap-vendor', true, 'OK'],
    // What is held.
    ['identity i-cleo', 'hold', 'entitlement e-vendor', true, 'OK'],
    ['identity i-cleo', 'hold', 'access_profile ap-vendor', true, 'OK'],
    ['identity i-cleo', 'hold', 'role r-buyer', true, 'OK'],
    ['identity i-cleo', 'hold', 'entitlement e-pay', false, 'NOT_HELD'],
    ['identity i-dora', 'hold', 'access_profile ap-vendor', false, 'NOT_HELD'],
    ['identity i-dora', 'hold', 'role r-buyer', false, 'NOT_HELD'],
    ['identity i-dora', 'hold', 'entitlement e-invoice', false, 'NOT_HELD'],
    // Capabilities.
    ['user bob', 'use', 'capability HELPDESK', true, 'OK'],
    ['user ada', 'use', 'capability HELPDESK', false, 'NOT_HELD'],
    // Grants.
    ['user dora', 'approve', 'invoice all', false, 'NOT_HELD'],
    // What does not exist, or is not known.
    ['identity i-none', 'request', 'entitlement e-pay', false, 'SUBJECT_NOT_FOUND'],
    ['identity no id at all', 'hold', 'entitlement e-pay', false, 'SUBJECT_NOT_FOUND'],
    ['user nobody', 'use', 'capability HELPDESK', false, 'SUBJECT_NOT_FOUND'],
    ['user nobody', 'approve', 'invoice all', false, 'SUBJECT_NOT_FOUND'],
    ['user ada', 'request', 'entitlement e-none', false, 'RESOURCE_NOT_FOUND'],
    ['user ada', 'hold', 'role r-none', false, 'RESOURCE_NOT_FOUND'],
    ['user ada', 'use', 'capability SUPERUSER', false, 'RESOURCE_NOT_FOUND'],
    ['user ada', 'approve', 'invoice 8', false, 'RESOURCE_NOT_FOUND'],
    ['group staff', 'hold', 'role r-buyer', false, 'NOT_KNOWN'],
    ['user ada', 'fly', 'role r-buyer', false, 'NOT_KNOWN'],
    ['user ada', 'request', 'capability HELPDESK', false, 'NOT_KNOWN'],
    ['user ada', 'fly', 'invoice all', false, 'NOT_KNOWN'],
    ['user ada', 'read', 'planet mars', false, 'NOT_KNOWN'],
  ])('of %s, %s, %s is %s: %s', async (subject, action, resource, decision, code) => {
    const { ask } = world;
    expect(await ask(subject, action, resource)).toMatchObject({
      decision,
      context: { reason: { code }, policySetVersion: expect.any(Number), asOf: expect.stringMatching(/Z$/) },
    });
  });

  test('judges the instant of the context', async () => {
    const { ask } = world;
    const then = { context: { time: '2026-01-15T12:00+01:00', ip: '::1' } };
    expect(await ask('user dora', 'approve', 'invoice all', then)).toMatchObject({ decision: true });
    expect(await ask('user dora', 'hold', 'entitlement e-invoice', then)).toMatchObject({ decision: true });
  });

  test('names the violations that count, with what to do', async () => {
    const { ask } = world;
    const { context } = await ask('user cleo', 'request', 'entitlement e-pay');
    const p1 = { id: 'p-1', name: 'Vendor and payment', level: 'CRITICAL' };
    const low = { id: 'p-low', name: 'Report and payment', level: 'LOW' };
    expect(context).toMatchObject({
      violations: [p1, low].map((policy) => ({ policy, preexisting: false, exception: null })),
      violationCount: 2,
      remediation: {
        drop: { accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }], optimal: true },
        revoke: { assignments: [{ type: 'ROLE', id: 'r-buyer' }], optimal: true },
      },
    });
    const fromHigh = await ask('user cleo', 'request', 'entitlement e-pay', { context: { fromLevel: 'HIGH' } });
    expect(fromHigh.context.violations.map(({ policy }: { policy: { id: string } }) => policy.id)).toEqual(['p-1']);
    const dora = await ask('user dora', 'request', 'entitlement e-report', { context: { fromLevel: 'MEDIUM' } });
    expect(dora).toMatchObject({ decision: true, context: { reason: { code: 'OK' } } });
  });

  test('names the source of an assignment to revoke', async () => {
    const { importRecords, ask } = await open();
    await importRecords([
      { kind: 'source', id: 'crm', name: 'CRM' },
      { kind: 'identity', id: 'i-gus', uid: 'gus', identityProfile: 'ip-emp' },
      { kind: 'account', source: 'crm', id: 'a-1', name: 'gus', access: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
    ]);
    const { context } = await ask('user gus', 'request', 'entitlement e-pay');
    const assignments = [{ type: 'ENTITLEMENT', id: 'e-vendor', sources: ['crm'] }];
    expect(context.remediation.revoke).toEqual({ assignments, optimal: true });
  });

  test('takes a request of several refs, and names those that do not exist', async () => {
    const { post, ask } = world;
    const requestOf = (...ids: string[]) => ({
      resource: {
        type: 'access_request',
        id: 'CHG-7',
        properties: { accessRefs: ids.map((id) => ({ type: 'ENTITLEMENT', id })), note: 'ignored' },
      },
    });
    const question = { subject: { type: 'user', id: 'ada' }, action: { name: 'request' } };
    const both = await post(EVALUATION, { ...question, ...requestOf('e-vendor', 'e-pay') });
    expect(both.json).toMatchObject({ decision: false, context: { reason: { code: 'SOD_VIOLATION' } } });
    const unknown = await post(EVALUATION, { ...question, ...requestOf('e-vendor', 'e-none') });
    const text = 'accessRefs[1]: there is no ENTITLEMENT e-none';
    expect(unknown.json.context.reason).toEqual({ code: 'RESOURCE_NOT_FOUND', text });
    expect(await ask('user ada', 'request', 'x y', requestOf('e-pay'))).toMatchObject({ decision: true });
    const refused = async (resource: object) => {
      const { status, json } = await post(EVALUATION, { ...question, resource });
      return [status, json.detailCode];
    };
    const type = 'access_request';
    const held = await post(EVALUATION, { ...question, action: { name: 'hold' }, resource: { type, id: 'x' } });
    expect(held.json).toMatchObject({ decision: false, context: { reason: { code: 'NOT_KNOWN' } } });
    expect(await refused({ type, id: 'x' })).toEqual([400, '400.1.0']);
    expect(await refused({ type, id: 'x', properties: {} })).toEqual([400, '400.1.0']);
    expect(await refused(requestOf().resource)).toEqual([400, '400.1.2']);
    expect(await refused(requestOf(...Array(501).fill('e-pay')).resource)).toEqual([400, '400.1.4']);
  });
});

describe('a request of AuthZEN', () => {
  const QUESTION = {
    subject: { type: 'user', id: 'ada' },
    action: { name: 'hold' },
    resource: { type: 'role', id: 'r-buyer' },
  };
  const PATHS = ['evaluation', 'evaluations', 'search/subject', 'search/resource', 'search/action'];

  test.each(PATHS)('to %s is refused for what is wrong with it alone', async (path) => {
    const { call, post } = await open();
    const send = async (body: unknown, headers: Record<string, string> = {}) => {
      const answer = await post(`/access/v1/${path}`, body, headers);
      return [answer.status, answer.json.detailCode];
    };
    expect(await send(JSON.stringify(QUESTION), { 'content-type': 'text/plain' })).toEqual([400, '400.1']);
    for (const body of ['', '{', '[]', 'null', '"x"', '{"a":1,"a":2}'])
      expect([body, await send(body, { 'content-type': 'application/json' })]).toEqual([body, [400, '400.1']]);
    expect(await send({ ...QUESTION, subject: 'ada' })).toEqual([400, '400.1.3']);
    expect(await send({ ...QUESTION, subject: [] })).toEqual([400, '400.1.3']);
    expect(await send({ ...QUESTION, context: { time: 'yesterday' } })).toEqual([400, '400.1.3']);
    expect(await send({ ...QUESTION, context: { fromLevel: 'SEVERE' } })).toEqual([400, '400.1.3']);
    expect(await send({})).toEqual([400, '400.1.0']);
    expect(await send({ ...QUESTION, filler: 'x'.repeat(256 * 1024) })).toEqual([413, '413']);
    const wrong = await call('GET', `/access/v1/${path}`, { headers: { 'x-request-id': 'req-7' } });
    expect([wrong.status, wrong.headers.get('x-request-id')]).toEqual([405, 'req-7']);
    const known = await post(`/access/v1/${path}`, { ...QUESTION, foo: 'bar', futureField: { nested: true } });
    expect(known.status).toBe(200);
  });

  test.each([
    ['subject', undefined],
    ['subject', { id: 'ada' }],
    ['subject', { type: 'user' }],
    ['subject', { type: 'user', id: '' }],
    ['action', undefined],
    ['action', {}],
    ['resource', { id: 'r-buyer' }],
    ['resource', { type: 'role' }],
  ])('needs what the standard requires: %s %j', async (name, given) => {
    const { post } = await open();
    const { status, json } = await post(EVALUATION, { ...QUESTION, [name]: given });
    expect([status, json.detailCode]).toEqual([400, '400.1.0']);
  });

  test('is answered with its X-Request-ID, beside the tracking id', async () => {
    const { post } = await open();
    const id = 'req-!~7';
    expect((await post(EVALUATION, QUESTION, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
    const refused = await post(EVALUATION, {}, { 'x-request-id': id });
    expect(refused.headers.get('x-request-id')).toBe(id);
    expect(refused.json.trackingId).toMatch(/^[0-9a-f]{32}$/);
    for (const bad of ['', 'x'.repeat(257), 'a b'])
      expect((await post(EVALUATION, QUESTION, { 'x-request-id': bad })).headers.get('x-request-id')).toMatch(
        /^[0-9a-f]{32}$/,
      );
    const elsewhere = await post('/sod-violations/v1/scan', {}, { 'x-request-id': id });
    expect(elsewhere.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('several evaluations', () => {
  const HOLD = { subject: { type: 'user', id: 'cleo' }, action: { name: 'hold' } };
  const role = (id: string) => ({ resource: { type: 'role', id } });

  async function decide(body: object) {
    const { post } = await open();
    const { status, json } = await post('/access/v1/evaluations', body);
    return status === 200 ? json.evaluations.map((each: { decision: boolean }) => each.decision) : json.detailCode;
  }

  test('are answered in their order, with defaults', async () => {
    const items = [role('r-buyer'), { action: { name: 'request' }, ...role('r-toxic') }, {}];
    expect(await decide({ ...HOLD, ...role('r-buyer'), evaluations: items })).toEqual([true, false, true]);
    const byId = [{ resource: { id: 'r-buyer' } }, { resource: { id: 'r-toxic' } }];
    expect(await decide({ ...HOLD, resource: { type: 'role' }, evaluations: byId })).toEqual([true, false]);
  });

  test.each([
    ['execute_all', [true, false, true]],
    ['deny_on_first_deny', [true, false]],
    ['permit_on_first_permit', [true]],
    ['first', '400.1.3'],
  ])('end as %s says', async (evaluations_semantic, expected) => {
    const evaluations = [role('r-buyer'), role('r-toxic'), role('r-buyer')];
    expect(await decide({ ...HOLD, evaluations, options: { evaluations_semantic } })).toEqual(expected);
  });

  test('deny what cannot be asked', async () => {
    const { post } = await open();
    const request = { action: { name: 'request' }, resource: { type: 'access_request', id: 'x' } };
    const evaluations = [role('r-buyer'), {}, 7, request];
    const { json } = await post('/access/v1/evaluations', { ...HOLD, evaluations });
    const invalid = (text: string) => ({ decision: false, context: { reason: { code: 'INVALID', text } } });
    expect(json.evaluations.slice(1)).toEqual([
      invalid('resource: is required'),
      invalid('must be an object'),
      invalid('resource.properties: is required'),
    ]);
  });

  test('are 1,000 at most', async () => {
    expect(await decide({ ...HOLD, evaluations: Array(1_000).fill(role('r-buyer')) })).toHaveLength(1_000);
    expect(await decide({ ...HOLD, evaluations: Array(1_001).fill({}) })).toBe('400.1.4');
    expect(await decide({ ...HOLD, evaluations: null })).toBe('400.1.3');
  });

  test('are one evaluation where there are none', async () => {
    const { post } = await open();
    for (const rest of [{}, { evaluations: [] }]) {
      const answer = await post('/access/v1/evaluations', { ...HOLD, ...role('r-buyer'), ...rest });
      expect(answer.json).toMatchObject({ decision: true, context: { reason: { code: 'OK' } } });
    }
    expect((await post('/access/v1/evaluations', { ...HOLD, evaluations: [] })).status).toBe(400);
  });
});

describe('a search', () => {
  const HOLD_REPORT = { action: { name: 'hold' }, resource: { type: 'entitlement', id: 'e-report' } };

  test('finds what is held, requestable, usable and granted', async () => {
    const { post } = await open();
    const found = async (kind: string, body: object) => {
      const { json } = await post(`/access/v1/search/${kind}`, body);
      expect(json.page).toEqual({ next_token: '', count: json.results.length });
      return json.results.map(({ id, name }: { id?: string; name?: string }) => id ?? name);
    };
    const user = { subject: { type: 'user' } };
    const cleo = { subject: { type: 'user', id: 'cleo' } };
    expect(await found('subject', { ...user, ...HOLD_REPORT })).toEqual(['cleo']);
    const pay = { action: { name: 'request' }, resource: { type: 'entitlement', id: 'e-pay' } };
    expect(await found('subject', { ...user, ...pay })).toEqual(['Dora', 'ada', 'bob', 'hal']);
    expect(await found('subject', { subject: { type: 'identity' }, ...pay })).toEqual([
      'i-ada',
      'i-bob',
      'i-dora',
      'i-hal',
    ]);
    const admin = { action: { name: 'use' }, resource: { type: 'capability', id: 'ORG_ADMIN' } };
    expect(await found('subject', { ...user, ...admin })).toEqual(['ada', 'bob']);
    const request = { action: { name: 'request' } };
    expect(await found('resource', { ...cleo, ...request, resource: { type: 'entitlement' } })).toEqual([
      'e-invoice',
      'e-report',
      'e-vendor',
    ]);
    expect(await found('resource', { ...cleo, ...request, resource: { type: 'role' } })).toEqual(['r-buyer']);
    expect(await found('resource', { ...cleo, ...request, resource: { type: 'access_request' } })).toEqual([]);
    const hold = { action: { name: 'hold' } };
    expect(await found('resource', { ...cleo, ...hold, resource: { type: 'access_profile' } })).toEqual(['ap-vendor']);
    const then = { context: { time: '2026-01-15T12:00:00Z' } };
    const dora = { subject: { type: 'user', id: 'dora' }, ...then };
    const invoices = { action: { name: 'approve' }, resource: { type: 'invoice' } };
    expect(await found('resource', { ...dora, ...invoices })).toEqual(['all']);
    expect(await found('action', { ...dora, resource: { type: 'invoice', id: '7' } })).toEqual(['read']);
    expect(await found('action', { ...cleo, resource: { type: 'role', id: 'r-buyer' } })).toEqual(['hold', 'request']);
    expect(
      await found('subject', { ...then, ...user, action: { name: 'read' }, resource: { type: 'invoice', id: '7' } }),
    ).toEqual(['Dora']);
  });

  test.each([
    ['subject', { subject: { type: 'spaceship' }, ...HOLD_REPORT }],
    ['subject', { subject: { type: 'user' }, action: { name: 'fly' }, resource: { type: 'role', id: 'r-buyer' } }],
    ['resource', { subject: { type: 'user', id: 'nobody' }, action: { name: 'hold' }, resource: { type: 'role' } }],
    ['resource', { subject: { type: 'user', id: 'ada' }, action: { name: 'hold' }, resource: { type: 'planet' } }],
    ['action', { subject: { type: 'user', id: 'nobody' }, resource: { type: 'invoice', id: '7' } }],
    ['action', { subject: { type: 'user', id: 'ada' }, resource: { type: 'planet', id: 'mars' } }],
  ])('for %s finds nothing for what is not known: %j', async (kind, body) => {
    const { post } = await open();
    const answer = await post(`/access/v1/search/${kind}`, body);
    expect([answer.status, answer.text]).toEqual([200, '{"page":{"next_token":"","count":0},"results":[]}']);
  });

  test('goes on with its token, and with no other search or limit', async () => {
    const { post } = await open();
    const question = {
      subject: { type: 'user' },
      action: { name: 'request' },
      resource: { type: 'role', id: 'r-buyer' },
    };
    const page = (rest: object, body: object = question) => post('/access/v1/search/subject', { ...body, page: rest });
    const ids: string[] = [];
    let token = '';
    do {
      const { json } = await page(token === '' ? { limit: 2 } : { token });
      expect(json.results.length).toBeLessThanOrEqual(2);
      ids.push(...json.results.map(({ id }: { id: string }) => id));
      token = json.page.next_token;
    } while (token !== '');
    expect(ids).toEqual(['ada', 'bob', 'cleo', 'hal']);
    const { next_token } = (await page({ limit: 2 })).json.page;
    expect((await page({ token: next_token, limit: 2 })).status).toBe(200);
    const refusals = [
      await page({ token: next_token, limit: 3 }),
      await page({ token: next_token }, { ...question, subject: { type: 'identity' } }),
      await page({ token: next_token }, { ...question, context: { fromLevel: 'HIGH' } }),
      await page({ token: 'bm8' }),
      await page({ token: `${next_token}x` }),
      await page({ token: 7 }),
      await page({ limit: 0 }),
      await page({ limit: 1_001 }),
      await page({ limit: 1.5 }),
    ];
    expect(refusals.map(({ status, json }) => [status, json.detailCode])).toEqual(refusals.map(() => [400, '400.1.3']));
  });
});

describe('the metadata of the decision point', () => {
  test('name the endpoints, and are signed by the key of tokens', async () => {
    const { call } = await openTestApi({ baseAddress: 'https://pdp.example.com' });
    const headers = { host: 'pdp.example.com' };
    const { status, json } = await call('GET', '/.well-known/authzen-configuration', { token: null, headers });
    const { signed_metadata, ...claims } = json;
    const base = 'https://pdp.example.com/access/v1';
    expect([status, claims]).toEqual([
      200,
      {
        policy_decision_point: 'https://pdp.example.com',
        access_evaluation_endpoint: `${base}/evaluation`,
        access_evaluations_endpoint: `${base}/evaluations`,
        search_subject_endpoint: `${base}/search/subject`,
        search_resource_endpoint: `${base}/search/resource`,
        search_action_endpoint: `${base}/search/action`,
      },
    ]);
    const keys = createLocalJWKSet((await call('GET', '/.well-known/jwks.json', { token: null })).json);
    const { payload } = await jwtVerify(signed_metadata, keys, { issuer: 'https://pdp.example.com' });
    expect(payload).toEqual({ iss: 'https://pdp.example.com', ...claims });
    expect((await call('GET', '/sod-policies/v1', { token: signed_metadata })).status).toBe(401);
  });
});
