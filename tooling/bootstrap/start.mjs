import { setTimeout as delay } from 'node:timers/promises';
import { findKnownClient } from './bootstrap-client.mjs';
import { describeStart } from './describe-start.mjs';
import { isTaken, readAddresses, send } from './local-api.mjs';
import { prepare } from './prepare.mjs';
import { isEmpty, loadSample, predictOnSample, signInLinkOfSample } from './sample.mjs';
import { createGroup } from './supervise.mjs';

const READY_MS = 60_000;
const POLL_MS = 100;
// The garbage of requests is collected a quarter as often: saves 5 to 10 % of the CPU, and costs 100 MB under load.
const YOUNG_SPACE = '--max-semi-space-size=64';
// Otherwise four more threads of the worker collect garbage and delay requests on the same processors.
const SINGLE_THREADED_GC = '--single-threaded-gc';

/** Starts API and worker, with the sample in an empty store, and keeps them running until we are stopped. Returns the exit code. */
export async function start(stopSignal) {
  const node = await prepare(stopSignal);
  if (node === null) return 1;
  const group = createGroup(node, stopSignal);
  try {
    await bringUp(group, process.env);
    await group.stopped;
  } catch (error) {
    if (!group.stop.aborted) console.error(`access-admin: ${error.message}`);
    group.fail(1);
  }
  return group.end();
}

async function bringUp(group, env) {
  const addressesOf = (tenant) => readAddresses(env, tenant || env.TENANT || 'default');
  const addresses = addressesOf(env.TENANT);
  if (await isTaken(addresses)) {
    throw new Error(`${addresses.host}:${addresses.port} is in use; choose another port with PORT`);
  }
  let hasStarted = false;
  // An API that ends before it is ready has said why; a later one would say the same.
  group.run('API', [YOUNG_SPACE, 'apps/api/dist/main.js'], () => hasStarted);
  if (!(await becomesReady(addresses, group.stop))) return;
  const known = await findKnownClient(env, addressesOf);
  const tenant = known?.client.tenant || env.TENANT || 'default';
  const store = { addresses: addressesOf(tenant), client: known?.client ?? null, token: known?.token ?? null };
  if (store.token !== null && env.SAMPLE !== 'off' && (await isEmpty(store))) console.log(await loadSample(store));
  hasStarted = true;
  group.run('worker', [SINGLE_THREADED_GC, 'apps/worker/dist/main.js'], () => true);
  const prediction = store.token === null ? null : await predictOnSample(store);
  const signInLink =
    store.token === null || env.SAMPLE === 'off' ? null : await signInLinkOfSample({ ...store, prediction });
  const hasConsole = env.CONSOLE !== 'off';
  if (!group.stop.aborted) console.log(describeStart({ ...store, tenant, prediction, signInLink, hasConsole }));
}

async function becomesReady(addresses, stop) {
  for (let waitedMs = 0; !stop.aborted; waitedMs += POLL_MS) {
    if (waitedMs > READY_MS) throw new Error(`the API is not ready after ${READY_MS / 1000} s`);
    const answer = await send(addresses, { method: 'GET', path: '/readyz' }).catch(() => null);
    if (answer?.status === 200) return !stop.aborted;
    await delay(POLL_MS);
  }
  return false;
}
