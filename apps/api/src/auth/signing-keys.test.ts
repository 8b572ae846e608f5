import type { SigningKey, SigningKeyStore } from '@access-admin/store';
import { expect, test } from 'vitest';
import { openSigningKeys, rotateSigningKey } from './signing-keys.ts';

const ISSUER = 'https://a.example';

/** A store in memory whose reads wait while it is held. */
function createStore() {
  let keys: SigningKey[] = [];
  let held: PromiseWithResolvers<void> | null = null;
  let reads = 0;
  const store: SigningKeyStore = {
    list: async () => {
      reads++;
      await held?.promise;
      return keys;
    },
    listRetired: async () => [],
    createFor: async (key) => {
      keys = [key];
      return key;
    },
    replace: async (_, next) => {
      keys = [next];
      return true;
    },
  };
  const hold = () => {
    held = Promise.withResolvers();
    return () => {
      held?.resolve();
      held = null;
    };
  };
  return { store, hold, countReads: () => reads };
}

test('a key that another process has made is found by all requests that come with it at the same time', async () => {
  const { store, hold, countReads } = createStore();
  const now = () => new Date('2026-11-22T12:00:00.000Z');
  const told: object[] = [];
  const keys = await openSigningKeys(
    { store, now, elapsed: () => 10, log: { info: (fields) => told.push(fields) } },
    ISSUER,
  );
  const rotated = await rotateSigningKey(
    { store, now, tenant: 'default', newTrackingId: () => '0'.repeat(32) },
    ISSUER,
  );
  const kid = rotated?.next.kid ?? '';
  const reads = countReads();
  const release = hold();
  const found = Array.from({ length: 5 }, () => keys.find(kid));
  release();
  expect((await Promise.all(found)).map((key) => key?.issuer)).toEqual(Array(5).fill(ISSUER));
  expect(countReads()).toBe(reads + 1);
  expect(told).toEqual([{ kid, retired: rotated?.retired.kid }]);
});

test('the key of a process may be taken to node:crypto, which signs receipts and heads by it', async () => {
  const { store } = createStore();
  const now = () => new Date('2026-11-22T12:00:00.000Z');
  const keys = await openSigningKeys({ store, now, elapsed: () => 10, log: { info: () => {} } }, ISSUER);
  // For another one Node.js prints the deprecation DEP0204.
  expect((await keys.current()).privateKey.extractable).toBe(true);
});
