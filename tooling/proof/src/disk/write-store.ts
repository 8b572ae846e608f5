// Run by power-cut.ts in a process of its own: node write-store.ts <directory> <seed> <rounds>.
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Store } from '@access-admin/store';
import { createRandom, drawOne } from '../campaign/random.ts';
import { ACKNOWLEDGED, type Acknowledgement, LATEST, TENANT } from './acknowledgement.ts';
import { identity, importRecords, MOMENT, newCheck, setLabel } from './fill-store.ts';

const SESSIONS = 6;
const RESULT = { message: null, clientMetadata: null, violationContexts: [], violatedPolicies: [] };
const [directory = '', seed = '', rounds = ''] = process.argv.slice(2);
const random = createRandom(Number(seed));
const acknowledged = openSync(join(directory, ACKNOWLEDGED), 'a');
let number = 0;

const acknowledge = (acknowledgements: Acknowledgement) =>
  writeSync(acknowledged, `${JSON.stringify(acknowledgements)}\n`);

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
    number += 1;
    const requestId = `r-${number}`;
    await store.checks.enqueue(newCheck(TENANT, requestId), Number.MAX_SAFE_INTEGER);
    acknowledge({ type: 'check', requestId });
  };
  await Promise.all(Array.from({ length: 1 + random(20) }, enqueue));
}

async function complete(store: Store): Promise<void> {
  const claims = await store.checks.claim({ nowMs: 1, leaseMs: 1000, limit: 1 + random(10), attemptsMax: 5 });
  const done = claims.map((claim) => ({ ...claim, state: 'SUCCESS' as const, completed: MOMENT, result: RESULT }));
  await store.checks.complete(done);
  for (const { requestId } of claims) acknowledge({ type: 'completed', requestId });
}

async function load(store: Store): Promise<void> {
  number += 1;
  const mine = number;
  const identities = 1 + random(random(4) === 0 ? 400 : 5);
  await importRecords(store, TENANT, [
    { kind: 'entitlement', id: LATEST, name: String(mine), source: null },
    { kind: 'identityProfile', id: 'ip', name: 'ip' },
    ...Array.from({ length: identities }, (_, place) => identity(`i-${mine}-${place}`, 'x'.repeat(1 + random(400)))),
  ]);
  acknowledge({ type: 'import', number: mine, identities });
}

async function label(store: Store): Promise<void> {
  number += 1;
  const mine = number;
  await setLabel(store, TENANT, String(mine));
  acknowledge({ type: 'label', number: mine });
}
