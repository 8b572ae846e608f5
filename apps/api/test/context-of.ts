import { Hono } from 'hono';
import { type Bindings, type Env, newRequestState, type RequestContext } from '../src/http/env.ts';

interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bindings?: Bindings;
}

/** Hono's context of a request without a socket, as handlers get it. */
export function contextOf({ method = 'GET', headers = {}, body, bindings = {} }: TestRequest = {}): RequestContext {
  let found: RequestContext | null = null;
  const app = new Hono<Env>();
  // A single handler is called at once.
  app.all('*', (c) => {
    c.set('state', newRequestState({ trackingId: 't', commonHeaders: () => ({}) }));
    found = c;
    return c.body(null);
  });
  void app.request('/x', { method, headers, ...(body === undefined ? {} : { body }) }, bindings);
  if (found === null) throw new Error('The handler was not called.');
  return found;
}
