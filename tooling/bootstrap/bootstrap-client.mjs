import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { send } from './local-api.mjs';
import { root } from './run-process.mjs';

/** The credentials of the bootstrap client: from the environment, or from the file that the API wrote at its first start; null when neither has them. */
export function readBootstrapClient(env) {
  const { BOOTSTRAP_CLIENT_ID: clientId, BOOTSTRAP_CLIENT_SECRET: clientSecret } = env;
  if (clientId && clientSecret) return { clientId, clientSecret };
  try {
    return JSON.parse(readFileSync(join(root, 'var/bootstrap-client.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** An access token; null when the store does not know the client. */
export async function fetchToken(addresses, { clientId, clientSecret }) {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await send(addresses, { method: 'POST', path: '/oauth/token', headers, body: form.toString() });
  if (answer.status === 400 || answer.status === 401) return null;
  if (answer.status !== 200) throw new Error(`POST /oauth/token answered ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text).access_token;
}
