import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { send } from './local-api.mjs';
import { root } from './run-process.mjs';

/** A request that the sample answers with a violation. */
export const demoRequest = readFileSync(join(root, 'tooling/sample/demo-request.json'), 'utf8').trim();

/** Whether the tenant of the token has no records at all. */
export async function isEmpty({ addresses, token }) {
  const headers = { authorization: `Bearer ${token}` };
  const path = '/access-model/v1/export';
  const answer = await send(addresses, { method: 'GET', path, headers, firstLineOnly: true });
  if (answer.status !== 200) throw new Error(`the export answered ${answer.status}: ${answer.text}`);
  return answer.text.trim() === '';
}

/** Imports the sample. Returns a line with the number of records. */
export async function loadSample({ addresses, token }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  const body = readFileSync(join(root, 'tooling/sample/sample.ndjson'), 'utf8');
  const answer = await send(addresses, { method: 'POST', path: '/access-model/v1/import', headers, body });
  if (answer.status !== 200) throw new Error(`the import of the sample answered ${answer.status}: ${answer.text}`);
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
