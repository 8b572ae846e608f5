import { setTimeout as delay } from 'node:timers/promises';
import { fetchToken, readBootstrapClient } from './bootstrap-client.mjs';
import { describeStart } from './describe-start.mjs';
import { isTaken, readAddresses, send } from './local-api.mjs';
import { prepare } from './prepare.mjs';
import { startProcess } from './run-process.mjs';
import { isEmpty, loadSample, predictOnSample } from './sample.mjs';

const READY_MS = 60_000;
const POLL_MS = 100;
const SETTLE_MS = 300;
// The garbage of requests is collected a quarter as often: saves 5 to 10 % of the CPU, and costs 100 MB under load.
const YOUNG_SPACE = '--max-semi-space-size=64';

/** Starts API and worker, with the sample in an empty store, and runs until one of them ends or we are stopped. Returns the exit code. */
export async function start(stopSignal) {
  const node = await prepare(stopSignal);
  if (node === null) return 1;
  const group = startGroup(node, stopSignal);
  try {
    await bringUp(group, process.env);
    await group.firstEnd;
  } catch (error) {
    if (!group.stop.aborted) console.error(`access-admin: ${error.message}`);
    group.fail(1);
  }
  return group.end();
}

async function bringUp(group, env) {
  const client = readBootstrapClient(env);
  const tenant = env.TENANT || client?.tenant || 'default';
  const addresses = readAddresses(env, tenant);
  if (await isTaken(addresses)) {
    throw new Error(`${addresses.host}:${addresses.port} is in use; choose another port with PORT`);
  }
  group.run('API', [YOUNG_SPACE, 'apps/api/dist/main.js']);
  if (!(await becomesReady(addresses, group.stop))) return;
  const store = await openStore(addresses, env);
  if (store.token !== null && env.SAMPLE !== 'off' && (await isEmpty(store))) console.log(await loadSample(store));
  group.run('worker', ['apps/worker/dist/main.js']);
  const prediction = store.token === null ? null : await predictOnSample(store);
  if (!group.stop.aborted) console.log(describeStart({ ...store, tenant, prediction }));
}

// The file is read again: a first start has just written it.
async function openStore(addresses, env) {
  const client = readBootstrapClient(env);
  const token = client === null ? null : await fetchToken(addresses, client);
  return { addresses, client, token };
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

// A group of processes: when one ends, or `outside` is aborted, all are stopped.
function startGroup(node, outside) {
  const controller = new AbortController();
  const ends = [];
  let exitCode = 0;
  const fail = (code) => {
    if (!controller.signal.aborted) exitCode = code;
    controller.abort();
  };
  const firstEnd = new Promise((resolve) => controller.signal.addEventListener('abort', resolve, { once: true }));
  if (outside.aborted) fail(0);
  else outside.addEventListener('abort', () => fail(0), { once: true });
  const run = (name, argv) => {
    const { ended } = startProcess(node, argv, { stop: controller.signal });
    const noticed = ended.then(async ({ code, signal }) => {
      // Ctrl-C reaches all processes at once: the first to end has not failed.
      await Promise.race([firstEnd, delay(SETTLE_MS)]);
      if (!controller.signal.aborted) console.error(`access-admin: the ${name} ended (${signal ?? `code ${code}`})`);
      fail(code || 1);
      if (code !== 0 && exitCode === 0) exitCode = code;
    });
    ends.push(noticed);
  };
  const end = async () => {
    await Promise.all(ends);
    return exitCode;
  };
  return { stop: controller.signal, run, fail, firstEnd, end };
}
