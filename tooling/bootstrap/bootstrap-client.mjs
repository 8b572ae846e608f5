import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from './local-api.mjs';
import { root } from './run-process.mjs';

const FOLDER = join(root, 'var');
const FILE_NAME = /^bootstrap-client(\..+)?\.json$/;
/** Each store that was ever used from this checkout may have left a file; the newest ones are tried. */
const FILES_MAX = 20;

/**
 * The credentials that the store may know, in the order to try them: those of the environment, then those of the files that
 * the API wrote at the first start of each store, newest first. `file` is null for those of the environment.
 */
export function readBootstrapClients(env) {
  const { BOOTSTRAP_CLIENT_ID: clientId, BOOTSTRAP_CLIENT_SECRET: clientSecret } = env;
  const given = clientId && clientSecret ? [{ clientId, clientSecret, tenant: env.TENANT || null, file: null }] : [];
  return [...given, ...listFiles().slice(0, FILES_MAX).flatMap(readClient)];
}

/** The first client that the store knows, with an access token; null when it knows none. */
export async function findKnownClient(env, addressesOf) {
  for (const client of readBootstrapClients(env)) {
    const token = await fetchToken(addressesOf(client.tenant), client);
    if (token !== null) return { client, token };
  }
  return null;
}

function listFiles() {
  try {
    const paths = readdirSync(FOLDER).flatMap((name) => (FILE_NAME.test(name) ? [join(FOLDER, name)] : []));
    const dated = paths.map((path) => ({ path, changedMs: statSync(path).ctimeMs }));
    return dated.sort((one, other) => other.changedMs - one.changedMs).map(({ path }) => path);
  } catch {
    return [];
  }
}

function readClient(file) {
  try {
    const { clientId, clientSecret, tenant } = JSON.parse(readFileSync(file, 'utf8'));
    return clientId && clientSecret ? [{ clientId, clientSecret, tenant: tenant ?? null, file }] : [];
  } catch {
    return [];
  }
}

// A service that is busy, as with secrets that are compared at its start, answers again soon.
const BUSY_STATUSES = [429, 503];
const BUSY_ANSWERS_MAX = 40;
const AGAIN_MS = 250;

/** An access token; null when the store does not know the client. `pause` waits so many milliseconds before another request. */
export async function fetchToken(addresses, { clientId, clientSecret }, pause = delay) {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const ask = () => send(addresses, { method: 'POST', path: '/oauth/token', headers, body: form.toString() });
  let answer = await ask();
  for (let busy = 1; BUSY_STATUSES.includes(answer.status) && busy < BUSY_ANSWERS_MAX; busy++) {
    await pause(AGAIN_MS);
    answer = await ask();
  }
  if (answer.status === 400 || answer.status === 401) return null;
  if (answer.status !== 200) throw new Error(`POST /oauth/token answered ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text).access_token;
}
