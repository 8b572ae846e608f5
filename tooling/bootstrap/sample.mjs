import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { send } from './local-api.mjs';
import { root } from './run-process.mjs';
import { requestSampleExceptions } from './sample-exceptions.mjs';

/** A request that the sample answers with a violation. */
export const demoRequest = readFileSync(join(root, 'tooling/sample/demo-request.json'), 'utf8').trim();

/** The ids of the four people of the sample with the roles of an access office. */
const people = JSON.parse(readFileSync(join(root, 'tooling/sample/people.json'), 'utf8'));

const LINK_HOURS = 24;

/** Whether the tenant of the token has no records at all. */
export async function isEmpty({ addresses, token }) {
  const headers = { authorization: `Bearer ${token}` };
  const path = '/access-model/v1/export';
  const answer = await send(addresses, { method: 'GET', path, headers, firstLineOnly: true });
  if (answer.status !== 200) throw new Error(`the export answered ${answer.status}: ${answer.text}`);
  return answer.text.trim() === '';
}

/** Imports the sample and requests its exceptions. Returns a line with the number of records. */
export async function loadSample({ addresses, token }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  const body = readFileSync(join(root, 'tooling/sample/sample.ndjson'), 'utf8');
  const answer = await send(addresses, { method: 'POST', path: '/access-model/v1/import', headers, body });
  if (answer.status !== 200) throw new Error(`the import of the sample answered ${answer.status}: ${answer.text}`);
  await requestSampleExceptions({ addresses, token });
  const { counts } = JSON.parse(answer.text);
  const { identity, entitlement, sodPolicy } = counts;
  return `access-admin: sample loaded: ${identity.created} identities, ${entitlement.created} entitlements, ${sodPolicy.created} SOD policies`;
}

/** The service's response to the demo request; null when the sample is not in the store. */
export async function predictOnSample({ addresses, token }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = '/sod-violations/v1/predict';
  const answer = await send(addresses, { method: 'POST', path, headers, body: demoRequest });
  return answer.status === 200 ? JSON.parse(answer.text) : null;
}

/**
 * A new link that signs the administrator of the sample in; null when the administrator has signed in before, or when the
 * operation refuses it. `prediction` shows whether the store has the sample.
 */
export async function signInLinkOfSample({ addresses, token, prediction }) {
  if (!prediction?.violationContexts.length) return null;
  const headers = { authorization: `Bearer ${token}` };
  const filters = `resourceId eq "${people.administrator}" and operation eq "sign-in" and outcome eq "ALLOWED"`;
  const path = `/audit-events/v1?limit=1&filters=${encodeURIComponent(filters)}`;
  const signIns = await send(addresses, { method: 'GET', path, headers });
  if (signIns.status !== 200 || JSON.parse(signIns.text).length > 0) return null;
  const created = await send(addresses, {
    method: 'POST',
    path: `/auth-users/v1/${people.administrator}/sign-in-link`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ hours: LINK_HOURS }),
  });
  return created.status === 201 ? JSON.parse(created.text).url : null;
}
