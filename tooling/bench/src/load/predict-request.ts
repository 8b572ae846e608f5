import { identityId, type Question } from '../world/create-world.ts';

/** The bytes of a predict, as an HTTP client would send it. */
export function predictRequest(
  { port, token }: { readonly port: number; readonly token: string },
  body: string,
): Buffer {
  return Buffer.from(
    `POST /sod-violations/v1/predict HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** The body of a predict. */
export const bodyOf = ({ identity, accessRefs }: Question): string =>
  JSON.stringify({ identityId: identityId(identity), accessRefs });
