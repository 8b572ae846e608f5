import type { Reply } from './exchange.ts';

const YEAR_SECONDS = 31_536_000;

/** Puts on a reply what every answer carries, unless it says otherwise itself. */
export type AddSecurityHeaders = (headers: Reply['headers']) => void;

/**
 * No answer is taken for another type than it says, none is kept by a cache, and where the service is reached by https it is
 * never to be reached otherwise. The host alone is bound: what else the operator serves below it is not ours to decide.
 */
export function createSecurityHeaders(baseAddress: string): AddSecurityHeaders {
  const isSecure = baseAddress.startsWith('https://');
  return (headers) => {
    headers['x-content-type-options'] = 'nosniff';
    headers['cache-control'] ??= 'no-store';
    if (isSecure) headers['strict-transport-security'] = `max-age=${YEAR_SECONDS}`;
  };
}
