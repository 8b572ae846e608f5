const YEAR_SECONDS = 31_536_000;

/**
 * The headers of every answer, which it may override: it is not taken for another type than it names, is not cached, and binds a
 * host that is reached by https to https. Subdomains are left out: the operator may serve them otherwise. A service that stops
 * still answers, and the next request of the client opens a connection elsewhere.
 */
export function createCommonHeaders(
  baseAddress: string,
  stopping: AbortSignal,
): (trackingId: string) => Record<string, string> {
  const isSecure = baseAddress.startsWith('https://');
  return (trackingId) => {
    const headers: Record<string, string> = {
      'x-request-id': trackingId,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    };
    if (isSecure) headers['strict-transport-security'] = `max-age=${YEAR_SECONDS}`;
    if (stopping.aborted) headers['connection'] = 'close';
    return headers;
  };
}
