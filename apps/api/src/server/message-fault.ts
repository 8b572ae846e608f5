import type { IncomingMessage } from 'node:http';
import { type Failure, failure } from '@access-admin/domain';

/** The fault of a message that names no resource. */
export const NO_ADDRESS = failure(
  'MalformedBody',
  '',
  'The request target must be a path such as /healthz, and the Host header a host with an optional port.',
);
const OTHER_HOST = failure(
  'MalformedBody',
  '',
  'The request target names another host than the Host header: send the path alone.',
);
const TWO_HOSTS = failure('MalformedBody', '', 'There are several Host headers: send one.');
const CODED = failure(
  'MalformedBody',
  '',
  'The Transfer-Encoding is not supported: send a Content-Length, or chunked.',
);

/**
 * Finds what the parser of Node accepts although its meaning is uncertain: several Host headers, a body of unknown length, a target
 * that names another host; null for a valid message. HTTP/1.0, which health checks of load balancers use, has no Host header.
 * Once `serve.ts` has spelled it plainly, `@hono/node-server` builds a `Request` of every message for which this is null.
 */
export function findMessageFault({ headers, rawHeaders, httpVersion, url = '' }: IncomingMessage): Failure | null {
  const backslash = url.indexOf('\\');
  if (backslash !== -1 && !url.slice(0, backslash).includes('?')) return NO_ADDRESS;
  if (headers.host === undefined ? httpVersion !== '1.0' : !isHost(headers.host)) return NO_ADDRESS;
  const inTarget = url.startsWith('/') ? null : findAbsoluteFault(url, headers.host);
  if (inTarget !== null) return inTarget;
  if (countHosts(rawHeaders) > 1) return TWO_HOSTS;
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked' ? null : CODED;
}

function findAbsoluteFault(target: string, host: string | undefined): Failure | null {
  const url = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  if (url === null || url.username !== '' || url.password !== '') return NO_ADDRESS;
  return host === undefined || url.host === URL.parse(`${url.protocol}//${host}/`)?.host ? null : OTHER_HOST;
}

/** Whether the headers say where the message ends. */
export const saysItsEnd = ({ headers: { 'transfer-encoding': coding } }: IncomingMessage): boolean =>
  coding === undefined || /\bchunked$/i.test(coding);

const USUAL_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

function isHost(host: string): boolean {
  if (USUAL_HOST.test(host)) return true;
  const name = URL.parse(`http://${host}/`)?.hostname;
  if (name === undefined || name === '') return false;
  return name.length === host.length || name === host.replace(/:\d*$/, '').toLowerCase();
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
