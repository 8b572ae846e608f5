import { parentPort, workerData } from 'node:worker_threads';
import type { AccessModelRecord } from '@access-admin/domain';
import { openStore } from '@access-admin/store';
import { importRecords } from '../world/seed-population.ts';
import { waitForRegister } from './wait-for-register.ts';

const store = await openStore(workerData);
parentPort?.on('message', async (record: AccessModelRecord) => {
  await importRecords(store, [record]);
  await waitForRegister(store);
  parentPort?.postMessage('written');
});
parentPort?.postMessage('open');
