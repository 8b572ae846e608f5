import { identityId, type Question } from '../world/create-world.ts';
import type { PredictRequest } from './request-shapes.ts';

/** Where requests are sent, and with which token, or with other headers that name the caller. */
export type Target = { readonly port: number } & ({ readonly token: string } | { readonly headers: readonly string[] });

/** The bytes of a predict, as an HTTP client sends it. */
export const predictRequest = (target: Target, request: PredictRequest): Buffer =>
  postRequest('/sod-violations/v1/predict', target, request);

/** The bytes of a request that starts a check, which has the body of a predict. */
export const checkRequest = (target: Target, request: PredictRequest): Buffer =>
  postRequest('/sod-violations/v1/check', target, request);

/** The bytes of a POST with a JSON body. */
export function postRequest(path: string, { port, ...caller }: Target, { body, accept }: PredictRequest): Buffer {
  const headers = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...('token' in caller ? [`Authorization: Bearer ${caller.token}`] : caller.headers),
    ...(accept === null ? [] : [`Accept: ${accept}`]),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** Returns the given requests in turn, from the first again after the last. */
export function cycleThrough(requests: readonly Buffer[]): () => Buffer {
  let turn = 0;
  return () => requests[turn++ % requests.length] ?? Buffer.alloc(0);
}

/** A predict of nothing but the required properties. */
export const plainRequest = ({ identity, accessRefs }: Question): PredictRequest => ({
  body: JSON.stringify({ identityId: identityId(identity), accessRefs }),
  accept: null,
});
