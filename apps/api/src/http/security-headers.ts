import type { HttpResponse } from './exchange.ts';

const YEAR_SECONDS = 31_536_000;

/** Adds the headers that every response carries, unless it sets them itself. */
export type AddSecurityHeaders = (headers: HttpResponse['headers']) => void;

/**
 * Responses are not taken for another type than they name, are not cached, and bind a host that is reached by https to https.
 * Subdomains are left out: the operator may serve them otherwise.
 */
export function createSecurityHeaders(baseAddress: string): AddSecurityHeaders {
  const isSecure = baseAddress.startsWith('https://');
  return (headers) => {
    headers['x-content-type-options'] = 'nosniff';
    headers['cache-control'] ??= 'no-store';
    if (isSecure) headers['strict-transport-security'] = `max-age=${YEAR_SECONDS}`;
  };
}
