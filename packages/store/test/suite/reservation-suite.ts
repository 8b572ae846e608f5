import { LIVE_RESERVATIONS_MAX, makeReservation, type SodReservation } from '@access-admin/domain';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { actIn, deletion, entitlement, holds, identity, identityProfile, importAll, NOW } from '../model-records.ts';
import { openRaw } from '../raw-database.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const reservationOf = (id: string, fields: Partial<SodReservation> = {}): SodReservation => ({
  ...makeReservation(
    {
      identityId: 'i-1',
      accessRefs: holds('ENTITLEMENT', 'e-1'),
      ttlHours: 1,
      reference: null,
      onConflict: 'REFUSE',
      clientMetadata: null,
    },
    { id, clientId: 'c', requesterId: null, now: NOW },
    { violationContexts: [], policySetVersion: 1, asOf: NOW },
  ),
  ...fields,
});

/** Reservations of each tenant. */
export function describeReservations(engine: StoreEngine): void {
  describe('reservations', () => {
    async function openWorld() {
      const opened = await openDatabase(engine);
      onTestFinished(() => opened[Symbol.asyncDispose]());
      const { store } = opened;
      await importAll(store, 'acme', [
        identityProfile('ip'),
        identity('i-1'),
        identity('i-2'),
        entitlement('e-1'),
        entitlement('e-2'),
      ]);
      const versionOf = async (id: string) => store.sod.readVersion('acme', id);
      return { ...opened, versionOf };
    }
    const create = async (store: Store, reservation: SodReservation) => {
      const { identityId } = reservation;
      const version = await store.sod.readVersion('acme', identityId);
      const pending = await store.reservations.readPending('acme', { identityId, version, now: NOW });
      return store.reservations.create(actIn('acme'), { reservation, version, pending: pending ?? [] });
    };

    test('are stored only on the data that their predictions were made on', async () => {
      const { store, versionOf } = await openWorld();
      const version = await versionOf('i-1');
      const draft = { reservation: reservationOf('r-1'), version, pending: [] };
      expect(await store.reservations.create(actIn('acme'), draft)).toMatchObject({ ok: true });
      const changed = { ok: false, failure: 'changed' };
      const next = { ...draft, reservation: reservationOf('r-2') };
      expect(await store.reservations.create(actIn('acme'), next)).toEqual(changed);
      const pending = (await store.reservations.readPending('acme', { identityId: 'i-1', version, now: NOW })) ?? [];
      expect(pending).toEqual([{ id: 'r-1', reference: null, accessRefs: holds('ENTITLEMENT', 'e-1') }]);
      await importAll(store, 'acme', [identity('i-1', { access: holds('ENTITLEMENT', 'e-2') })]);
      expect(await store.reservations.create(actIn('acme'), { ...next, pending })).toEqual(changed);
      expect(await store.reservations.readPending('acme', { identityId: 'i-1', version, now: NOW })).toBeNull();
      const found = await store.reservations.read('acme', ['r-1', 'r-2'], NOW);
      expect(found).toEqual([reservationOf('r-1')]);
    });

    test('of two writes on the same data one is stored', async () => {
      const { store, openAnother, versionOf } = await openWorld();
      const stores = [store, await openAnother()];
      for (let round = 0; round < 20; round++) {
        const version = await versionOf('i-1');
        const make = ({ reservations }: Store, at: number) =>
          reservations.create(actIn('acme'), { reservation: reservationOf(`r-${round}-${at}`), version, pending: [] });
        const made = await Promise.all(stores.map(make));
        expect(made.map(({ ok }) => ok).sort()).toEqual([false, true]);
        for (const { id } of (await store.reservations.readPending('acme', { identityId: 'i-1', version, now: NOW })) ??
          [])
          await store.reservations.end(actIn('acme'), id, { state: 'RELEASED' });
      }
    });

    test('a tenant has at most 100,000 live reservations', async () => {
      const { store, url } = await openWorld();
      await create(store, reservationOf('r-1'));
      await using raw = await openRaw({ url });
      const [row] = await raw.rows('sod_reservation');
      const copies = Array.from({ length: LIVE_RESERVATIONS_MAX - 2 }, (_, at) => ({
        ...row,
        id: `copy-${at}`,
        identity_id: 'i-2',
      }));
      await raw.insert('sod_reservation', copies);
      expect(await create(store, reservationOf('r-2'))).toMatchObject({ ok: true });
      expect(await create(store, reservationOf('r-3'))).toEqual({ ok: false, failure: 'tenantFull' });
      await store.reservations.end(actIn('acme'), 'r-2', { state: 'SETTLED' });
      expect(await create(store, reservationOf('r-4'))).toMatchObject({ ok: true });
    });

    test('all that an identity or an item is in are released with its deletion, however many', async () => {
      const { store } = await openWorld();
      for (let at = 0; at < 60; at++) {
        await create(store, reservationOf(`r-${at}`));
        await create(store, reservationOf(`s-${at}`, { identityId: 'i-2', accessRefs: holds('ENTITLEMENT', 'e-2') }));
      }
      const countLive = () =>
        store.reservations.count('acme', {
          conditions: [{ field: 'state', operator: 'eq', values: ['LIVE'] }],
          now: NOW,
        });
      await importAll(store, 'acme', [deletion('identity', 'i-2')]);
      expect(await countLive()).toBe(60);
      await importAll(store, 'acme', [deletion('entitlement', 'e-1')]);
      expect(await countLive()).toBe(0);
      const { events } = await store.events.read('acme', { types: ['sod.reservation.released'], limit: 250 });
      expect(events).toHaveLength(120);
    });
  });
}
