import { freePort } from '@access-admin/harness';
import { onTestFinished } from 'vitest';
import type { HttpApp } from '../src/http/http-app.ts';
import { type ServeOptions, serve } from '../src/http/serve.ts';

/** Tells nobody of connections. */
export const UNWATCHED = { log: { warn: () => {} }, metrics: { countConnection: () => {} } };

/** Serves an app on a port of this machine until the test ends. */
export async function listen(app: HttpApp, options: Partial<ServeOptions> = {}): Promise<number> {
  const port = await freePort();
  const common = { host: '127.0.0.1', port, ...UNWATCHED };
  const serving = await serve(app, { ...common, ...options });
  if (!serving.ok) throw new Error(serving.failure);
  onTestFinished(() => serving.value.stop(0));
  return port;
}
