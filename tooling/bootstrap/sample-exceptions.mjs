import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchToken } from './bootstrap-client.mjs';
import { send } from './local-api.mjs';
import { root } from './run-process.mjs';

const DAY_MS = 86_400_000;

const read = (name) => JSON.parse(readFileSync(join(root, 'tooling/sample', name), 'utf8'));

/** Requests the exceptions of the sample as its requester and approves some as its approver, by clients that are deleted afterwards. */
export async function requestSampleExceptions(store) {
  const { requester, approver } = read('people.json');
  const asking = await createClientOf(store, requester);
  const approving = await createClientOf(store, approver);
  for (const { days, approved, ...subject } of read('exceptions.json')) {
    const window = { start: new Date().toISOString(), end: new Date(Date.now() + days * DAY_MS).toISOString() };
    const { id } = await call(store, {
      path: '/sod-exceptions/v1',
      token: asking.token,
      body: { ...subject, ...window },
    });
    if (approved) await call(store, { path: `/sod-exceptions/v1/${id}/approve`, token: approving.token, body: {} });
  }
  for (const { id } of [asking, approving])
    await call(store, { method: 'DELETE', path: `/oauth-clients/v1/${id}`, token: store.token });
}

/** A client that acts as an identity, with an access token. */
async function createClientOf(store, identityId) {
  const body = { name: `sample ${identityId}`, scopes: ['sod-exceptions:manage'], identityId };
  const { id, secret } = await call(store, { path: '/oauth-clients/v1', token: store.token, body });
  return { id, token: await fetchToken(store.addresses, { clientId: id, clientSecret: secret }) };
}

async function call({ addresses }, { method = 'POST', path, token, body }) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await send(addresses, { method, path, headers, body: JSON.stringify(body) });
  if (answer.status >= 300)
    throw new Error(`${method} ${path} for the sample answered ${answer.status}: ${answer.text}`);
  return answer.text === '' ? null : JSON.parse(answer.text);
}
