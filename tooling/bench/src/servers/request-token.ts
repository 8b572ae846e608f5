import type { ServedWorld } from './served-world.ts';

/** Requests a token of the bootstrap client, valid for 15 minutes. */
export async function requestToken({ service, api }: Pick<ServedWorld, 'service' | 'api'>): Promise<string> {
  const { clientId, clientSecret } = service.credentials;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const response = await fetch(`${api.baseAddress}/oauth/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}
