import { OPERATIONS, validate } from '@access-admin/contract';
import { type SodStore, StorageUnavailable } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { accessProfile, entitlement, kOfN, role, two } from './lint-world.ts';
import { openTestApi, type TestApi } from './test-api.ts';

const LINT = '/sod-policies/v1/lint';
const ITEMS = ['a', 'b', 'c', 'd'].map(entitlement);
const OFF = { state: 'NOT_ENFORCED' };
const remove = (kind: string, id: string) => ({ kind, id, delete: true });

interface Finding {
  readonly code: string;
  readonly policyId: string;
  readonly ref: { readonly type: string; readonly id: string } | null;
  readonly related: readonly { readonly id: string }[];
}

/** `CODE policy ref > related`. */
const inShort = ({ code, policyId, ref, related }: Finding) =>
  [code, policyId, ...(ref ? [ref.id] : []), ...(related.length > 0 ? ['>'] : []), ...related.map(({ id }) => id)].join(
    ' ',
  );

async function warningsOf({ importRecords }: TestApi, records: readonly object[]): Promise<readonly string[]> {
  const answer = await importRecords(records);
  expect(answer.status).toBe(200);
  return answer.json.warnings.map(inShort);
}

/** A rulebook with findings of every code. */
const ODD = [
  ...ITEMS,
  accessProfile('ap-both', 'a c'),
  role('r-both', 'ap-both'),
  two('p-wide', 'a b', 'c'),
  two('p-narrow', 'c', 'b'),
  two('p-same', 'c', 'b a'),
  two('p-off', 'a', 'c', OFF),
  two('p-dead', 'a', 'x y'),
  kOfN('p-three', 3, ['d', 'd b', 'c']),
];

async function openWith(records: readonly object[]): Promise<TestApi> {
  const api = await openTestApi();
  expect((await api.importRecords(records)).status).toBe(200);
  return api;
}

describe('warnings of an import', () => {
  test('are the lint findings about the import, in the same form and order, also when it is repeated', async () => {
    const api = await openTestApi();
    const first = await api.importRecords(ODD);
    const { json } = await api.call('GET', LINT);
    expect(new Set(json.map(({ code }: Finding) => code)).size).toBe(7);
    const told = json.map((finding: Finding) =>
      finding.code === 'DELETED_ITEM' ? { ...finding, code: 'UNKNOWN_ITEM' } : finding,
    );
    expect(first.json.warnings).toEqual(told);
    expect((await api.importRecords(ODD)).json.warnings).toEqual(told);
    const schema = OPERATIONS.find(({ id }) => id === 'import-access-model-v1')?.response.schema ?? null;
    expect(schema !== null && validate(schema, first.json).ok).toBe(true);
  });

  test.each([
    ['nothing of what was odd before', [two('p-new', 'a', 'd'), role('r-new', '', 'a')], []],
    ['nothing when entitlements are given', [entitlement('d'), entitlement('x')], []],
    [
      'no warning when policies, roles and access profiles are deleted',
      [remove('sodPolicy', 'p-wide'), remove('role', 'r-both'), remove('accessProfile', 'ap-both')],
      [],
    ],
    [
      'a policy, alone and compared with others',
      [two('p-new', 'c', 'x b')],
      ['UNKNOWN_ITEM p-new x', 'SUBSUMED_POLICY p-narrow > p-new p-same p-wide'],
    ],
    [
      'a policy that is not enforced',
      [two('p-off', 'a', 'z', OFF)],
      ['UNKNOWN_ITEM p-off z', 'UNMATCHABLE_POLICY p-off'],
    ],
    [
      'the policies that are narrower than or equal to an imported one',
      [two('p-wide', 'a b', 'c')],
      [
        'DUPLICATE_POLICY p-wide > p-same',
        'SELF_VIOLATING_ACCESS_PROFILE p-wide ap-both',
        'SELF_VIOLATING_ROLE p-wide r-both',
        'SUBSUMED_POLICY p-narrow > p-same p-wide',
      ],
    ],
    [
      'a role',
      [role('r-new', '', 'b c')],
      ['SELF_VIOLATING_ROLE p-narrow r-new', 'SELF_VIOLATING_ROLE p-same r-new', 'SELF_VIOLATING_ROLE p-wide r-new'],
    ],
    [
      'an access profile and the roles that have it',
      [accessProfile('ap-both', 'b c')],
      ['p-narrow', 'p-same', 'p-wide']
        .flatMap((id) => [`SELF_VIOLATING_ACCESS_PROFILE ${id} ap-both`, `SELF_VIOLATING_ROLE ${id} r-both`])
        .sort(),
    ],
    [
      'the policies that name a deleted entitlement',
      [remove('entitlement', 'd')],
      ['DELETED_ITEM p-three d', 'UNMATCHABLE_POLICY p-three'],
    ],
    [
      'no more of a policy that a later line deletes',
      [two('p-new', 'c', 'x'), remove('sodPolicy', 'p-new')],
      ['REPEATED_RECORD p-new p-new'],
    ],
    [
      'lines that give the same record, first',
      [entitlement('e'), two('p-new', 'c', 'x b'), { ...entitlement('e'), name: 'Other' }],
      ['REPEATED_RECORD  e', 'UNKNOWN_ITEM p-new x', 'SUBSUMED_POLICY p-narrow > p-new p-same p-wide'],
    ],
  ])('tell of %s', async (_, records, expected) => {
    const api = await openWith(ODD);
    expect(await warningsOf(api, records)).toEqual(expected);
  });
});

/** Blocks all reads of the rulebook until released, and counts the calls. */
function holdRulebook({ store }: TestApi) {
  const { loadRulebook, readPolicyChanges } = store.sod;
  const began = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const reads = { whole: 0, changes: 0 };
  const hold = async (which: keyof typeof reads) => {
    reads[which]++;
    began.resolve();
    await letGo.promise;
  };
  const held: Pick<SodStore, 'loadRulebook' | 'readPolicyChanges'> = {
    loadRulebook: (tenant) => hold('whole').then(() => loadRulebook(tenant)),
    readPolicyChanges: (tenant, since) => hold('changes').then(() => readPolicyChanges(tenant, since)),
  };
  Object.assign(store.sod, held);
  return { began: began.promise, letGo: letGo.resolve, reads };
}

const PEOPLE = [
  { kind: 'identityProfile', id: 'ip', name: 'Employees' },
  { kind: 'identity', id: 'i-1', uid: 'one', identityProfile: 'ip', access: [{ type: 'ROLE', id: 'r-both' }] },
];

test('lines that give the same record are named, and the response is that of its schema', async () => {
  const api = await openTestApi();
  const person = { ...PEOPLE[1], access: [] };
  const { json } = await api.importRecords([PEOPLE[0] ?? {}, person, { ...person, email: 'last@example.com' }]);
  expect(json.warnings).toEqual([
    {
      code: 'REPEATED_RECORD',
      severity: 'WARNING',
      policyId: null,
      related: [],
      ref: { type: 'IDENTITY', id: 'i-1' },
      text: 'Lines 2, 3 give the same identity i-1: only line 3, the last, counts.',
    },
  ]);
  expect((await api.call('GET', '/auth-users/v1/i-1')).json.email).toBe('last@example.com');
  const schema = OPERATIONS.find(({ id }) => id === 'import-access-model-v1')?.response.schema ?? null;
  expect(schema !== null && validate(schema, json).ok).toBe(true);
});

test('accounts that could make no identity are named, and the response is that of its schema', async () => {
  const api = await openWith([PEOPLE[0] ?? {}, { kind: 'identity', id: 'i-1', uid: 'one', identityProfile: 'ip' }]);
  const accountOf = (id: string, name: string) => ({ kind: 'account', source: 'hr', id, name });
  const { json } = await api.importRecords([
    { kind: 'source', id: 'hr', name: 'HR', authoritative: true, correlation: [] },
    ...Array.from({ length: 21 }, (_, at) => accountOf(`a-${at}`, 'ONE')),
    accountOf('b', 'two'),
  ]);
  expect(json.warnings).toHaveLength(20);
  expect([json.warnings[0], json.warnings.at(-1)]).toMatchObject([
    {
      code: 'ACCOUNT_WITHOUT_IDENTITY',
      severity: 'WARNING',
      policyId: null,
      related: [],
      ref: { type: 'ACCOUNT', id: 'hr a-0' },
      text: 'The account a-0 of the source hr cannot make an identity: the identity i-1 has its name as uid already.',
    },
    { ref: { id: 'hr a-19' }, text: expect.stringContaining('1 more account') },
  ]);
  const schema = OPERATIONS.find(({ id }) => id === 'import-access-model-v1')?.response.schema ?? null;
  expect(schema !== null && validate(schema, json).ok).toBe(true);
});

test('an unknown entitlement of a policy is a warning that says what cannot match', async () => {
  const api = await openWith(ITEMS);
  const { status, json } = await api.importRecords([two('p', 'a', 'none')]);
  expect(status).toBe(200);
  expect(json.warnings.map(({ text }: { text: string }) => text)).toEqual([
    'Policy p names entitlement none, which does not exist: the item cannot match until the entitlement exists.',
    'Policy p cannot match: a violation takes 2 sides, and only 1 of its sides has an entitlement that exists.',
  ]);
});

describe('the rulebook is read for warnings', () => {
  test('only if an import has policies, roles or access profiles, or deletes entitlements', async () => {
    const api = await openWith(ODD);
    const { reads, letGo } = holdRulebook(api);
    letGo();
    for (const records of [[], PEOPLE, [...ITEMS, entitlement('x')], [remove('sodPolicy', 'p-off')]])
      expect(await warningsOf(api, records)).toEqual([]);
    expect(reads).toEqual({ whole: 0, changes: 0 });
    await warningsOf(api, [remove('entitlement', 'x')]);
    // Deleting existing records changes more than policies, so the whole rulebook is read.
    expect(reads).toEqual({ whole: 1, changes: 1 });
  });

  test.each([
    ['once, and then the policies that have changed', undefined, { whole: 0, changes: 3 }],
    ['each time where it is too large to keep', 8, { whole: 3, changes: 0 }],
  ])('%s', async (_, cacheBytes, expected) => {
    const api = await openTestApi(cacheBytes === undefined ? {} : { cacheBytes });
    await api.importRecords(ODD);
    const { reads, letGo } = holdRulebook(api);
    letGo();
    expect(await warningsOf(api, [two('p-new', 'c', 'x b')])).toHaveLength(2);
    expect(await warningsOf(api, [two('p-new', 'c', 'b y')])).toEqual([
      'UNKNOWN_ITEM p-new y',
      'SUBSUMED_POLICY p-narrow > p-new p-same p-wide',
    ]);
    // These changes are not imports.
    expect((await api.call('DELETE', '/sod-policies/v1/p-new')).status).toBe(204);
    const { json } = await api.call('GET', LINT);
    expect(json.filter(({ code }: Finding) => code === 'SUBSUMED_POLICY').map(inShort)).toEqual([
      'SUBSUMED_POLICY p-narrow > p-same p-wide',
    ]);
    expect(reads).toEqual(expected);
  });

  test('for that tenant only', async () => {
    const api = await openWith(ODD);
    const token = await api.clientToken({ tenant: 'other' });
    const inOther = async (records: readonly object[]) =>
      (await api.importRecords(records, token)).json.warnings.map(inShort);
    expect(await inOther([...ITEMS, two('p-narrow', 'c', 'b')])).toEqual([]);
    expect(await warningsOf(api, [two('p-new', 'a', 'x')])).toHaveLength(3);
    expect(await inOther([two('p-new', 'a', 'd')])).toEqual([]);
  });

  test('after the import has taken effect, so that other requests can write and read meanwhile', async () => {
    const api = await openWith(ODD);
    const held = holdRulebook(api);
    const answer = warningsOf(api, [two('p-new', 'c', 'x b')]);
    await held.began;
    expect((await api.call('GET', '/sod-policies/v1/p-new')).status).toBe(200);
    expect(await warningsOf(api, PEOPLE)).toEqual([]);
    held.letGo();
    expect(await answer).toEqual(['UNKNOWN_ITEM p-new x', 'SUBSUMED_POLICY p-narrow > p-new p-same p-wide']);
  });

  test('once for all waiting imports', async () => {
    const api = await openWith(ODD);
    const held = holdRulebook(api);
    const first = warningsOf(api, [two('p-0', 'a', 'x')]);
    await held.began;
    const others = ['p-1', 'p-2', 'p-3'].map((id) => warningsOf(api, [two(id, 'd', `x-${id}`)]));
    for (const id of ['p-1', 'p-2', 'p-3'])
      await expect.poll(async () => (await api.call('GET', `/sod-policies/v1/${id}`)).status).toBe(200);
    held.letGo();
    const known = (id: string) => [`UNKNOWN_ITEM ${id} x-${id}`, `UNMATCHABLE_POLICY ${id}`];
    expect(await Promise.all(others)).toEqual(['p-1', 'p-2', 'p-3'].map(known));
    expect(await first).toEqual(['UNKNOWN_ITEM p-0 x', 'SUBSUMED_POLICY p-0 > p-dead', 'UNMATCHABLE_POLICY p-0']);
    expect(held.reads).toEqual({ whole: 0, changes: 2 });
  });
});

describe('an import is answered with the warnings known so far', () => {
  const given = [two('p-new', 'a', 'x')];

  test('if the storage becomes unavailable after it has taken effect', async () => {
    const api = await openWith(ODD);
    const { readPolicyChanges } = api.store.sod;
    const away = () => Promise.reject(new StorageUnavailable('The storage is away.'));
    Object.assign(api.store.sod, { readPolicyChanges: away });
    expect(await warningsOf(api, given)).toEqual(['UNKNOWN_ITEM p-new x']);
    Object.assign(api.store.sod, { readPolicyChanges });
    expect(await warningsOf(api, given)).toEqual([
      'UNKNOWN_ITEM p-new x',
      'SUBSUMED_POLICY p-new > p-dead',
      'UNMATCHABLE_POLICY p-new',
    ]);
  });

  test('if lint takes more than five seconds', async () => {
    const api = await openWith(ODD);
    const { readPolicyChanges } = api.store.sod;
    const slowly = (ms: number) => ({
      readPolicyChanges: (...request: Parameters<typeof readPolicyChanges>) => {
        api.clock.nowMs += ms;
        return readPolicyChanges(...request);
      },
    });
    Object.assign(api.store.sod, slowly(4_999));
    expect(await warningsOf(api, given)).toHaveLength(3);
    Object.assign(api.store.sod, slowly(5_000));
    expect(await warningsOf(api, given)).toEqual(['UNKNOWN_ITEM p-new x', 'UNMATCHABLE_POLICY p-new']);
  });
});
