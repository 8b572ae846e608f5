import { identityId, type ServedWorld } from '../served-world.ts';
import type { Question } from '../world.ts';

/** The bytes of a predict, as an HTTP client would send it. */
export function predictRequest(
  { port, token }: { readonly port: number; readonly token: string },
  body: string,
): Buffer {
  return Buffer.from(
    `POST /sod-violations/v1/predict HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** A token of the bootstrap client, good for 15 minutes. */
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

/** The body of a predict. */
export const bodyOf = ({ identity, accessRefs }: Question): string =>
  JSON.stringify({ identityId: identityId(identity), accessRefs });
