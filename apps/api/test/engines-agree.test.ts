import { expect, test } from 'vitest';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const NASTY = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  'Ä',
  'ä',
  'A',
  'a',
  'ß',
  '\u{1f600}',
  '\uffee',
  "'; drop table tenant; --",
  '$1',
  '%',
  '_',
  '\\',
];

const NAMED = [...'zZaA0_.-:'].flatMap((end) => [
  { kind: 'entitlement', id: `e-${end}`, name: `n ${end} ä\u{1f600}\uffee \\ ' " % _ $1 ?`, source: null },
  { kind: 'identityProfile', id: `ip-${end}`, name: `profile ${end}` },
  {
    kind: 'identity',
    id: `i-${end}`,
    uid: `u-${end}`,
    identityProfile: 'ip-emp',
    displayName: 'x'.repeat(120),
    lastLoginTimestamp: Number.MAX_SAFE_INTEGER,
    currentLoginTimestamp: 0,
    access: [
      { type: 'ENTITLEMENT', id: `e-${end}` },
      { type: 'ROLE', id: 'r-buyer' },
    ],
  },
  {
    kind: 'sodPolicy',
    id: `p-${end}`,
    name: `policy ${end}`,
    level: 'LOW',
    conflictingAccessCriteria: {
      leftCriteria: { name: null, criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
      rightCriteria: { name: 'ä', criteriaList: [{ type: 'ENTITLEMENT', id: `e-${end}` }] },
    },
    tags: ['b', 'a', 'B'],
  },
  {
    kind: 'sodPolicy',
    id: `P-${end}`,
    name: `critical ${end}`,
    conflictingAccessCriteria: { criteria: [{ criteriaList: [{ type: 'ENTITLEMENT', id: `e-${end}` }] }] },
  },
]);

type Script = (api: TestApi, note: (text: string) => void) => Promise<void>;

const imports: Script = async ({ importRecords, call }, note) => {
  for (const records of [WORLD, NAMED, [], [{ kind: 'role', id: 'r-buyer', delete: true }], [...NAMED].reverse()])
    note((await importRecords(records)).text);
  for (const text of NASTY)
    note((await importRecords([{ kind: 'entitlement', id: 'e-nasty', name: text, source: text }])).text);
  for (const value of [1e300, -1, 1.5, 2 ** 53, '7', true])
    note((await importRecords([{ ...NAMED[2], lastLoginTimestamp: value }])).text);
  note((await call('GET', '/access-model/v1/export')).text);
};

const settings: Script = async ({ call }, note) => {
  for (const query of ['', '?limit=2', '?limit=3&offset=4&count=true', '?offset=9999', '?limit=0', '?limit=251'])
    note((await call('GET', `/auth-profiles/v1${query}`)).text);
  for (const text of NASTY) {
    note(
      (await call('PUT', '/ui-metadata/v1/tenant', { body: { usernameLabel: text, usernameEmptyText: null } })).text,
    );
    note((await call('PUT', '/branding/v1/tenant', { body: { title: text, helpText: text } })).text);
    note((await call('GET', `/auth-users/v1/${encodeURIComponent(text.toWellFormed())}`)).text);
  }
  for (const capabilities of [['HELPDESK'], ['HELPDESK', 'CERT_ADMIN'], ['NONE'], ['ORG_ADMIN', 'ORG_ADMIN']]) {
    const body = [{ op: 'replace', path: '/capabilities', value: capabilities }];
    const answer = await call('PATCH', '/auth-users/v1/i-z', { body });
    note(`${answer.headers.get('etag')} ${answer.text}`);
    note(String((await call('GET', '/auth-users/v1/i-z')).headers.get('etag')));
  }
  for (const id of ['i-ada', 'i-bob'])
    note((await call('PATCH', `/auth-users/v1/${id}`, { body: [{ op: 'remove', path: '/capabilities' }] })).text);
};

const violations: Script = async ({ call, store }, note) => {
  for (const identityId of ['i-z', 'i-Z', 'i-cleo', 'i-none', 'I-z']) {
    for (const id of ['e-vendor', 'e-a', 'e-A', 'r-buyer', 'e-none']) {
      const body = {
        identityId,
        accessRefs: ['ENTITLEMENT', 'ROLE'].map((type) => ({ type, id })).slice(0, id.startsWith('r') ? 2 : 1),
        clientMetadata: { __proto: 'ä', '': '\u2028' },
      };
      note((await call('POST', '/sod-violations/v1/predict', { body })).text);
      note(String((await call('POST', '/sod-violations/v1/check', { body })).status));
    }
  }
  note(String((await store.checks.measureBacklog()).depth));
};

const windows: Script = async ({ call, importRecords, store }, note) => {
  const held = { type: 'ENTITLEMENT', id: 'e-vendor' };
  const access = [
    { ...held, start: '2027-01-01T01:00+01:00', end: '2027-06-01T00:00:00.1234Z' },
    { ...held, end: '2026-01-01T00:00:00Z' },
    { type: 'ROLE', id: 'r-buyer', start: '2028-01-01T00:00:00Z', end: '2028-01-01T00:00:00Z' },
  ];
  note((await importRecords([{ ...NAMED[2], id: 'i-timed', access }])).text);
  note(
    (await importRecords([{ ...NAMED[2], id: 'i-timed', access: [{ ...access[0], end: '2026-01-01T00:00Z' }] }])).text,
  );
  note((await call('GET', '/access-model/v1/export')).text);
  for (const at of [undefined, '2027-01-01T00:00:00Z', '2027-06-01T00:00:00.123Z', 'never']) {
    for (const window of [
      {},
      { end: '2027-01-01T00:00:00Z' },
      { start: '2027-05-31T23:59:60Z' },
      { start: '2028-01-01T00:00:00Z' },
    ]) {
      const body = { identityId: 'i-timed', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay', ...window }], at };
      note((await call('POST', '/sod-violations/v1/predict', { body })).text);
      note((await call('POST', '/sod-violations/v1/predict?include=via', { body })).text);
      note(String((await call('POST', '/sod-violations/v1/check', { body })).status));
    }
  }
  const claims = await store.checks.claim({ nowMs: 0, leaseMs: 1, limit: 1_000 });
  const kept = claims.map(({ identityId, accessRefs, at = null }) => JSON.stringify({ identityId, accessRefs, at }));
  note(kept.sort().join());
};

const clients: Script = async ({ call, tokenFor }, note) => {
  for (const identityId of [undefined, 'i-z', 'i-none'])
    note(String((await call('POST', '/oauth-clients/v1', { body: { name: 'ä', scopes: [], identityId } })).status));
  const { json } = await call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['auth-users:read'] } });
  const token = await tokenFor(json.id, json.secret);
  note(String((await call('GET', '/auth-users/v1/i-z', { token })).status));
  const rotate = (body: object) => call('POST', `/oauth-clients/v1/${json.id}/rotate-secret`, { body });
  note((await rotate({ overlapHours: -1 })).text);
  await rotate({ overlapHours: 1 });
  note((await call('GET', '/auth-users/v1/i-z', { token })).text);
  await rotate({ overlapHours: 0 });
  note((await call('GET', '/auth-users/v1/i-z', { token })).text);
  note(String((await call('DELETE', `/oauth-clients/v1/${json.id}`)).status));
  note((await call('GET', '/auth-users/v1/i-z', { token })).text);
  note(String((await call('DELETE', `/oauth-clients/v1/${json.id}`)).status));
  note((await call('GET', '/oauth-clients/v1?limit=1')).text);
};

/** The values that differ between runs: generated ids, secrets and tokens. */
const withoutRandom = (text: string) => text.replace(/[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…');

async function answersOn(engine: 'sqlite' | 'postgres' | 'citus'): Promise<readonly string[]> {
  const api = await openTestApi({}, engine);
  const answers: string[] = [];
  for (const script of [imports, settings, violations, windows, clients])
    await script(api, (text) => answers.push(withoutRandom(text)));
  return answers;
}

test.each(['postgres', 'citus'] as const)('SQLite and %s return the same bytes', async (engine) => {
  const answers = await answersOn(engine);
  expect(answers.length).toBeGreaterThan(120);
  expect(answers).toEqual(await answersOn('sqlite'));
});
