import type { Caller } from '@access-admin/domain';
import type { Exchange } from '../http/exchange.ts';
import { createOwnOrigins } from '../http/own-origins.ts';

/**
 * Whether a request of a session that may change something comes from elsewhere than a page of this service: browsers send
 * cookies with requests of other pages too. A program sends its token itself, and needs no `Origin`.
 */
export function createIsCrossSite(baseAddress: string) {
  const origins = createOwnOrigins(baseAddress);
  return (exchange: Exchange, { tenant }: Pick<Caller, 'tenant'>): boolean =>
    exchange.header('authorization') === null &&
    exchange.method !== 'GET' &&
    exchange.method !== 'HEAD' &&
    !origins.isSource(exchange, tenant);
}
