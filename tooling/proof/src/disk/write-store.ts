// Run by power-cut.ts in a process of its own: node write-store.ts <directory> <seed> <rounds>.
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Store } from '@access-admin/store';
import { createRandom, drawOne } from '../campaign/random.ts';
import { ACKNOWLEDGED, type Acknowledgement, LATEST, TENANT } from './acknowledgement.ts';
import { CREATED, identity, importRecords, newCheck, setLabel } from './fill-store.ts';

const SESSIONS = 6;
const RESULT = '{"message":null,"clientMetadata":null,"violationContexts":[],"violatedPolicies":[]}';
const [directory = '', seed = '', rounds = ''] = process.argv.slice(2);
const random = createRandom(Number(seed));
const acknowledged = openSync(join(directory, ACKNOWLEDGED), 'a');
let number = 0;

const acknowledge = (acknowledgement: Acknowledgement) =>
  writeSync(acknowledged, `${JSON.stringify(acknowledgement)}\n`);

const ACTIONS: readonly ((store: Store) => Promise<unknown>)[] = [storeChecks, storeChecks, complete, load, label];

for (let session = 0; session < SESSIONS; session++) {
  const store = await openStore(`sqlite:${join(directory, 'access-admin.db')}`);
  for (let round = 0; round < Number(rounds) / SESSIONS; round++) {
    // Some writes run alone, some together in one commit.
    const together = Array.from({ length: 1 + random(3) }, () => drawOne(random, ACTIONS)(store));
    await Promise.all(together);
  }
  await store.close();
}

async function storeChecks(store: Store): Promise<void> {
  const enqueue = async () => {
    const requestId = `r-${++number}`;
    await store.checks.enqueue(newCheck(TENANT, requestId), Number.MAX_SAFE_INTEGER);
    acknowledge({ stored: 'checks', ids: [requestId] });
  };
  await Promise.all(Array.from({ length: 1 + random(20) }, enqueue));
}

async function complete(store: Store): Promise<void> {
  const claims = await store.checks.claim({ nowMs: 1, leaseMs: 1000, limit: 1 + random(10) });
  const done = claims.map((claim) => ({ ...claim, state: 'SUCCESS' as const, completed: CREATED, result: RESULT }));
  await store.checks.complete(done);
  for (const { requestId } of claims) acknowledge({ stored: 'completed', ids: [requestId] });
}

async function load(store: Store): Promise<void> {
  const mine = ++number;
  const length = 1 + random(random(4) === 0 ? 400 : 5);
  const ids = Array.from({ length }, (_, place) => `i-${mine}-${place}`);
  await importRecords(store, TENANT, [
    { kind: 'entitlement', id: LATEST, name: String(mine) },
    { kind: 'identityProfile', id: 'ip', name: 'ip' },
    ...ids.map((id) => identity(id, 'x'.repeat(1 + random(256)))),
  ]);
  acknowledge({ stored: 'identities', ids });
  acknowledge({ reached: 'latest', number: mine });
}

async function label(store: Store): Promise<void> {
  const mine = ++number;
  await setLabel(store, TENANT, String(mine));
  acknowledge({ reached: 'label', number: mine });
}
