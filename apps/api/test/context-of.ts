import { type Context, Hono } from 'hono';
import type { ApiEnv, Message } from '../src/env.ts';
import { newRequestState } from '../src/http/request-state.ts';
import type { Services } from '../src/services.ts';

interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly message?: Message;
  /** Those that the test needs. */
  readonly services?: { readonly [Name in keyof Services]?: unknown };
}

/** Hono's context of a request without a socket, as handlers get it. */
export function contextOf<E extends ApiEnv = ApiEnv>({
  method = 'GET',
  headers = {},
  body,
  message = {},
  services = {},
}: TestRequest = {}): Context<E> {
  let found: Context<E> | null = null;
  const app = new Hono<E>();
  // A single handler is called at once.
  app.all('*', (c) => {
    found = c;
    return c.body(null);
  });
  const env = { ...message, state: newRequestState('t'), services: services as Services };
  void app.request('/x', { method, headers, ...(body === undefined ? {} : { body }) }, env);
  if (found === null) throw new Error('The handler was not called.');
  return found;
}
