import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../../src/index.ts';
import { importAll, people } from '../model-records.ts';
import { newCheck } from '../new-check.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';
import { describeAudit } from './audit-suite.ts';
import { describeChecks } from './check-suite.ts';
import { describeClients } from './client-suite.ts';
import { describeCredentials } from './credential-suite.ts';
import { describeEvents } from './event-suite.ts';
import { describeExceptions } from './exception-suite.ts';
import { describeExpiry } from './expiry-suite.ts';
import { describeExplanations } from './explain-suite.ts';
import { describeExport } from './export-suite.ts';
import { describeGuards } from './guard-suite.ts';
import { describeHeldChecks } from './held-check-suite.ts';
import { describeImport } from './import-suite.ts';
import { describeLookUps } from './look-up-suite.ts';
import { describeManagement } from './manage-suite.ts';
import { describeMoments } from './moment-suite.ts';
import { describeProcesses } from './process-suite.ts';
import { describeRegister } from './register-suite.ts';
import { describeSessions } from './session-suite.ts';
import {
  describeAuthProfiles,
  describeAuthUsers,
  describeSignInSettings,
  describeUiMetadata,
} from './settings-suite.ts';
import { describeSod } from './sod-suite.ts';
import { describeTold } from './told-suite.ts';
import { describeViolations } from './violation-suite.ts';
import { describeWebhooks } from './webhook-suite.ts';

/** The tests that every engine must pass. */
export function describeStore(engine: StoreEngine): void {
  describeClients(engine);
  describeAuthUsers(engine);
  describeAuthProfiles(engine);
  describeUiMetadata(engine);
  describeSignInSettings(engine);
  describeImport(engine);
  describeExport(engine);
  describeSod(engine);
  describeExplanations(engine);
  describeExceptions(engine);
  describeChecks(engine);
  describeHeldChecks(engine);
  describeAudit(engine);
  describeRegister(engine);
  describeMoments(engine);
  describeViolations(engine);
  describeEvents(engine);
  describeTold(engine);
  describeWebhooks(engine);
  describeCredentials(engine);
  describeGuards(engine);
  describeManagement(engine);
  describeSessions(engine);
  describeExpiry(engine);
  describeLookUps(engine);
  describeProcesses(engine);
  describeClosing(engine);
}

function describeClosing(engine: StoreEngine): void {
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
