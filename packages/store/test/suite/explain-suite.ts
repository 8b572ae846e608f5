import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createSodReader, readPrediction, type SodReader, type Store } from '../../src/index.ts';
import {
  accessProfile,
  entitlement,
  holds,
  identity,
  identityProfile,
  importAll,
  role,
  sodPolicy,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const MODEL = [
  ...['e-1', 'e-2', 'e-3'].map((id) => entitlement(id)),
  accessProfile('ap-1', ['e-1']),
  accessProfile('ap-2', ['e-2']),
  accessProfile('ap-not', ['e-3']),
  role('r-1', { accessProfiles: ['ap-1'] }),
  role('r-2', { entitlements: ['e-2'] }),
  role('r-not', { accessProfiles: ['ap-not'] }),
  identityProfile('ip'),
  identity('i-1', { access: [...holds('ROLE', 'r-1'), ...holds('ENTITLEMENT', 'e-3')] }),
  sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }, { correctionAdvice: 'ask', compensatingControls: 'a log' }),
  sodPolicy('p-2', { left: ['e-1'], right: ['e-3'] }),
  sodPolicy('p-not', { left: ['e-2'], right: ['e-3'] }),
];

const accessRefs = [...holds('ACCESS_PROFILE', 'ap-2'), ...holds('ROLE', 'r-2')];

async function readNow({ sod }: Store, tenant = 'acme', identityId = 'i-1') {
  const version = await sod.readVersion(tenant, identityId);
  return sod.readExplanation(tenant, { identityId, accessRefs, policyIds: ['p-1', 'p-2'], version });
}

export function describeExplanations(engine: StoreEngine): void {
  describe('the explanation of violations', () => {
    test('has exactly the held and requested access, its bundles and the advice of the policies', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'other', MODEL);
      await importAll(store, 'acme', MODEL);
      expect(await readNow(store)).toEqual({
        assignments: [...holds('ROLE', 'r-1'), ...holds('ENTITLEMENT', 'e-3')],
        pending: [],
        requested: accessRefs,
        roles: new Map([
          ['r-1', { id: 'r-1', name: 'r-1', accessProfiles: ['ap-1'], entitlements: [] }],
          ['r-2', { id: 'r-2', name: 'r-2', accessProfiles: [], entitlements: ['e-2'] }],
        ]),
        accessProfiles: new Map([
          ['ap-1', { id: 'ap-1', name: 'ap-1', entitlements: ['e-1'] }],
          ['ap-2', { id: 'ap-2', name: 'ap-2', entitlements: ['e-2'] }],
        ]),
        advice: new Map([
          ['p-1', { correctionAdvice: 'ask', compensatingControls: 'a log' }],
          ['p-2', { correctionAdvice: null, compensatingControls: null }],
        ]),
      });
      expect(await readNow(store, 'none')).toBeNull();
      expect(await readNow(store, 'acme', 'i-none')).toBeNull();
    });

    test('without reasons has the assignments alone', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      const version = await store.sod.readVersion('acme', 'i-1');
      const request = {
        identityId: 'i-1',
        accessRefs,
        policyIds: ['p-1'],
        version,
        includes: ['remediation'] as const,
      };
      const none = new Map();
      expect(await store.sod.readExplanation('acme', request)).toEqual({
        assignments: [...holds('ROLE', 'r-1'), ...holds('ENTITLEMENT', 'e-3')],
        pending: [],
        requested: accessRefs,
        roles: none,
        accessProfiles: none,
        advice: none,
      });
    });

    test('is bounded: bundles are refused beyond their bound, and advice is read as far as it is permitted', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      const version = await store.sod.readVersion('acme', 'i-1');
      const explain = (bundlesBytesMax: number, adviceBytesMax: number, policyIds = ['p-2', 'p-1', 'p-not']) =>
        store.sod.readExplanation('acme', {
          identityId: 'i-1',
          accessRefs,
          policyIds,
          version,
          bounds: { bundlesBytesMax, adviceBytesMax },
        });
      // Two roles and two access profiles: '["ap-1"]' + '[]', '[]' + '["e-2"]', '["e-1"]' and '["e-2"]'.
      const bundles = 8 + 2 + 2 + 7 + 7 + 7;
      const advice = 'ask'.length + 'a log'.length;
      expect(await explain(bundles, advice)).toMatchObject({ advice: { size: 3 } });
      expect(await explain(bundles, advice)).not.toHaveProperty('advisedCount');
      expect(await explain(bundles - 1, advice)).toBe('tooLarge');
      const partial = await explain(bundles, advice - 1);
      expect(partial).toMatchObject({ advisedCount: 1, advice: { size: 1 } });
    });

    test('is null for another version of the rulebook or of the identity', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      const version = await store.sod.readVersion('acme', 'i-1');
      const others = [
        { policySetVersion: version.policySetVersion + 1 },
        { changeId: 'another' },
        { changeId: null },
        { revision: (version.revision ?? 0) + 1 },
        { revision: null },
      ];
      const request = { identityId: 'i-1', accessRefs, policyIds: ['p-1'], version };
      for (const other of others)
        expect(
          await store.sod.readExplanation('acme', { ...request, version: { ...version, ...other } }),
          JSON.stringify(other),
        ).toBeNull();
      expect(await store.sod.readExplanation('acme', request)).not.toBeNull();
      await importAll(store, 'acme', [sodPolicy('p-3', { left: ['e-1'], right: ['e-2'] })]);
      expect(await store.sod.readExplanation('acme', request)).toBeNull();
    });

    test('is of the same instant as the prediction, regardless of commits in between', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', MODEL);
      const reader = createSodReader(store.sod);
      const changes = [
        identity('i-1', { access: holds('ROLE', 'r-1') }),
        sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }, { correctionAdvice: 'ask again' }),
      ];
      let reads = 0;
      const read: SodReader['read'] = async (tenant, identityId) => {
        const reading = await reader.read(tenant, identityId);
        const change = changes[reads++];
        if (change !== undefined) await importAll(store, 'acme', [change]);
        await setImmediate();
        return reading;
      };
      const predicted = await readPrediction(
        { reader: { read }, sod: store.sod, reservations: store.reservations, now: () => 0 },
        { tenant: 'acme', identityId: 'i-1', accessRefs, includes: ['via'] },
        () => undefined,
      );
      if (!predicted.ok) throw new Error('refused');
      expect(reads).toBe(3);
      expect(predicted.value.basis.policySetVersion).toBe(2);
      expect(predicted.value.explanation?.assignments).toEqual(holds('ROLE', 'r-1'));
      expect(predicted.value.explanation?.advice.get('p-1')?.correctionAdvice).toBe('ask again');
    });
  });
}
