import { describe, expect, test } from 'vitest';
import { openViolations } from './open-violations.ts';
import { openTestApi, WORLD } from './test-api.ts';

const PEOPLE = [
  { id: 'i-1', uid: 'Zoe.Straße', displayName: 'Zoë Straße', email: 'zoe@example.com' },
  { id: 'i-2', uid: 'zach', displayName: 'ZOË STRASSE', email: 'zach@example.org' },
  { id: 'i-3', uid: 'anna', displayName: '100 % "Anna_\\" \u{1f600}\u{1f601}', email: null },
];

// What other systems say of a record where they say nothing.
const NOTHING = { attributes: {}, externalId: null };

const identity = (fields: object) => ({ kind: 'identity', identityProfile: 'ip-emp', capabilities: [], ...fields });

async function open() {
  const api = await openTestApi();
  expect((await api.importRecords(WORLD)).status).toBe(200);
  const list = (path: string, query: Record<string, string> = {}) =>
    api.call('GET', `${path}?${new URLSearchParams(query)}`);
  const ids = async (path: string, filters: string, more: Record<string, string> = {}) => {
    const answer = await list(path, { filters, ...more });
    return answer.status === 200 ? answer.json.map(({ id }: { id: string }) => id) : answer.json.detailCode;
  };
  return { ...api, list, ids };
}

describe('look-ups', () => {
  test('show records with the names of what they refer to', async () => {
    const { call, list, store } = await open();
    await openViolations(store, [{ policyId: 'p-1', identityId: 'i-cleo' }]);
    const ref = (type: string, id: string, name: string) => ({ type, id, name });
    const vendor = ref('ENTITLEMENT', 'e-vendor', 'ERP: create vendor');
    expect((await list('/entitlements/v1')).json).toEqual([
      { id: 'e-pay', name: 'AP: release payment', source: 'ERP', grants: [], ...NOTHING },
      { id: 'e-report', name: 'BI: read', source: 'BI', grants: [], ...NOTHING },
      { id: 'e-vendor', name: 'ERP: create vendor', source: 'ERP', grants: [], ...NOTHING },
    ]);
    expect((await list('/access-profiles/v1')).json).toEqual([
      { id: 'ap-vendor', name: 'Vendor master', entitlements: [vendor], ...NOTHING },
    ]);
    const role = {
      id: 'r-buyer',
      name: 'Buyer',
      accessProfiles: [ref('ACCESS_PROFILE', 'ap-vendor', 'Vendor master')],
      entitlements: [ref('ENTITLEMENT', 'e-report', 'BI: read')],
      ...NOTHING,
    };
    expect((await list('/roles/v1')).json).toEqual([role]);
    const read = await call('GET', '/roles/v1/r-buyer');
    expect([read.json, read.headers.get('etag')]).toEqual([role, expect.stringMatching(/^"/)]);
    const settings = { type: 'NON_PTA', offNetwork: false, untrustedGeography: false };
    expect((await call('GET', '/identity-profiles/v1/ip-emp')).json).toEqual({
      id: 'ip-emp',
      name: 'Employees',
      authProfile: { ...settings, applicationId: null, applicationName: null },
    });
    const cleo = (await call('GET', '/identities/v1/i-cleo')).json;
    const { assignments, ...listed } = cleo;
    expect(assignments).toEqual([{ ...ref('ROLE', 'r-buyer', 'Buyer'), start: null, end: null }]);
    expect(listed).toMatchObject({
      id: 'i-cleo',
      uid: 'cleo',
      displayName: 'cleo',
      email: 'cleo@example.com',
      capabilities: [],
      identityProfile: ref('IDENTITY_PROFILE', 'ip-emp', 'Employees'),
      violations: { open: 1, mitigated: 0 },
    });
    expect((await list('/identities/v1', { filters: 'id eq "i-cleo"' })).json).toEqual([listed]);
    for (const path of ['identities', 'entitlements', 'access-profiles', 'roles', 'identity-profiles'])
      expect((await call('GET', `/${path}/v1/none`)).json.detailCode).toBe('404');
  });

  test('search without differences of case and composition, and compare exactly with eq', async () => {
    const { importRecords, ids } = await open();
    await importRecords(PEOPLE.map(identity));
    const people = '/identities/v1';
    expect(await ids(people, 'displayName co "STRASSE"')).toEqual(['i-1', 'i-2']);
    expect(await ids(people, 'displayName co "zoe\u0308 s"')).toEqual(['i-1', 'i-2']);
    expect(await ids(people, 'displayName eq "Zoë Straße"')).toEqual(['i-1']);
    expect(await ids(people, 'displayName eq "zoë straße"')).toEqual([]);
    expect(await ids(people, 'uid sw "Z"')).toEqual(['i-2', 'i-1'].toSorted());
    expect(await ids(people, 'uid sw "zoe" and email co "EXAMPLE"')).toEqual(['i-1']);
    expect(await ids(people, 'displayName co "100 %"')).toEqual(['i-3']);
    expect(await ids(people, 'displayName co "\\"Anna_\\\\\\""')).toEqual(['i-3']);
    expect(await ids(people, 'displayName co " \u{1f600}\u{1f601}"')).toEqual(['i-3']);
    expect(await ids(people, 'displayName co "%%%"')).toEqual([]);
    expect(await ids(people, 'email sw "z" and identityProfileId eq "ip-emp"')).toEqual(['i-1', 'i-2']);
    expect(await ids(people, 'identityProfileId eq "IP-EMP"')).toEqual([]);
    expect(await ids('/entitlements/v1', 'source eq "ERP" and name co "VENDOR"')).toEqual(['e-vendor']);
    expect(await ids('/roles/v1', 'id in ("r-buyer", "none") and name sw "b"')).toEqual(['r-buyer']);
  });

  test('search without the accents of Latin letters, and look at several texts at once', async () => {
    const { importRecords, ids, list } = await open();
    const people = [
      { id: 'i-tuan', uid: 'tt', displayName: 'Tuấn Trần', email: 'office@example.com' },
      { id: 'i-dung', uid: 'dd', displayName: 'Đặng Łukasz', email: 'accounts.tuan@example.org' },
      { id: 'i-greek', uid: 'Tuân.Nguyễn', displayName: 'Αθήνα', email: null },
    ];
    await importRecords(people.map(identity));
    const found = '/identities/v1';
    expect(await ids(found, 'displayName co "Tuan"')).toEqual(['i-tuan']);
    expect(await ids(found, 'displayName sw "tuấn tran"')).toEqual(['i-tuan']);
    expect(await ids(found, 'displayName sw "dang lu"')).toEqual(['i-dung']);
    expect(await ids(found, 'uid co "NGUYEN"')).toEqual(['i-greek']);
    expect(await ids(found, 'displayName co "αθη"')).toEqual([]);
    expect(await ids(found, 'displayName eq "Tuan Tran"')).toEqual([]);
    expect(await ids(found, 'any co "tuan"')).toEqual(['i-dung', 'i-greek', 'i-tuan']);
    expect(await ids(found, 'any co "I-GREEK"')).toEqual(['i-greek']);
    expect(await ids(found, 'any co "OFFICE@"')).toEqual(['i-tuan']);
    expect(await ids(found, 'any co "tuan" and any co "example.org"')).toEqual(['i-dung']);
    expect(await ids(found, 'any co "tu"')).toBe('400.1.3');
    expect(await ids(found, 'any eq "tuan"')).toBe('400.1.3');
    expect(await ids('/roles/v1', 'any co "BUYE"')).toEqual(['r-buyer']);
    expect(await ids('/entitlements/v1', 'any co "-vendor"')).toEqual(['e-vendor']);
    const counted = await list(found, { filters: 'any co "tuan"', count: 'true' });
    expect(counted.headers.get('x-total-count')).toBe('3');
  });

  test('show and find what other systems say of records', async () => {
    const { importRecords, ids, call } = await open();
    const external = { attributes: { department: 'Sales "EU"', 'cost.center-1': '' }, externalId: 'ext/1' };
    const records = [
      { kind: 'entitlement', id: 'e-x', name: 'X', source: null, ...external },
      { kind: 'accessProfile', id: 'ap-x', name: 'X', entitlements: ['e-x'], ...external },
      { kind: 'role', id: 'r-x', name: 'X', ...external },
      identity({ id: 'i-x', uid: 'x', ...external }),
      identity({ id: 'i-y', uid: 'y', attributes: { department: 'Sales', x: 'department' }, externalId: 'EXT/1' }),
      { ...WORLD[WORLD.length - 1], id: 'p-x', ...external },
    ];
    expect((await importRecords(records)).status).toBe(200);
    const sorted = { attributes: { 'cost.center-1': '', department: 'Sales "EU"' }, externalId: 'ext/1' };
    for (const path of [
      '/entitlements/v1/e-x',
      '/access-profiles/v1/ap-x',
      '/roles/v1/r-x',
      '/identities/v1/i-x',
      '/sod-policies/v1/p-x',
    ]) {
      expect([path, (await call('GET', path)).json]).toMatchObject([path, sorted]);
      const list = path.slice(0, path.lastIndexOf('/'));
      const id = path.slice(path.lastIndexOf('/') + 1);
      expect(await ids(list, 'attributes.department eq "Sales \\"EU\\""')).toEqual([id]);
      expect(await ids(list, 'attributes.cost.center-1 in ("", "x")')).toEqual([id]);
      expect(await ids(list, 'externalId eq "ext/1"')).toEqual([id]);
      expect(await ids(list, 'attributes.department eq "sales"')).toEqual([]);
      expect(await ids(list, 'attributes.1x eq "a"')).toBe('400.1.3');
      expect(await ids(list, 'attributes.department co "Sales"')).toBe('400.1.3');
    }
    expect(await ids('/identities/v1', 'attributes.department in ("Sales", "Sales \\"EU\\"")')).toEqual(['i-x', 'i-y']);
    expect(await ids('/identities/v1', 'attributes.department in ("Sales", "x") and any co "i-y"')).toEqual(['i-y']);
    expect((await importRecords(records)).json.counts).toMatchObject({
      identity: { unchanged: 2 },
      role: { unchanged: 1 },
      entitlement: { unchanged: 1 },
      accessProfile: { unchanged: 1 },
      sodPolicy: { unchanged: 1 },
    });
    const exported = (await call('GET', '/access-model/v1/export')).text;
    const other = await openTestApi();
    expect(
      (
        await other.importRecords(
          exported
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        )
      ).status,
    ).toBe(200);
    expect((await other.call('GET', '/access-model/v1/export')).text).toBe(exported);
  });

  test('are of identities that keep what an upsert leaves out, and of other records that do not', async () => {
    const { importRecords, ids, call } = await open();
    const external = { attributes: { department: 'Sales' }, externalId: 'x-1' };
    const role = { kind: 'role', id: 'r-x', name: 'X' };
    await importRecords([identity({ id: 'i-x', uid: 'x', ...external }), { ...role, ...external }]);
    await importRecords([identity({ id: 'i-x', uid: 'x' }), role]);
    expect((await call('GET', '/identities/v1/i-x')).json).toMatchObject(external);
    expect((await call('GET', '/roles/v1/r-x')).json).toMatchObject(NOTHING);
    expect(await ids('/roles/v1', 'attributes.department eq "Sales"')).toEqual([]);
    await importRecords([identity({ id: 'i-x', uid: 'x', attributes: { city: 'Jena' }, externalId: null })]);
    expect((await call('GET', '/identities/v1/i-x')).json).toMatchObject({
      attributes: { city: 'Jena' },
      externalId: null,
    });
    expect(await ids('/identities/v1', 'attributes.department eq "Sales"')).toEqual([]);
    expect(await ids('/identities/v1', 'attributes.city eq "Jena"')).toEqual(['i-x']);
    const filters = new URLSearchParams({ filters: 'resourceId eq "i-x"' });
    const last = (await call('GET', `/audit-events/v1?${filters}`)).json.at(-1);
    expect(last.changes).toEqual([
      {
        field: 'i-x',
        before: { attributes: { department: 'Sales' }, externalId: 'x-1' },
        after: { attributes: { city: 'Jena' }, externalId: null },
      },
    ]);
  });

  test.each<[string, object, string, string]>([
    [
      '33 attributes',
      Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`a${at}`, ''])),
      '400.1.4',
      'attributes',
    ],
    ['a name that begins with a digit', { '1a': '' }, '400.1.3', 'attributes.1a'],
    ['a name of 65 characters', { ['a'.repeat(65)]: '' }, '400.1.3', `attributes.${'a'.repeat(64)}`],
    ['a value of 257 characters', { a: 'x'.repeat(257) }, '400.1.2', 'attributes.a'],
    ['a value that is no text', { a: 1 }, '400.1.3', 'attributes.a'],
    ['a list', [], '400.1.3', 'attributes'],
  ])('refuse %s', async (_, attributes, detailCode, at) => {
    const { importRecords } = await open();
    const refused = await importRecords([{ kind: 'role', id: 'r-x', name: 'X', attributes }]);
    expect([refused.status, refused.json.detailCode]).toEqual([400, detailCode]);
    expect(refused.json.causes[0].text).toContain(`line 1: ${at}: `);
  });

  test('refuse parts of fewer than three characters, and what is no filter of the list', async () => {
    const { ids } = await open();
    for (const text of ['', 'ab', '\u{1f600}\u{1f601}', 'e\u0301a'])
      expect(await ids('/identities/v1', `displayName co "${text}"`)).toBe('400.1.3');
    for (const filters of ['name co "abc"', 'displayName in ("a")', 'email ge "abc"', 'source eq "ERP"', ''])
      expect(await ids('/identities/v1', filters)).toBe('400.1.3');
    expect(await ids('/entitlements/v1', 'id sw "e"')).toBe('400.1.3');
    for (const sorters of ['email', 'name', 'id,id', ''])
      expect(await ids('/identities/v1', 'id eq "a"', { sorters })).toBe('400.1.3');
    expect(await ids('/identities/v1', 'id eq "a"', { cursor: 'abc' })).toBe('400.1.3');
  });

  test('are read in pages in each order, by cursor or by offset', async () => {
    const { importRecords, call, list } = await open();
    const names = ['b', 'A', 'a', 'C', 'b', 'ä'];
    await importRecords(names.map((name, at) => ({ kind: 'role', id: `r-${at}`, name: `x${name}` })));
    const all = async (query: Record<string, string>) => {
      const found: string[] = [];
      for (
        let path: string | undefined = `/roles/v1?${new URLSearchParams({ limit: '2', count: 'true', ...query })}`;
        path;
      ) {
        const answer = await call('GET', path);
        expect(answer.headers.get('x-total-count')).toBe(String(query['filters'] === undefined ? 7 : 6));
        expect(answer.headers.get('x-total-count-is')).toBe('exact');
        found.push(...answer.json.map(({ id }: { id: string }) => id));
        path = /<http:\/\/127\.0\.0\.1:8080([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      return found.map((id) => id.slice(2)).join(' ');
    };
    const filters = 'name sw "X"';
    expect(await all({})).toBe('0 1 2 3 4 5 buyer');
    expect(await all({ sorters: '-id' })).toBe('buyer 5 4 3 2 1 0');
    expect(await all({ filters, sorters: 'name' })).toBe('1 2 5 0 4 3');
    expect(await all({ filters, sorters: '-name' })).toBe('3 4 0 5 2 1');
    expect(await all({ filters, sorters: 'name,-id' })).toBe('5 2 1 4 0 3');
    const page = await list('/roles/v1', { filters, sorters: 'name', offset: '2', limit: '2' });
    expect(page.json.map(({ id }: { id: string }) => id)).toEqual(['r-5', 'r-0']);
    expect((await list('/roles/v1', { offset: '7' })).json).toEqual([]);
    expect((await list('/roles/v1', { offset: '10000' })).json).toEqual([]);
    const deep = await list('/roles/v1', { offset: '10001' });
    expect([deep.status, deep.json.detailCode, deep.json.causes[0].text]).toEqual([
      400,
      '400.1.3',
      expect.stringMatching(/^offset: .*10000.*cursor/),
    ]);
    const cursor = /cursor=([\w-]+)/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect((await list('/roles/v1', { filters, sorters: 'id', cursor })).json.detailCode).toBe('400.1.3');
    expect((await list('/roles/v1', { filters, sorters: 'name', cursor, offset: '1' })).json.detailCode).toBe(
      '400.1.3',
    );
  });

  test('tell who holds something, by which way and when', async () => {
    const { importRecords, call } = await open();
    const start = '2026-01-01T00:00:00.000Z';
    const end = '2027-01-01T00:00:00.000Z';
    const access = [
      { type: 'ROLE', id: 'r-buyer', end },
      { type: 'ENTITLEMENT', id: 'e-vendor', start },
      { type: 'ACCESS_PROFILE', id: 'ap-vendor' },
    ];
    await importRecords([identity({ id: 'i-dan', uid: 'dan', displayName: 'Dan', access })]);
    const cleo = { type: 'IDENTITY', id: 'i-cleo', name: 'cleo' };
    const dan = { type: 'IDENTITY', id: 'i-dan', name: 'Dan' };
    const role = { type: 'ROLE', id: 'r-buyer', name: 'Buyer' };
    const profile = { type: 'ACCESS_PROFILE', id: 'ap-vendor', name: 'Vendor master' };
    const holders = [
      { identity: cleo, via: [role, profile], start: null, end: null },
      { identity: dan, via: [], start, end: null },
      { identity: dan, via: [profile], start: null, end: null },
      { identity: dan, via: [role, profile], start: null, end },
    ];
    const first = await call('GET', '/entitlements/v1/e-vendor/holders?count=true');
    expect([first.json, first.headers.get('x-total-count')]).toEqual([holders, '4']);
    expect((await call('GET', '/access-profiles/v1/ap-vendor/holders')).json).toEqual([
      { ...holders[0], via: [role] },
      { ...holders[2], via: [] },
      { ...holders[3], via: [role] },
    ]);
    expect((await call('GET', '/roles/v1/r-buyer/holders')).json).toEqual([
      { ...holders[0], via: [] },
      { ...holders[3], via: [] },
    ]);
    expect(
      (await call('GET', '/entitlements/v1/e-report/holders')).json.map(({ via }: { via: object[] }) => via),
    ).toEqual([[role], [role]]);
    expect((await call('GET', '/entitlements/v1/e-pay/holders')).json).toEqual([]);
    expect((await call('GET', '/entitlements/v1/none/holders')).json.detailCode).toBe('404');
    const found: unknown[] = [];
    for (let path: string | undefined = '/entitlements/v1/e-vendor/holders?limit=1'; path; ) {
      const answer = await call('GET', path);
      found.push(...answer.json);
      path = /<http:\/\/127\.0\.0\.1:8080([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(found).toEqual(holders);
    expect((await call('GET', '/entitlements/v1/e-vendor/holders?offset=2&limit=1')).json).toEqual([holders[2]]);
  });

  test('follow every import', async () => {
    const { importRecords, ids, call } = await open();
    const people = '/identities/v1';
    await importRecords([identity({ id: 'i-1', uid: 'one', displayName: 'Before' })]);
    expect(await ids(people, 'displayName co "before"')).toEqual(['i-1']);
    await importRecords([identity({ id: 'i-1', uid: 'one', displayName: 'After' })]);
    expect(await ids(people, 'displayName co "before"')).toEqual([]);
    expect(await ids(people, 'displayName co "after"')).toEqual(['i-1']);
    await importRecords([{ kind: 'identity', id: 'i-1', delete: true }]);
    expect(await ids(people, 'displayName co "after"')).toEqual([]);
    expect((await call('GET', `${people}/i-1`)).status).toBe(404);
  });

  test('show an identity itself without a capability, and no other one', async () => {
    const { call, clientToken } = await open();
    const token = await clientToken({ identityId: 'i-cleo' });
    expect((await call('GET', '/identities/v1/i-cleo', { token })).status).toBe(200);
    expect((await call('GET', '/identities/v1/i-ada', { token })).status).toBe(403);
    expect((await call('GET', '/identities/v1', { token })).status).toBe(403);
  });
});
