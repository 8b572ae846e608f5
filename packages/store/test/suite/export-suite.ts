import { type AccessModelRecord, type ExportRecord, ok, RECORD_KINDS } from '@access-admin/domain';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryModel } from '../arbitrary-model.ts';
import {
  accessProfile,
  actIn,
  deletion,
  entitlement,
  exportAll,
  fromExport,
  holds,
  identity,
  identityProfile,
  importAll,
  role,
  sodPolicy,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

/** The defaults that an import of an exported line fills in. */
function completed(record: AccessModelRecord): AccessModelRecord {
  if (record.kind === 'entitlement') return { ...entitlement(record.id), ...record };
  if (record.kind === 'identity') return { ...identity(record.id), ...record };
  if (record.kind === 'sodPolicy') return { ...sodPolicy(record.id, { left: [], right: [] }), ...record };
  return record;
}

export function describeExport(engine: StoreEngine): void {
  describe('an export', () => {
    describeExportedRecords(engine);
    describeExportSnapshot(engine);
  });
}

function describeExportedRecords(engine: StoreEngine): void {
  test('has exactly the fields that an import accepts', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const sides = { left: ['e-vendor'], right: ['e-ap-pay'] };
    const grants = [{ resourceType: 'payment run', resourceId: 'weekly', action: 'release' }];
    await importAll(store, 'acme', [
      { ...entitlement('e-ap-pay', 'AP: release payment'), source: 'ERP', grants },
      entitlement('e-vendor'),
      accessProfile('ap-ap', ['e-ap-pay']),
      role('r-fin', { accessProfiles: ['ap-ap'] }),
      identityProfile('ip-emp', { authProfile: { type: 'MFA', applicationId: 'app' } }),
      identity('i-1', {
        identityProfile: 'ip-emp',
        lastLoginTimestamp: 1_763_700_000_000,
        access: holds('ROLE', 'r-fin'),
      }),
      sodPolicy('p-1', sides, { tags: ['sox'], description: 'Nobody pays vendors of their own.' }),
      sodPolicy('p-2', sides, { state: 'NOT_ENFORCED', level: 'LOW' }),
      { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'Name' },
      { kind: 'branding', id: 'tenant', title: 'Example' },
      { kind: 'lockoutConfig', id: 'tenant', maximumAttempts: 3 },
      { kind: 'sessionConfig', id: 'tenant', maxIdleTime: 15 },
      { kind: 'networkConfig', id: 'tenant', geolocation: ['CH'], whitelisted: true },
    ]);
    const criteria = {
      leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
      rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-ap-pay' }] },
    };
    const policy = { kind: 'sodPolicy', type: 'CONFLICTING_ACCESS_BASED', conflictingAccessCriteria: criteria };
    expect(await exportAll(store, 'acme')).toStrictEqual([
      { kind: 'entitlement', id: 'e-ap-pay', name: 'AP: release payment', source: 'ERP', grants },
      { kind: 'entitlement', id: 'e-vendor', name: 'e-vendor' },
      { kind: 'accessProfile', id: 'ap-ap', name: 'ap-ap', entitlements: ['e-ap-pay'] },
      { kind: 'role', id: 'r-fin', name: 'r-fin', accessProfiles: ['ap-ap'], entitlements: [] },
      {
        kind: 'identityProfile',
        id: 'ip-emp',
        name: 'ip-emp',
        authProfile: {
          type: 'MFA',
          offNetwork: false,
          untrustedGeography: false,
          applicationId: 'app',
          applicationName: null,
        },
      },
      {
        kind: 'identity',
        id: 'i-1',
        uid: 'i-1-uid',
        identityProfile: 'ip-emp',
        displayName: 'i-1',
        alias: 'i-1',
        lastLoginTimestamp: 1_763_700_000_000,
        active: true,
        capabilities: [],
        access: [{ type: 'ROLE', id: 'r-fin' }],
      },
      {
        ...policy,
        id: 'p-1',
        name: 'p-1',
        description: 'Nobody pays vendors of their own.',
        state: 'ENFORCED',
        level: 'HIGH',
        tags: ['sox'],
      },
      { ...policy, id: 'p-2', name: 'p-2', state: 'NOT_ENFORCED', level: 'LOW' },
      { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'Name' },
      { kind: 'branding', id: 'tenant', title: 'Example' },
      { kind: 'lockoutConfig', id: 'tenant', maximumAttempts: 3, lockoutDuration: 15, lockoutWindow: 5 },
      { kind: 'networkConfig', id: 'tenant', range: null, geolocation: ['CH'], whitelisted: true },
    ]);
  });

  test('of a tenant without data has no records', async () => {
    await using database = await openDatabase(engine);
    await importAll(database.store, 'other', [entitlement('e-1')]);
    expect(await exportAll(database.store, 'acme')).toEqual([]);
  });

  test('of any model, imported into an empty tenant, gives an equal export', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    let round = 0;
    const expectEqualCopy = async (model: readonly AccessModelRecord[]) => {
      round += 1;
      await importAll(store, `from-${round}`, model);
      const exported = (await exportAll(store, `from-${round}`)).map(fromExport);
      const text = JSON.stringify(exported);
      const lines: readonly AccessModelRecord[] = JSON.parse(text);
      await importAll(store, `to-${round}`, lines.map(completed));
      expect(JSON.stringify(await exportAll(store, `to-${round}`))).toBe(
        JSON.stringify(await exportAll(store, `from-${round}`)),
      );
      expectInOrder(exported);
    };
    await fc.assert(fc.asyncProperty(arbitraryModel, expectEqualCopy), runs(60));
  });

  test('pages through many records without losing or repeating one', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const ids = Array.from({ length: 1_500 }, (_, number) => `e-${number}`);
    await importAll(
      store,
      'acme',
      ids.map((id) => entitlement(id)),
    );
    expect((await exportAll(store, 'acme')).map(({ id }) => id)).toEqual(ids.toSorted());
    const rulebook = await store.sod.loadRulebook('acme');
    expect(rulebook.catalogue.entitlements.map(({ id }) => id)).toEqual(ids.toSorted());
  });
}

function expectInOrder(records: readonly AccessModelRecord[]): void {
  const keys = records.map(({ kind, id }) => `${String(RECORD_KINDS.indexOf(kind)).padStart(2, '0')} ${id}`);
  expect(keys).toEqual(keys.toSorted());
}

function describeExportSnapshot(engine: StoreEngine): void {
  test('is as of one instant, regardless of commits while it is read', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const model = [entitlement('e-1'), identityProfile('ip'), identity('i-1', { access: holds('ENTITLEMENT', 'e-1') })];
    await importAll(store, 'acme', model);
    const before = await exportAll(store, 'acme');
    const records: ExportRecord[] = [];
    for await (const record of store.accessModel.export('acme')) {
      if (records.length === 0) {
        await importAll(store, 'acme', [deletion('identity', 'i-1'), deletion('entitlement', 'e-1')]);
        await store.uiMetadata.change(actIn('acme'), {
          decide: (metadata) => ok({ ...metadata, usernameLabel: 'new' }),
        });
      }
      records.push(record);
    }
    expect(records).toEqual(before);
    expect(await exportAll(store, 'acme')).toMatchObject([{ kind: 'identityProfile' }, { kind: 'uiMetadata' }]);
  });

  test('may be abandoned early', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    await importAll(store, 'acme', [entitlement('e-1'), entitlement('e-2')]);
    for await (const record of store.accessModel.export('acme')) {
      expect(record.id).toBe('e-1');
      break;
    }
    await importAll(store, 'acme', [deletion('entitlement', 'e-1')]);
    expect(await exportAll(store, 'acme')).toMatchObject([{ id: 'e-2' }]);
  });
}
