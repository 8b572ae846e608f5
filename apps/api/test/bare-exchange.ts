import type { Exchange } from '../src/http/exchange.ts';

/** A request of which nothing is known, from a caller who may leave. */
export const bareExchange = (method = 'GET', left: AbortSignal = new AbortController().signal): Exchange => ({
  method,
  target: '/x',
  params: {},
  connection: null,
  signal: () => left,
  header: () => null,
  readBody: () => ({ ok: true, value: new Uint8Array() }),
  isCut: () => false,
});
