import type { AccessModelRecord } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { digestOfFound, type PresentViolation, type RegisterClaim, type Store } from '../../src/index.ts';
import {
  accessProfile,
  deletion,
  entitlement,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  people,
  role,
  sodPolicy,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

/** The register of violations. */
export function describeRegister(engine: StoreEngine): void {
  describe('the register', () => {
    test('of a tenant without data is of now; before its first filling it is of no instant', async () => {
      await using database = await openDatabase(engine);
      const { violations } = database.store;
      expect(await violations.readView('acme', NOW)).toEqual({ asOf: NOW, policySetVersion: 0, identities: 0 });
      await importAll(database.store, 'acme', people({ 'i-1': [] }));
      expect(await violations.readView('acme', NOW)).toMatchObject({ asOf: null });
      expect(await violations.find('acme', '019ab2e5-0000-7000-8000-000000000000', NOW)).toBeNull();
    });
  });

  describe('the changes for a round', () => describeChanges(engine));

  test('violations are stored with their own values, whether all of a statement are equal or not', async () => {
    await using database = await openDatabase(engine);
    const { register } = database.store;
    await importAll(database.store, 'acme', people({ 'i-1': [] }));
    const nowMs = Date.parse(NOW);
    const [claim] = await register.claim({ nowMs, leaseMs: 60_000, limit: 1 });
    if (claim === undefined) throw new Error('There is no register to claim.');
    const opened = Array.from({ length: 350 }, (_, at) => foundAt(at));
    const batch = { at: NOW, opened, changed: [], ended: [], due: [] };
    expect(await register.apply(claim, batch)).toBe(true);
    await using source = await register.openSource('acme');
    const stored: string[] = [];
    for await (const page of source.storedIn({ from: '', before: null }, null))
      stored.push(...page.map((each) => `${each.identity_id} ${each.policy_id} ${each.digest}`));
    const expected = opened.map((each) => `${each.identityId} ${each.policyId} ${digestOfFound(each)}`);
    expect(stored.toSorted()).toEqual(expected.toSorted());
  });
}

/** One of 350 violations: a hundred of one policy, a hundred of which every third is another one's, and others. */
function foundAt(at: number): PresentViolation {
  const policy = at < 100 ? 'p' : at < 200 ? `p-${at % 3}` : 'q';
  return {
    identityId: `i-${at}`,
    targetName: `Name ${at}`,
    policyId: policy,
    policyName: `Policy ${policy}`,
    levelRank: 1 + (at % 2 === 0 && at >= 300 ? 1 : 0),
    criteria: JSON.stringify([{ name: `side ${at}` }]),
    exception: at % 7 === 0 && at >= 200 ? { id: `x-${at}`, end: NOW } : null,
  };
}

const MODEL: readonly AccessModelRecord[] = [
  ...['e-1', 'e-2', 'e-3', 'e-4'].map((id) => entitlement(id)),
  accessProfile('ap', ['e-1']),
  role('by profile', { accessProfiles: ['ap'] }),
  role('direct', { entitlements: ['e-2'] }),
  identityProfile('ip'),
  identity('i-entitlement', { access: holds('ENTITLEMENT', 'e-1') }),
  identity('i-profile', { access: holds('ACCESS_PROFILE', 'ap') }),
  identity('i-role', { access: holds('ROLE', 'by profile') }),
  identity('i-other', { access: [...holds('ROLE', 'direct'), ...holds('ENTITLEMENT', 'e-3')] }),
];

/** A register that has all data of the moment. */
async function upToDate({ register }: Store): Promise<RegisterClaim> {
  await using source = await register.openSource('acme');
  const { version, identityRevision } = source;
  return {
    tenant: 'acme',
    since: null,
    fence: 1,
    ...version,
    identityRevision,
    asOf: NOW,
    compareDue: NOW,
  };
}

async function changesSince({ register }: Store, claim: RegisterClaim) {
  await using source = await register.openSource('acme');
  const { identities, policies, holders } = await source.changesSince(claim, NOW);
  return { identities: identities && [...identities], policies, holders: holders?.toSorted() ?? null };
}

function describeChanges(engine: StoreEngine): void {
  const [byProfile, byEntitlement] = [
    ['i-profile', 'i-role'],
    ['i-entitlement', 'i-profile', 'i-role'],
  ] as const;
  test.each([
    ['the name of an entitlement', [entitlement('e-1', 'new')], byEntitlement],
    ['the source of an entitlement', [{ ...entitlement('e-1'), source: 's' }], []],
    ['the entitlements of an access profile', [accessProfile('ap', ['e-1', 'e-3'])], byProfile],
    ['the name of an access profile', [{ ...accessProfile('ap', ['e-1']), name: 'new' }], []],
    ['the entitlements of a role', [role('direct', { entitlements: [] })], ['i-other']],
    ['the access profiles of a role', [role('by profile', {})], ['i-role']],
    ['the name of a role', [{ ...role('direct', { entitlements: ['e-2'] }), name: 'new' }], []],
    ['an entitlement that is deleted', [deletion('entitlement', 'e-4')], []],
    ['an entitlement that is deleted with its use', [role('direct', {}), deletion('entitlement', 'e-2')], ['i-other']],
    ['many new entitlements', Array.from({ length: 1_001 }, (_, at) => entitlement(`n-${at}`)), null],
  ])('are the identities that hold it: %s', async (_, records, holders) => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', MODEL);
    const claim = await upToDate(store);
    await importAll(store, 'acme', records);
    expect(await changesSince(store, claim)).toEqual({ identities: [], policies: holders && [], holders });
  });

  test('are those of all imports since, with their policies', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', MODEL);
    const claim = await upToDate(store);
    expect(await changesSince(store, claim)).toEqual({ identities: [], policies: [], holders: [] });
    const policy = (id: string) => sodPolicy(id, { left: ['e-1'], right: ['e-2'] });
    await importAll(store, 'acme', [policy('p-1'), role('direct', {})]);
    await importAll(store, 'acme', [policy('p-2')]);
    await importAll(store, 'acme', [accessProfile('ap', []), identity('i-new', { access: holds('ROLE', 'direct') })]);
    expect(await changesSince(store, claim)).toEqual({
      identities: ['i-new'],
      policies: ['p-1', 'p-2'],
      holders: ['i-new', 'i-other', 'i-profile', 'i-role'],
    });
    await importAll(store, 'other', MODEL);
    expect(await changesSince(store, await upToDate(store))).toEqual({ identities: [], policies: [], holders: [] });
  });

  test('are not told one by one where too many identities hold something', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const access = holds('ENTITLEMENT', 'e-4');
    const many = Array.from({ length: 1_001 }, (_, at) => identity(`m-${at}`, { access }));
    await importAll(store, 'acme', [...MODEL, ...many]);
    const claim = await upToDate(store);
    await importAll(store, 'acme', [deletion('identity', 'm-0'), entitlement('e-4', 'new')]);
    expect((await changesSince(store, claim)).holders).toHaveLength(1_000);
    await importAll(store, 'acme', [identity('m-0', { access })]);
    expect((await changesSince(store, claim)).holders).toBeNull();
  });
}
