/** Requests a token at the token endpoint. */
export async function requestToken(baseAddress: string, clientId: string, clientSecret: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await fetch(`${baseAddress}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = Object(await answer.json());
  if (typeof token !== 'string') throw new Error(`no token: ${answer.status}`);
  return token;
}
