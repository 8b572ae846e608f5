import { describe, expect, test } from 'vitest';
import { importAll, NOW, people } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

/** The register of violations. */
export function describeRegister(engine: StoreEngine): void {
  describe('the register', () => {
    test('of a tenant without data is of now; before its first filling it is of no instant', async () => {
      await using database = await openDatabase(engine);
      const { register } = database.store;
      expect(await register.readView('acme', NOW)).toEqual({ asOf: NOW, policySetVersion: 0, identities: 0 });
      await importAll(database.store, 'acme', people({ 'i-1': [] }));
      expect(await register.readView('acme', NOW)).toMatchObject({ asOf: null });
      expect(await register.find('acme', '019ab2e5-0000-7000-8000-000000000000', NOW)).toBeNull();
    });
  });
}
