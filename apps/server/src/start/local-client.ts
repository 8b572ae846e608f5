import { request } from 'node:http';
import { Readable } from 'node:stream';
import { type AccessAdminClient, createClient, createSessionClient } from '@access-admin/client';
import type { Addresses } from './addresses.ts';

/** The credentials of a client. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Attempts while the service is busy, as with secrets that are compared at its start. */
const RETRIES_DEFAULT = 20;

/** A client of the API on this machine, which is called under its public name. Without credentials it can only ask for the health. */
export function connectLocally(
  addresses: Addresses,
  credentials: Credentials | null,
  { retries = RETRIES_DEFAULT }: { readonly retries?: number } = {},
): AccessAdminClient {
  const fetch = (url: string, init: RequestInit) => fetchLocally(addresses, url, init);
  // The requests go to the local address, whatever this one is.
  const options = { baseAddress: 'http://localhost', fetch };
  return credentials === null
    ? createSessionClient({ ...options, retries: 0 })
    : createClient({ ...options, ...credentials, retries });
}

const WITHOUT_BODY = [204, 304];

/** As `fetch` does, which however sends no `Host` that is not in the address. */
function fetchLocally(
  { reachable, port, publicHost }: Addresses,
  url: string,
  { method, headers, body, signal }: RequestInit,
): Promise<Response> {
  const { pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: reachable,
        port,
        path: pathname + search,
        method: method ?? 'GET',
        headers: { ...Object.fromEntries(new Headers(headers)), host: publicHost },
        agent: false,
        ...(signal ? { signal } : {}),
      },
      (answer) => {
        const { statusCode: status = 0 } = answer;
        // biome-ignore lint/plugin/type-assertion: The platform's types do not say that the stream of an answer has bytes.
        const taken = WITHOUT_BODY.includes(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
        const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
        resolve(new Response(taken, { status, headers: pairs }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(typeof body === 'string' ? body : undefined);
  });
}
