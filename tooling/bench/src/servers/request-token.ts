import type { Service } from '@access-admin/harness';

/** Requests a token of a client, valid for 15 minutes. */
export async function requestToken(
  baseAddress: string,
  { clientId, clientSecret }: Service['credentials'],
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const response = await fetch(`${baseAddress}/oauth/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}
