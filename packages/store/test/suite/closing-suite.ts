import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../../src/index.ts';
import { importAll, people } from '../model-records.ts';
import { newCheck } from '../new-check.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

export function describeClosing(engine: StoreEngine): void {
  describe('closing', () => {
    test('waits for running work, and the stored data is available when it is opened again', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      expect(store.engine).toBe(engine.name);
      await store.ping();
      const importing = importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
      await Promise.all([store.close(), store.close()]);
      expect((await importing).policySetVersion).toBe(0);
      const again = await database.openAnother();
      expect(await again.clients.findCapabilities('acme', 'i-1')).toEqual(['HELPDESK']);
    });

    test('refuses later work', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': [] }));
      const records = store.accessModel.export('acme')[Symbol.asyncIterator]();
      await records.next();
      await store.close();
      const late: readonly (() => Promise<unknown>)[] = [
        () => store.ping(),
        async () => store.clients.findCaller('acme', 'c-1'),
        () => store.uiMetadata.read('acme'),
        () => store.signingKeys.createFor({ kid: 'k', issuer: 'i', privateJwk: '{}', created: '' }),
        () => store.checks.enqueue(newCheck('r-1'), 1),
        async () => [await records.next(), await records.next()],
      ];
      for (const refused of late) await expect(refused()).rejects.toThrow(StorageUnavailable);
    });
  });
}
