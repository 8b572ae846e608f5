interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A token for calls without the SDK, or for clients that are to keep the same one. */
export async function fetchToken(baseAddress: string, { clientId, clientSecret }: Credentials): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await fetch(`${baseAddress}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return Object(await answer.json()).access_token;
}
