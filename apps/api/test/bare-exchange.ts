import type { Exchange } from '../src/http/exchange.ts';

/** A request without headers and body; `left` is aborted when the caller closes the connection. */
export const bareExchange = (method = 'GET', left: AbortSignal = new AbortController().signal): Exchange => ({
  method,
  target: '/x',
  params: {},
  connection: {},
  remoteAddress: () => null,
  signal: () => left,
  endWithin: () => {},
  header: () => null,
  readBody: () => ({ ok: true, value: new Uint8Array() }),
  isBodyAborted: () => false,
});
