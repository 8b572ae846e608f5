import type { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import type { ApiEnv } from '../src/env.ts';
import { type ServeOptions, type Serving, serve } from '../src/server/serve.ts';

/** Ignores events of connections. */
export const UNWATCHED = {
  log: { warn: () => {} },
  metrics: { countConnection: () => {} },
};

/** Serves an app on a free port of this machine. */
export async function openServer(app: Hono<ApiEnv>, options: Partial<ServeOptions> = {}): Promise<Serving> {
  const serving = await serve(app, { host: '127.0.0.1', port: 0, ...UNWATCHED, ...options });
  if (!serving.ok) throw new Error(serving.failure);
  return serving.value;
}

/** Serves an app until the test ends; returns the port. */
export async function listen(app: Hono<ApiEnv>, options: Partial<ServeOptions> = {}): Promise<number> {
  const { port, stop } = await openServer(app, options);
  onTestFinished(() => stop(0));
  return port;
}
